"""Processor numbers on a grid, by hand and against each site alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model import Platform, Site
from echelon.model.schedules.allocation import assign_processors
from echelon.model.schedules.grid_allocation import assign_at_sites, first_processors

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
