"""Processor numbers of schedules worked by hand."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model import Platform, Site
from echelon.model.schedules.allocation import (
    Allocation,
    assign_at_sites,
    assign_by_definition,
    assign_processors,
    first_processors,
)

RULES = (assign_processors, assign_by_definition)


@pytest.mark.parametrize("assign", RULES)
def test_a_job_takes_the_lowest_free_processors(assign):
    """A job fills the hole an ended one left and goes on above its neighbor.

    ::

        4 . . . . . .
        3 . . c c d d
        2 b b b b b b
        1 a a c c d d
        0 a a c c d d
        t 0 1 2 3 4 5
    """
    start, end, size = [0, 0, 2, 4], [2, 6, 4, 6], [2, 1, 3, 3]
    allocation = assign(start, end, size, 5)
    assert [allocation.label(i) for i in range(4)] == ["0-1", "2", "0-1 3", "0-1 3"]


@pytest.mark.parametrize("assign", RULES)
def test_ends_free_before_starts_of_the_same_instant(assign):
    """A full machine hands all its processors over at one instant."""
    allocation = assign([0, 10], [10, 20], [4, 4], 4)
    assert [allocation.label(i) for i in range(2)] == ["0-3", "0-3"]


@pytest.mark.parametrize("assign", RULES)
def test_equal_starts_take_processors_in_the_order_given(assign):
    """The earlier position gets the lower numbers, wherever it stands in time order."""
    allocation = assign([5, 0, 5], [9, 9, 9], [1, 1, 2], 4)
    assert [allocation.label(i) for i in range(3)] == ["1", "0", "2-3"]


@pytest.mark.parametrize("assign", RULES)
def test_a_job_of_no_length_holds_processors_only_at_its_instant(assign):
    """A job with end = start gets numbers, and the next one at that instant gets the same."""
    allocation = assign([3, 3], [3, 4], [2, 2], 2)
    assert [allocation.label(i) for i in range(2)] == ["0-1", "0-1"]


@pytest.mark.parametrize("assign", RULES)
def test_more_than_the_machine_is_an_error(assign):
    """A schedule that overfills the machine names the job, the time and the processors left."""
    with pytest.raises(InputError, match=r"position 1 needs 3 processors at t = 1 s, but 2 of 4 are free"):
        assign([0, 1], [2, 3], [2, 3], 4)


@pytest.mark.parametrize(
    ("start", "end", "size", "sentence"),
    [
        ([0], [-1], [1], "end: expected a finite time not before the start at position 0, got -1.0"),
        ([np.nan], [1], [1], "start: expected a finite time at position 0, got nan"),
        ([0], [1], [0], "size: expected at least 1 processor at position 0, got 0"),
        ([0, 1], [1], [1], "must be equally long, got 2, 1, 1"),
    ],
)
def test_bad_columns_are_named(start, end, size, sentence):
    """Columns that are no schedule are refused with field, position and value."""
    with pytest.raises(InputError, match=sentence):
        assign_processors(start, end, size, 4)


def test_no_jobs_no_intervals():
    """An empty schedule has an empty allocation."""
    allocation = assign_processors([], [], [], 4)
    assert (len(allocation), len(allocation.first)) == (0, 0)


def test_an_allocation_does_not_change():
    """Its columns are read-only, and it compares by content."""
    allocation = assign_processors([0], [1], [3], 4)
    assert not allocation.first.flags.writeable
    assert allocation == Allocation(np.array([0, 1]), np.array([0]), np.array([2]))
    assert allocation != Allocation(np.array([0, 1]), np.array([0]), np.array([3]))
    assert allocation.processors(0).tolist() == [0, 1, 2]


def test_the_log_of_intervals_grows():
    """Jobs scattered over 32 single processors each, far more intervals than jobs, are all kept."""
    start = [0.0] * 64 + [float(t) for t in range(5, 25)]
    end = [1.0 if i % 2 else 99.0 for i in range(64)] + [t + 1.0 for t in range(5, 25)]
    size = [1] * 64 + [32] * 20
    fast, plain = (assign(start, end, size, 64) for assign in RULES)
    assert fast == plain
    assert len(fast.first) == 64 + 32 * 20
    assert fast.label(83) == " ".join(str(i) for i in range(1, 64, 2))


TWO = Platform((Site("large", 4), Site("small", 2)))


def test_sites_are_counted_through():
    """The first site has 0 to 3, the small one after it 4 and 5; each fills its lowest processors."""
    assert first_processors(TWO).tolist() == [0, 4]
    site = np.array([0, 1, 0, 1])
    found = assign_at_sites([0, 0, 0, 5], [9, 5, 9, 9], [3, 2, 1, 1], site=site, platform=TWO)
    assert [found.label(job) for job in range(4)] == ["0-2", "4-5", "3", "4"]


def test_no_job():
    """Without jobs there is no interval."""
    assert len(assign_at_sites([], [], [], site=np.zeros(0, np.int64), platform=TWO)) == 0


def test_a_site_that_is_full_is_named():
    """More processors than a site has are an error that says which site."""
    with pytest.raises(InputError, match=r"site 'small', the job at position 1 needs 2 .* 0 of 2 are free"):
        assign_at_sites([0, 0, 1], [9, 9, 9], [4, 2, 2], site=np.array([0, 1, 1]), platform=TWO)


jobs = st.tuples(st.integers(0, 12), st.integers(0, 8), st.integers(1, 4), st.integers(0, 2))


@given(st.lists(jobs, max_size=40))
def test_each_site_is_a_machine(rows):
    """Jobs of a site hold those they would hold if the site were alone, above the other sites."""
    start, length, size, site = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    platform = Platform.of_sizes([200, 200, 200])
    found = assign_at_sites(start, start + length, size, site=site, platform=platform)
    for place in range(3):
        there = np.flatnonzero(site == place)
        alone = assign_processors(start[there], (start + length)[there], size[there], 200)
        for position, job in enumerate(there.tolist()):
            assert found.processors(job).tolist() == (alone.processors(position) + 200 * place).tolist()
