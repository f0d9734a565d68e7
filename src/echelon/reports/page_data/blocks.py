"""Columns of numbers packed into text, small enough to live inside a page.

A column becomes the differences of its neighbors where these are shorter, then the smallest type that
holds it, then its bytes grouped by place (all lowest bytes first), then deflate, then base64. The page's
``data.js`` undoes this step by step. A column that occurs in several runs is kept once.
"""

from __future__ import annotations

import base64
import zlib
from hashlib import sha256
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

_WHOLE_TYPES = (np.uint8, np.uint16, np.int32)
_NAMES = {np.uint8: "u1", np.uint16: "u2", np.int32: "i4", np.float64: "f8"}
_LEVEL = 1  # level 6 costs five times as long and saves a tenth


class Blocks:
    """Packed columns, each known by its number; `packed` is what the page embeds."""

    def __init__(self) -> None:
        self.packed: list[dict[str, Any]] = []
        self._numbers: dict[tuple[str, bool, int, bytes], int] = {}
        self._met: dict[tuple[int, str, int, bool], tuple[NDArray[Any], int]] = {}

    def add(self, column: NDArray[Any], *, differences: bool = False) -> int:
        """Pack a column and return its number.

        Parameters
        ----------
        column : ndarray, shape (n,)
            Whole numbers within 32 bits are kept as such, any others as float64.
        differences : bool, default False
            Keep whole numbers as differences; for times, which mostly ascend.
        """
        # Columns that runs share lie at the same place in memory, where nothing else is while they are kept.
        where = (column.__array_interface__["data"][0], column.dtype.str, len(column), differences)
        if column.flags.writeable or not column.flags.c_contiguous:
            return self._pack_once(column, differences=differences)
        if where not in self._met:
            self._met[where] = (column, self._pack_once(column, differences=differences))
        return self._met[where][1]

    def _pack_once(self, column: NDArray[Any], *, differences: bool) -> int:
        kind = _smallest_type(column, differences=differences)
        delta = differences and kind is np.int32
        values = np.ascontiguousarray(column, dtype=kind)
        # A digest stands for the bytes, which are as long as the table itself.
        content = (_NAMES[kind], delta, len(values), sha256(values.data).digest())
        if content not in self._numbers:
            self._numbers[content] = len(self.packed)
            self.packed.append(_pack(values, _NAMES[kind], delta=delta))
        return self._numbers[content]


def _smallest_type(column: NDArray[Any], *, differences: bool) -> type[np.generic]:
    low, high = (column.min(), column.max()) if len(column) else (0, 0)
    for kind in (np.int32,) if differences else _WHOLE_TYPES:
        bounds = np.iinfo(kind)
        if bounds.min <= low and high <= bounds.max:
            whole = column.dtype.kind in "iub" or np.array_equal(column, np.trunc(column))
            return kind if whole else np.float64
    return np.float64


def _pack(values: NDArray[Any], name: str, *, delta: bool) -> dict[str, Any]:
    if delta:
        # Differences may wrap around 32 bits; so does the sum that undoes them.
        values = values.view(np.uint32)
        values = np.concatenate((values[:1], values[1:] - values[:-1]))
    grouped = values.view(np.uint8).reshape(len(values), values.itemsize).T
    packed = zlib.compress(np.ascontiguousarray(grouped).data, _LEVEL)
    return {"type": name, "delta": delta, "n": len(values), "data": base64.b64encode(packed).decode("ascii")}
