"""What property tests share: kernels that are compiled one by one."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

from echelon.libraries import kernel


@pytest.fixture(scope="session")
def jitted():
    """Return a function of modules' names that returns them with kernels that numba compiles when called.

    Libraries hold whole runs; with this a test can drive one structure of theirs by itself, compiled. Modules
    asked for together share what they import of each other: nothing is compiled twice.
    """
    return _jitted


def _jitted(*names):
    from numba import njit

    room = "echelon.engine.compiled"
    known = {module: sys.modules.pop(module) for module in [*sys.modules] if module.startswith(f"{room}.")}
    kernel.compile_with(njit(error_model="numpy", _nrt=False))
    try:
        return [import_module(name) for name in names]
    finally:
        kernel.compile_with(None)
        for module in [*sys.modules]:
            if module.startswith(f"{room}."):
                del sys.modules[module]
        sys.modules.update(known)
