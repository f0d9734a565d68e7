"""How a kernel is compiled and kept: one place for the options that all of them share."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any, TypeVar, cast

import numba
from numba import njit

from echelon.cache import cache_folder

Kernel = TypeVar("Kernel", bound=Callable[..., Any])

_ALLOCATING = {"cache": True, "nogil": True, "error_model": "numpy"}
# Most kernels own no memory: every array is made by their caller and outlives the call. So references are
# not counted (`_nrt`), which halves both the code to compile and the time to run it.
_OPTIONS = {**_ALLOCATING, "_nrt": False}
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


def allocating_entry_kernel(function: Kernel) -> Kernel:
    """Compile `function` to be called from Python, and to make arrays of its own, whose size it finds out."""
    return _compiled(function, _ALLOCATING)


def _compiled(function: Kernel, options: dict[str, Any]) -> Kernel:
    with _own_cache(Path(function.__code__.co_filename)):
        # numba's own stubs do not know all options that numba has.
        decorated: Kernel = cast("Any", njit)(**options)(function)
    return decorated


@contextmanager
def _own_cache(file: Path) -> Iterator[None]:
    """Keep the compiled kernels of `file` in a folder named by the text of all that they are made of.

    numba looks for changes only in the file of the kernel it loads, but a kernel holds the code of those it
    calls and the constants it reads, which stand in other files: without this, an edited callee would go
    on running as it was.
    """
    config = cast("Any", numba.config)
    before = config.CACHE_DIR
    config.CACHE_DIR = str(_cache_base(before) / f"kernels-{digest(file)}")
    try:
        yield
    finally:
        config.CACHE_DIR = before


def _cache_base(chosen: str) -> Path:
    """Return where numba's cache is by the user's choice, else beside the sources, else the user's cache."""
    if chosen:
        return Path(chosen)
    beside = _PACKAGE / "__pycache__"
    writable = os.access(beside if beside.exists() else _PACKAGE, os.W_OK)
    return beside if writable else cache_folder()


_PACKAGE = Path(__file__).parent
# Patterns, not a parser: every command asks, and parsing takes six times as long. An example in a docstring
# counts as an import, which does no harm.
_FROM = re.compile(r"^\s*from (echelon[\w.]*) import (\([^)]*\)|.*)", re.MULTILINE)
_IMPORT = re.compile(r"^\s*import (echelon[\w.]*)", re.MULTILINE)


@cache
def digest(file: Path) -> str:
    """Return a short hash of the text of `file`, of this one, and of all of the package that they import."""
    found, open_ends = set[Path](), [file, Path(__file__)]
    while open_ends:
        one = open_ends.pop()
        if one not in found:
            found.add(one)
            open_ends += _imported(one)
    texts = b"".join(one.read_bytes() for one in sorted(found))
    return hashlib.sha256(texts).hexdigest()[:12]


@cache
def _imported(file: Path) -> list[Path]:
    """Return the files of this package that `file` imports; of a package, the modules it names."""
    text = file.read_text(encoding="utf-8")
    wanted = [
        (module, words[0])
        for module, names in _FROM.findall(text)
        for name in names.strip("()").split(",")
        if (words := name.split())
    ]
    wanted += [(module, "") for module in _IMPORT.findall(text)]
    files = [_source(module, name) or _source(module) for module, name in wanted]
    return [found for found in files if found is not None]


def _source(module: str, name: str = "") -> Path | None:
    """Return the file of ``module.name`` if that is a module of this package."""
    package, *parts = [*module.split("."), *filter(None, [name])]
    base = _PACKAGE.joinpath(*parts)
    files = (base / "__init__.py", base.with_suffix(".py")) if package == _PACKAGE.name else ()
    return next((file for file in files if file.is_file()), None)
