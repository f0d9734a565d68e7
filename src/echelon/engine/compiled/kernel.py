"""How a kernel is compiled: one place for the options all of them share."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import njit

from echelon.workloads.datasets import cache_folder

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
    with _own_cache():
        # numba's own stubs do not know all options that numba has.
        decorated: Kernel = cast("Any", njit)(**options)(function)
    return decorated


@contextmanager
def _own_cache() -> Iterator[None]:
    """Keep compiled kernels in a folder named by the text of all of them.

    numba looks for changes only in the file of the kernel it loads, but a kernel holds the code of those
    it calls, which stand in other files: without this, an edited callee would go on running as it was.
    """
    config = cast("Any", numba.config)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_cache_base(before) / f"kernels-{_DIGEST}")
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _cache_base(chosen: str) -> Path:
    """Return where numba's cache is by the user's choice, else beside the sources, else the user's cache."""
    if chosen:
        return Path(chosen)
    beside = _SOURCES / "__pycache__"
    writable = os.access(beside if beside.exists() else _SOURCES, os.W_OK)
    return beside if writable else cache_folder()


_SOURCES = Path(__file__).parent
_DIGEST = hashlib.sha256(b"".join(file.read_bytes() for file in sorted(_SOURCES.glob("*.py")))).hexdigest()[
    :12
]
