"""Calling: from an entry kernel to machine code in its library, or to plain Python for a debugger."""

from __future__ import annotations

import ctypes
import os
from importlib import import_module
from typing import TYPE_CHECKING, Any

from echelon.errors import NoLibraryError
from echelon.libraries.frame import RETURNED, leaves, to_words
from echelon.libraries.kernel import EntryKernel
from echelon.libraries.lookup import load
from echelon.libraries.names import LIBRARIES

if TYPE_CHECKING:
    from collections.abc import Callable

SWITCH = "ECHELON_KERNELS"
"""The environment variable that selects how kernels run: ``python`` steps through them as plain Python."""


def caller(entry: EntryKernel) -> Callable[..., Any]:
    """Return the callable of `entry`: its library, or itself as plain Python.

    Raises
    ------
    NoLibraryError
        If its library can neither be found nor built, or cannot be loaded.
    """
    if not runs_in_python():
        try:
            return library_call(entry, load(entry.name))
        except NoLibraryError:
            if not entry.or_python:
                raise
    from echelon.libraries.python_kernels import in_python

    return in_python(entry.function)


def entry_of(name: str) -> EntryKernel:
    """Return the entry of library `name`."""
    module = import_module(LIBRARIES[name])
    return next(one for one in vars(module).values() if isinstance(one, EntryKernel) and one.name == name)


def runs_in_python() -> bool:
    """Return whether kernels are to be run as plain Python."""
    return os.environ.get(SWITCH) == "python"


def library_call(entry: EntryKernel, library: ctypes.CDLL) -> Callable[..., Any]:
    """Return a function that calls the entry of `library`.

    `ctypes.CDLL` gives Python's lock back while machine code runs, so that other threads continue.
    """
    symbol = library[symbol_of(entry.name)]
    layout = list(leaves(entry.sample()))
    n_words = sum(1 + leaf[1] if isinstance(leaf, tuple) else 1 for leaf in layout)
    frame_type = ctypes.c_int64 * (n_words + RETURNED)

    def call(*arguments: Any) -> Any:
        frame = frame_type(*to_words(arguments, layout))
        how, failure = ctypes.c_int64(), ctypes.c_void_p()
        if symbol(ctypes.byref(how), ctypes.byref(failure), frame):
            raise RuntimeError(f"the kernel {entry.name!r} stopped with an internal error: please report it")
        return _result_of(frame[n_words:], how.value)

    return call


def symbol_of(name: str) -> str:
    """Return the name of the entry of library `name` in machine code."""
    return f"echelon_{name}"


def _result_of(words: list[int], how: int) -> Any:
    """Return the result of the kernel; `how` is -1 for nothing, 0 for a number, n for a tuple of n."""
    if how < 0:
        return None
    return words[0] if how == 0 else tuple(words[:how])
