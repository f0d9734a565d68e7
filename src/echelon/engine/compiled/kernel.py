"""How a kernel is compiled: one place for the options all of them share."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar, cast

from numba import njit

Kernel = TypeVar("Kernel", bound=Callable[..., Any])


# Kernels own no memory: every array is made by their caller and outlives the call. So references are not
# counted (`_nrt`), which halves both the code to compile and the time to run it.
_OPTIONS = {"cache": True, "nogil": True, "error_model": "numpy", "_nrt": False}
_INTERNAL = {**_OPTIONS, "no_cpython_wrapper": True, "no_cfunc_wrapper": True}


def kernel(function: Kernel) -> Kernel:
    """Compile `function` to be called from other kernels only.

    Cached on disk, without Python's lock. Leaving out the way in from Python saves half of compiling it.
    """
    return _compiled(function, _INTERNAL)


def inlined(function: Kernel) -> Kernel:
    """Compile `function` as a part of each kernel that calls it: for the one caller of a large one.

    Every kernel is optimized together with all it calls, so each level of calls costs that time again.
    """
    return _compiled(function, {**_INTERNAL, "inline": "always"})


def entry_kernel(function: Kernel) -> Kernel:
    """Compile `function` to be called from Python."""
    return _compiled(function, _OPTIONS)


def _compiled(function: Kernel, options: dict[str, Any]) -> Kernel:
    # numba's own stubs do not know all options that numba has.
    decorated: Kernel = cast("Any", njit)(**options)(function)
    return decorated
