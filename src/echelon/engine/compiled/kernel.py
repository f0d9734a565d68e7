"""Moved to `echelon.kernel`; here only until everybody has moved along."""

from echelon.kernel import entry_kernel, inlined, kernel

__all__ = ["entry_kernel", "inlined", "kernel"]
