"""Kernels as plain Python: slow, and every line can be stepped through in a debugger."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

import numpy as np


def in_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function`, a kernel, so that plain Python can run it on the arrays that machine code takes.

    Fields of records are attributes in kernels. Division by zero gives infinity or NaN, as in machine code.
    """

    @wraps(function)
    def run(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*(_with_attributes(argument) for argument in arguments))

    return run


def _with_attributes(argument: Any) -> Any:
    """Return an argument whose records have their fields as attributes; memory is shared."""
    if isinstance(argument, tuple):
        parts = [_with_attributes(part) for part in argument]
        return type(argument)(*parts) if hasattr(argument, "_fields") else tuple(parts)
    if isinstance(argument, np.ndarray) and argument.dtype.names:
        return argument.view(np.recarray)
    return argument
