"""Jobs by size."""

from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from echelon.metrics import jobs_per_power_of_two, jobs_per_size


def test_each_size_that_occurs():
    """Sizes come in ascending order with their jobs and shares."""
    found = jobs_per_size(np.array([4, 1, 4, 4]))
    assert (found.labels, found.jobs.tolist(), found.share.tolist()) == (["1", "4"], [1, 3], [0.25, 0.75])


def test_powers_of_two_stand_apart():
    """Sizes 5 to 7 are not mixed with 8, and classes without jobs are there."""
    found = jobs_per_power_of_two(np.array([1, 2, 5, 7, 8, 12]))
    assert found.labels == ["1", "2", "3", "4", "5 to 7", "8", "9 to 15"]
    assert found.jobs.tolist() == [1, 1, 0, 0, 2, 1, 1]


@given(st.lists(st.integers(1, 5000), max_size=40))
def test_classes_hold_just_their_sizes(sizes):
    """Every job is in the one class whose ends it is between; the last class has a job."""
    found = jobs_per_power_of_two(np.array(sizes, dtype=np.int64))
    ends = zip(found.lowest.tolist(), found.highest.tolist(), strict=True)
    assert found.jobs.tolist() == [sum(low <= size <= high for size in sizes) for low, high in ends]
    assert found.jobs.sum() == len(sizes)
    assert found.lowest[1:].tolist() == (found.highest[:-1] + 1).tolist()


def test_no_jobs_no_sizes():
    """Without jobs there is no class and no share."""
    none = np.zeros(0, dtype=np.int64)
    assert jobs_per_power_of_two(none).labels == jobs_per_size(none).share.tolist() == []
