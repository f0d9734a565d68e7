"""The compiled engine: numba over arrays, equal to the reference engine start time for start time."""

from echelon.engine.compiled.simulate import simulate, supports

__all__ = ["simulate", "supports"]
