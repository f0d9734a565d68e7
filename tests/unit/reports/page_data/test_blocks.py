"""Columns packed for the page come out as they went in."""

from __future__ import annotations

import base64
import zlib

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

from echelon.reports.page_data.blocks import Blocks

TYPES = {"u1": np.uint8, "u2": np.uint16, "i4": np.int32, "f8": np.float64}


def unpacked(block):
    kind = np.dtype(TYPES[block["type"]])
    grouped = np.frombuffer(zlib.decompress(base64.b64decode(block["data"])), np.uint8)
    values = np.ascontiguousarray(grouped.reshape(kind.itemsize, block["n"]).T).view(kind).ravel()
    return np.cumsum(values.view(np.uint32), dtype=np.uint32).view(np.int32) if block["delta"] else values


@given(
    st.one_of(
        arrays.arrays(np.int64, st.integers(0, 20), elements=st.integers(-(2**31), 2**31 - 1)),
        arrays.arrays(np.float64, st.integers(0, 20), elements=st.floats(-1e12, 1e12)),
    ),
    st.booleans(),
)
def test_packing_loses_nothing(column, differences):
    """Whole numbers of 32 bits and any times survive, with differences that wrap around too."""
    blocks = Blocks()
    number = blocks.add(column, differences=differences)
    np.testing.assert_array_equal(unpacked(blocks.packed[number]), column)


@pytest.mark.parametrize(
    ("values", "kind"), [([0, 255], "u1"), ([0, 256], "u2"), ([-1, 5], "i4"), ([0.5], "f8"), ([2**40], "f8")]
)
def test_the_smallest_type_is_taken(values, kind):
    """A column costs no more bytes than its values need."""
    blocks = Blocks()
    blocks.add(np.array(values))
    assert blocks.packed[0]["type"] == kind


def test_a_column_of_several_runs_is_kept_once():
    """Equal content gets the same number."""
    blocks = Blocks()
    first = blocks.add(np.arange(1000.0), differences=True)
    assert blocks.add(np.arange(1000), differences=True) == first
    assert blocks.add(np.arange(1000)) != first
    assert len(blocks.packed) == 2


def test_a_column_that_runs_share_is_looked_at_once():
    """A column of the same memory has the same number; one that may change is packed as it is each time."""
    blocks = Blocks()
    fixed = np.arange(5)
    fixed.flags.writeable = False
    assert blocks.add(fixed) == blocks.add(fixed[:]) == 0
    assert blocks.add(fixed, differences=True) == blocks.add(fixed[:3]) - 1 == 1
    changing = np.arange(5)
    assert blocks.add(changing) == 0
    changing += 300
    assert blocks.add(changing) == 3
