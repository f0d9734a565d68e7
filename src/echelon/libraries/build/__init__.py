"""Building libraries of kernels: from Python to machine code. Needs numba, llvmlite and a linker."""

from echelon.libraries.build.builder import build_libraries

__all__ = ["build_libraries"]
