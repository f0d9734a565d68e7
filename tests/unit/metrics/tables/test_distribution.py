"""Distributions on a logarithmic axis."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from echelon.errors import InputError
from echelon.metrics import log_axis, share_above, share_at_most

values = arrays(float, st.integers(0, 30), elements=st.integers(0, 20).map(float))


def test_a_job_at_the_value_is_not_above_it():
    """Of waits 0, 10, 10 and 100, two are above 5 and one above 10."""
    wait, axis = np.array([0.0, 10.0, 10.0, 100.0]), np.array([5.0, 10.0, 99.0, 100.0])
    assert share_above(wait, axis).tolist() == [0.75, 0.25, 0.25, 0.0]
    assert share_at_most(wait, axis).tolist() == [0.25, 0.75, 0.75, 1.0]


@given(values, values)
def test_shares_are_counts(column, axis):
    """Both shares are what counting job by job gives."""
    n = max(1, len(column))
    assert share_above(column, axis).tolist() == [sum(v > x for v in column) / n for x in axis]
    assert share_at_most(column, axis).tolist() == [sum(v <= x for v in column) / n for x in axis]


def test_axis_ends_at_the_largest_value_of_all():
    """The axis serves all runs, and is there even when nobody waits or nobody is there."""
    axis = log_axis([np.array([5.0]), np.array([0, 5000])], points=3)
    np.testing.assert_allclose(axis, [1.0, 5000**0.5, 5000.0])
    assert log_axis([np.zeros(2)])[-1] == 10.0
    assert log_axis([], lowest=60.0, points=2).tolist() == pytest.approx([60.0, 600.0])


@pytest.mark.parametrize("wrong", [{"lowest": 0.0}, {"lowest": float("nan")}, {"points": 1}])
def test_impossible_axes_are_refused(wrong):
    """A logarithmic axis neither begins at 0 nor has a single point."""
    with pytest.raises(InputError, match="lowest > 0 and 2 points"):
        log_axis([np.ones(1)], **wrong)
