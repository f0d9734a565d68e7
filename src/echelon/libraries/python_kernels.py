"""Kernels as plain Python: slow, and every line can be stepped through in a debugger."""

from __future__ import annotations

from functools import wraps
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator


def in_python(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return `function`, a kernel, so that plain Python can run it on the arrays that machine code takes.

    Division by zero gives infinity or NaN and whole numbers wrap around, as in machine code.
    """

    @wraps(function)
    def run(*arguments: Any) -> Any:
        with np.errstate(all="ignore"):
            return function(*(_with_attributes(argument) for argument in arguments))

    return run


def _with_attributes(argument: Any) -> Any:
    """Return an argument whose records have their fields as attributes; memory is shared."""
    if isinstance(argument, tuple):
        return type(argument)(*(_with_attributes(part) for part in argument))
    if isinstance(argument, np.ndarray) and argument.dtype.names:
        return Records(argument)
    return argument


class Record:
    """One record, with its fields as attributes. NumPy's own hides a field ``size``."""

    __slots__ = ("_record",)

    def __init__(self, record: np.void) -> None:
        object.__setattr__(self, "_record", record)

    def __getattr__(self, field: str) -> Any:
        return self._record[field]

    def __setattr__(self, field: str, value: Any) -> None:
        self._record[field] = value

    def put_into(self, array: np.ndarray[Any, Any], place: Any) -> None:
        """Copy it to a place in an array of records."""
        array[place] = self._record


class Records:
    """An array of records; its elements share its memory."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __len__(self) -> int:
        return len(self.array)

    def __iter__(self) -> Iterator[Any]:
        return (self[k] for k in range(len(self)))

    @property
    def shape(self) -> tuple[int, ...]:
        """Of the array."""
        shape: tuple[int, ...] = self.array.shape
        return shape

    def __getitem__(self, place: Any) -> Any:
        value = self.array[place]
        return Records(value) if isinstance(value, np.ndarray) else Record(value)

    def __setitem__(self, place: Any, value: Any) -> None:
        if isinstance(value, Record):
            value.put_into(self.array, place)
        else:
            self.array[place] = value
