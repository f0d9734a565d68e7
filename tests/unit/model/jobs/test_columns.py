"""Columns: what all tables of numbers are made of."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.model.jobs.columns import distinct, read_only

CODES = st.one_of(
    st.lists(st.integers(-3, 9), max_size=40),
    st.lists(st.integers(-(2**63), 2**63 - 1), max_size=40),
    st.lists(st.integers(2**62, 2**62 + 5), max_size=40),
)


@given(CODES)
def test_distinct_values_are_those_of_numpy(codes):
    """Close together or far apart, values and places are those that a sort finds."""
    column = np.array(codes, dtype=np.int64)
    values, place = distinct(column)
    expected, inverse = np.unique(column, return_inverse=True)
    assert values.tolist() == expected.tolist()
    assert place.tolist() == inverse.tolist()


def test_a_read_only_column_is_the_same_and_refuses_changes():
    """Nothing is copied, and an assignment is an error from then on."""
    column = np.zeros(3)
    assert read_only(column) is column
    with pytest.raises(ValueError, match="read-only"):
        column[0] = 1.0
