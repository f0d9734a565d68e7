"""Distances of samples, by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.metrics.schedule.goodness import ks_distance, total_variation

SAMPLES = st.lists(st.integers(0, 6), max_size=8).map(lambda values: np.array(values, dtype=np.int64))


def test_worked_by_hand():
    """Below 2 lie all of the first and none of the second; of the halves, half."""
    assert ks_distance(np.array([1.0, 1.0]), np.array([2.0, 3.0])) == 1
    assert ks_distance(np.array([1.0, 2.0]), np.array([2.0, 3.0])) == 0.5
    assert total_variation(np.array([3, 1]), np.array([1, 3])) == 0.5


def test_nothing_is_as_far_as_can_be_from_something():
    """Two empty samples are as one, an empty one and another are not."""
    none, some = np.array([], dtype=np.int64), np.array([1, 2])
    for distance in (ks_distance, total_variation):
        assert distance(none, none) == 0
        assert distance(some, none) == distance(none, some) == 1


@given(SAMPLES, SAMPLES)
def test_it_is_the_largest_difference_at_any_value(first, second):
    """Brute force over all values gives the same, in both directions."""
    if len(first) and len(second):
        expected = max(abs((first <= x).mean() - (second <= x).mean()) for x in range(7))
        assert ks_distance(first, second) == pytest.approx(expected)
    assert ks_distance(first, second) == ks_distance(second, first)
    assert ks_distance(first, first) == 0
