"""How a kernel is compiled: one place for the options all of them share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from numba import njit

if TYPE_CHECKING:
    from collections.abc import Callable

    from numba.core.dispatcher import Dispatcher


# Kernels own no memory: every array is made by their caller and outlives the call. So references are not
# counted (`_nrt`), which halves both the code to compile and the time to run it.
_OPTIONS: dict[str, Any] = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}


def kernel(function: Callable[..., Any]) -> Dispatcher:
    """Compile `function` to be called from other kernels only.

    Cached on disk, without Python's lock. Leaving out the way in from Python saves half of compiling it.
    """
    return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, **_OPTIONS)(function)


def inlined(function: Callable[..., Any]) -> Dispatcher:
    """Compile `function` as a part of each kernel that calls it: for the one caller of a large one.

    Every kernel is optimized together with all it calls, so each level of calls costs that time again.
    """
    return njit(no_cpython_wrapper=True, no_cfunc_wrapper=True, inline="always", **_OPTIONS)(function)


def entry_kernel(function: Callable[..., Any]) -> Dispatcher:
    """Compile `function` to be called from Python."""
    return njit(**_OPTIONS)(function)
