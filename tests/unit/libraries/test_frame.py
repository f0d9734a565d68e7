"""Arguments become words, and arrays that machine code would read wrongly are refused."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest

from echelon.libraries.frame import leaves, to_words

RECORD = np.dtype([("time", np.float64), ("job", np.int64)], align=True)


class Inner(NamedTuple):
    """A tuple inside another."""

    table: Any
    flag: Any


class Outer(NamedTuple):
    """What a kernel takes."""

    inner: Inner
    column: Any


def arguments(*, rows=3, columns=4):
    return Outer(Inner(np.zeros((rows, columns), RECORD), np.zeros(2, np.bool_)), np.zeros(5)), 7, True


def address(array):
    return array.ctypes.data


def test_words_of_nested_tuples():
    """Addresses and shapes of arrays stand in the order of the fields, numbers and truth values behind."""
    given = arguments()
    (inner, column), *_ = given
    assert to_words(given, list(leaves(arguments(rows=1, columns=1)))) == [
        *(address(inner.table), 3, 4),
        *(address(inner.flag), 2),
        *(address(column), 5),
        7,
        1,
    ]


@pytest.mark.parametrize(
    "wrong",
    [
        np.zeros(5, dtype=np.float32),
        np.zeros(5, dtype=np.int64),
        np.zeros((5, 1)),
        np.zeros(10)[::2],
        np.zeros(5, dtype=">f8"),
    ],
)
def test_arrays_that_would_be_read_wrongly_are_refused(wrong):
    """Another type, other dimensions, gaps between items, or bytes in the other order: none goes through."""
    layout = list(leaves((np.zeros(5),)))
    assert to_words((np.zeros(5),), layout)
    with pytest.raises(TypeError, match="in C order"):
        to_words((wrong,), layout)
