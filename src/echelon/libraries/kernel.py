"""What a kernel is: a function over arrays, compiled ahead of time, that can be stepped through as Python.

Importing one compiles nothing and needs no compiler. The machine code is in shared libraries, which are built
with the package, or in a checkout when a source has changed (`echelon.libraries`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

Kernel = TypeVar("Kernel", bound=Callable[..., Any])
Sample = Callable[[], tuple[Any, ...]]
"""Returns arguments of the types that an entry is always called with; their values do not matter."""


def kernel(function: Kernel) -> Kernel:
    """Declare a function that other kernels call."""
    return function if _Building.compiler is None else _Building.compiler(function)


def entry_kernel(
    name: str, sample: Sample, *, or_python: bool = False
) -> Callable[[Callable[..., Any]], EntryKernel]:
    """Declare the function by which Python calls a library of kernels.

    Parameters
    ----------
    name : str
        Of its library, one of `echelon.libraries.names.LIBRARIES`.
    sample : callable
        Returns arguments as the function takes them: whole numbers, truth values, arrays in C order, and
        named tuples of these. The types of all fields and the dimensions of all arrays are read off them.
    or_python : bool, default False
        Whether it runs as plain Python where its library cannot be had.

    Notes
    -----
    The function returns nothing, a whole number, a truth value, or a tuple of these. It makes no arrays: what
    it needs is made by its caller.
    """

    def declare(function: Callable[..., Any]) -> EntryKernel:
        return EntryKernel(name, sample, kernel(function), or_python=or_python)

    return declare


class EntryKernel:
    """A kernel that Python calls.

    Parameters
    ----------
    name : str
        Of its library.
    sample : callable
        Returns arguments of its types.
    function : callable
        What it does, in Python.
    or_python : bool
        Whether it runs as plain Python where its library cannot be had.
    """

    def __init__(self, name: str, sample: Sample, function: Callable[..., Any], *, or_python: bool) -> None:
        self.name, self.sample, self.function, self.or_python = name, sample, function, or_python
        self._call: Callable[..., Any] | None = None

    def __call__(self, *arguments: Any) -> Any:
        """Run it, without Python's lock.

        Raises
        ------
        NoLibraryError
            If its library can neither be found nor built.
        """
        return (self._call or self.load())(*arguments)

    def load(self) -> Callable[..., Any]:
        """Load its library, and return what calls it."""
        from echelon.libraries.calls import caller

        self._call = caller(self)
        return self._call


class _Building:
    """Set in the process that builds libraries, before it imports any kernel."""

    compiler: Callable[[Any], Any] | None = None


def compile_with(compiler: Callable[[Any], Any] | None) -> None:
    """Have every kernel that is imported from now on declared to `compiler`; None for plain functions."""
    _Building.compiler = compiler
