"""The entry of a library: the kernel that Python calls."""

from __future__ import annotations

from importlib import import_module

from echelon.libraries.kernel import EntryKernel
from echelon.libraries.names import LIBRARIES


def entry_of(name: str) -> EntryKernel:
    """Return the entry of library `name`."""
    module = import_module(LIBRARIES[name])
    return next(one for one in vars(module).values() if isinstance(one, EntryKernel) and one.name == name)
