"""Two schedules of the same jobs, job by job."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.metrics import difference_edges, difference_histogram, start_differences

moves = st.lists(st.integers(-(10**7), 10**7) | st.just(0), min_size=1, max_size=40)


def test_who_starts_earlier_and_who_later():
    """Differences are second minus first; the largest are named first, equal ones in order."""
    found = start_differences(np.array([0.0, 10.0, 20.0, 30.0]), np.array([0.0, 5.0, 26.0, 25.0]))
    assert found.seconds.tolist() == [0, -5, 6, -5]
    assert (found.earlier, found.later, found.equal) == (2, 1, 1)
    assert found.largest(2).tolist() == [2, 1]
    assert found.largest(9).tolist() == [2, 1, 3]


def test_other_jobs_can_not_be_compared():
    """Schedules of unlike numbers of jobs are refused."""
    with pytest.raises(InputError, match="same jobs, got 2 and 3"):
        start_differences(np.zeros(2), np.zeros(3))


@given(moves)
def test_every_job_is_in_the_histogram(seconds):
    """Each job is in the bin whose edges are around it; schedules exchanged mirror it."""
    column = np.array(seconds, float)
    edges = difference_edges(np.abs(column).max())
    np.testing.assert_array_equal(edges, -edges[::-1])
    assert edges[-1] >= np.abs(column).max()
    found = difference_histogram(column, edges).jobs
    magnitude = edges[len(edges) // 2 :]
    inside = sum(abs(second) <= magnitude[0] for second in seconds)
    outside = [
        sum(low < sign * second <= high for second in seconds)
        for sign in (1, -1)
        for low, high in itertools.pairwise(magnitude)
    ]
    half = len(magnitude) - 1
    assert found.tolist() == [*outside[half:][::-1], inside, *outside[:half]]
    assert difference_histogram(-column, edges).jobs.tolist() == found[::-1].tolist()


def test_equal_schedules_have_one_full_bin():
    """Where no job moves there are three bins, and all jobs are in the middle one."""
    edges = difference_edges(0.0)
    assert difference_histogram(np.zeros(5), edges).jobs.tolist() == [0, 5, 0]
