"""Finding: the library of a kernel, built from the present sources; it is built if missing."""

from __future__ import annotations

import ctypes
import importlib.util
import os
import shutil
import struct
import subprocess
import sys
import warnings
from contextlib import contextmanager
from functools import cache
from typing import TYPE_CHECKING

from echelon.cache import cache_folder
from echelon.errors import NoLibraryError
from echelon.libraries.processor import machine, preferred_kinds
from echelon.libraries.sources import PACKAGE, digest_of, sources_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

SUFFIX = {"darwin": ".dylib", "win32": ".dll"}.get(sys.platform, ".so")
_BUILT = PACKAGE / "libraries" / "built"
_LATER = "results are the same without it, but slower"
_INSTALL = "install a wheel of this release for this machine, or in a checkout run 'make setup'"
_WHAT_TO_DO = f"{_LATER}; {_INSTALL}"


def file_name(name: str, kind: str, digest: str) -> str:
    """Return the file name of library `name`, built for `kind` from sources of this digest."""
    return f"{name}-{kind}-{digest}{SUFFIX}"


def folder() -> Path:
    """Return the folder of libraries: in the package, or in the user's cache if that is not writable."""
    beside = _BUILT if _BUILT.exists() else _BUILT.parent
    return _BUILT if os.access(beside, os.W_OK) else cache_folder() / "libraries"


def find(name: str) -> Path:
    """Return the file of library `name`, of the present sources, for this processor; build it if need be.

    Raises
    ------
    NoLibraryError
        If it can neither be found nor built.
    """
    library = _present(name)
    if library is None:
        _build(name)
        library = _present(name)
    if library is None:
        raise NoLibraryError(f"no library of the kernel {name!r} was produced by building it; {_WHAT_TO_DO}")
    return library


def load(name: str) -> ctypes.CDLL:
    """Return library `name`, loaded; it releases Python's lock while its machine code runs.

    Raises
    ------
    NoLibraryError
        If it can neither be found nor built, or the system refuses it.
    """
    # Finding a library reads all its sources: an earlier query has cached the answer.
    return _LOADED.get(name) or _open_library(name)


_LOADED: dict[str, ctypes.CDLL] = {}


def _open_library(name: str) -> ctypes.CDLL:
    file = find(name)
    try:
        _refuse_cut_short(file)
        return ctypes.CDLL(str(file))
    except OSError as error:
        message = f"the library {file} cannot be loaded ({error}); {_LATER}; remove it, then {_INSTALL}"
        raise NoLibraryError(message) from error


def _refuse_cut_short(file: Path) -> None:
    """Raise an OSError for a truncated file: Linux would map it all the same, and crash reading it.

    The table of sections stands at the end of a library for Linux. Other systems look at the size themselves.
    """
    with file.open("rb") as library:
        head = library.read(_ELF_HEADER)
    if not head.startswith(b"\x7fELF"):
        return
    if len(head) == _ELF_HEADER:
        (table,), (size, count) = struct.unpack_from("<Q", head, 40), struct.unpack_from("<HH", head, 58)
        if file.stat().st_size >= table + size * count:
            return
    raise OSError("it is truncated")


_ELF_HEADER = 64
"""Bytes."""


@cache
def why_not(name: str) -> str | None:
    """Return None if library `name` can be called, otherwise the reason and what to do; cached.

    Warns
    -----
    UserWarning
        If it cannot, and there is no listener (`announcing`); not in each process of a pool.
    """
    try:
        _LOADED[name] = _open_library(name)
    except NoLibraryError as error:
        _announce(str(error))
        if not _LISTENERS and not _is_worker():
            warnings.warn(str(error), stacklevel=2)
        return str(error)
    return None


def _is_worker() -> bool:
    """Return whether this process is a worker of another Python process, which reports everything."""
    multiprocessing = sys.modules.get("multiprocessing.process")
    return multiprocessing is not None and multiprocessing.parent_process() is not None


def _present(name: str) -> Path | None:
    """Return the best file of `name` from the present sources for this processor, if any."""
    for place in dict.fromkeys((_BUILT, folder())):
        try:
            digest = digest_of(_read_sources(name, place))
        except FileNotFoundError:
            continue
        for kind in preferred_kinds():
            file = place / file_name(name, kind, digest)
            if file.is_file():
                return file
    return None


def _read_sources(name: str, place: Path) -> list[str]:
    """Return the sources that the library was built from; a source it did not have then is in one it had."""
    try:
        return (place / f"{name}.sources").read_text(encoding="utf-8").split()
    except OSError:
        return sources_of(name)


def _build(name: str) -> None:
    """Build library `name` for this processor, in a separate process."""
    if not preferred_kinds():
        raise NoLibraryError(
            f"kernels run on processors of the kinds x86_64 and arm64, not on {machine()!r}; {_WHAT_TO_DO}"
        )
    if reason := why_not_buildable():
        raise NoLibraryError(
            f"the kernel {name!r} has no library of the present sources, and {reason}; {_WHAT_TO_DO}"
        )
    _announce("building kernels of the present sources, once; it takes some seconds")
    command = [sys.executable, "-m", "echelon.libraries.build", name, "--kinds", preferred_kinds()[0]]
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([str(PACKAGE.parent), *sys.path])}
    ended = subprocess.run(command, env=environment, capture_output=True, text=True, check=False)
    if ended.returncode:
        reason = (ended.stderr.strip().splitlines() or ["no reason was given"])[-1]
        raise NoLibraryError(f"the kernel {name!r} could not be built: {reason}; {_WHAT_TO_DO}")


def why_not_buildable() -> str | None:
    """Return None if libraries can be built here, otherwise what is missing."""
    missing = [module for module in ("numba", "llvmlite") if importlib.util.find_spec(module) is None]
    if missing:
        return f"it cannot be built without {' and '.join(missing)}"
    return None if linker() else "it cannot be built without a C compiler or ziglang"


def linker() -> list[str] | None:
    """Return the link command: of a C compiler, otherwise of the package ziglang, otherwise None."""
    for compiler in filter(None, (os.environ.get("CC"), "cc", "gcc", "clang")):
        if shutil.which(compiler):
            return [compiler]
    return [sys.executable, "-m", "ziglang", "cc"] if importlib.util.find_spec("ziglang") else None


_LISTENERS: list[Callable[[str], None]] = []


def _announce(sentence: str) -> None:
    """Notify the listeners, once for any number of libraries."""
    for listener in _LISTENERS:
        if sentence not in _SAID:
            listener(sentence)
    _SAID.add(sentence)


_SAID: set[str] = set()


@contextmanager
def announcing(listener: Callable[[str], None]) -> Iterator[None]:
    """Call `listener` with a sentence when a library is built inside the block, or cannot be."""
    _LISTENERS.append(listener)
    try:
        yield
    finally:
        _LISTENERS.remove(listener)
