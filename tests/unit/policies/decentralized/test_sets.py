"""The sets A, B and H of stealing."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.policies.decentralized.sets import JobSets

GRID_1 = (100, 128, 240, 430, 1024, 1152, 1368)

SETS_OF_GRID_1 = {
    "A": ((51, 100), (101, 128), (129, 240), (241, 430), (513, 1024), (1025, 1152), (1153, 1368)),
    "B": ((1, 50), None, None, None, (431, 512), None, None),
    "H": (None, (65, 100), (121, 128), (216, 240), None, (577, 1024), (685, 1152)),
}
"""First and last size of each set at 50 %, None where it is empty."""


def bounds(interval):
    """Return the first and the last size of an interval, None if it is empty."""
    return (interval[0], interval[-1]) if interval else None


@pytest.mark.parametrize("name", "ABH")
def test_sets_of_grid_1(name):
    """At 50 % the seven sites of grid 1 have the sets worked out by hand from the equations."""
    sets = JobSets(GRID_1)
    found = tuple(bounds(sets.interval(name, site)) for site in range(len(GRID_1)))
    assert found == SETS_OF_GRID_1[name]


def test_sites_of_equal_size():
    """Of four sites of 64 the first alone has A and B; the others may help it with its A."""
    sets = JobSets((64, 64, 64, 64, 100))
    assert bounds(sets.interval("A", 0)) == (33, 64)
    assert bounds(sets.interval("B", 0)) == (1, 32)
    for site in (1, 2, 3):
        found = [bounds(sets.interval(name, site)) for name in "ABH"]
        assert found == [None, None, (33, 64)]


grids = st.lists(st.integers(1, 60), min_size=1, max_size=6).map(lambda sizes: tuple(sorted(sizes)))
thresholds = st.one_of(st.sampled_from((0.0, 25.0, 50.0, 75.0, 100.0)), st.floats(0, 100))


@given(grids, thresholds, st.sampled_from("AB"))
def test_every_size_is_in_one_set(sizes, threshold, at_threshold):
    """Each size is in exactly one A or B, its home's; B and H never both hold one; H holds others' A."""
    sets = JobSets(sizes, threshold, at_threshold)
    column = np.arange(1, sizes[-1] + 1)
    homes, in_a = sets.home(column), sets.in_a(column)
    for size, home, large in zip(column.tolist(), homes.tolist(), in_a.tolist(), strict=True):
        own = [
            (name, site) for name in "AB" for site in range(len(sizes)) if size in sets.interval(name, site)
        ]
        assert own == [("A" if large else "B", home)]
    for site in range(len(sizes)):
        helped = sets.interval("H", site)
        assert not (sets.interval("B", site) and helped)
        for size in helped:
            assert homes[size - 1] < site
            assert in_a[size - 1]


@given(grids, st.sampled_from("AB"))
def test_the_ends_of_the_scale(sizes, at_threshold):
    """A threshold of 0 puts every job into an A, one of 100 into a B, but whole sites if they count as A."""
    column = np.arange(1, sizes[-1] + 1)
    assert JobSets(sizes, 0.0, at_threshold).in_a(column).all()
    of_whole_sites = np.isin(column, sizes) if at_threshold == "A" else np.zeros(len(column), dtype=bool)
    assert (JobSets(sizes, 100.0, at_threshold).in_a(column) == of_whole_sites).all()


@pytest.mark.parametrize(("at_threshold", "in_a"), [("B", False), ("A", True)])
def test_a_job_of_exactly_the_threshold(at_threshold, in_a):
    """Half of the site is in B by the equations, in A by the sentence beside them."""
    assert JobSets((100,), 50.0, at_threshold).in_a(np.array([50])).tolist() == [in_a]
    assert JobSets((100,), 50.0, at_threshold).in_a(np.array([49, 51])).tolist() == [False, True]
