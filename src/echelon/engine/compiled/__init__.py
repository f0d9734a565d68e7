"""The compiled engine: numba over arrays, equal to the reference engine start time for start time."""

from echelon.engine.compiled.simulate import has_kernels, simulate, supports

__all__ = ["has_kernels", "simulate", "supports"]
