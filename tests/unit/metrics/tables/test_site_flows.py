"""Where jobs came from and where they ran, in one run and over several."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.metrics import mean_migration, migration, site_load, site_means, transfer_percentages, transfers
from echelon.model import Platform

THREE = Platform.of_sizes([2, 4, 8])


def test_means_by_hand():
    """Two jobs at the first site, one at the last, none between: no mean there."""
    site, wait = np.array([0, 2, 0]), np.array([10.0, 5.0, 30.0])
    found = site_means(site, wait, wait / 10, area=np.array([1.0, 2.0, 4.0]), sites=3)
    assert found.jobs.tolist() == [2, 0, 1]
    assert found.area.tolist() == [5.0, 0.0, 2.0]
    np.testing.assert_array_equal(found.mean_wait, [20.0, np.nan, 5.0])
    np.testing.assert_array_equal(found.mean_bounded_slowdown, [2.0, np.nan, 0.5])


def test_migration_by_hand():
    """One job stays, two move from 0 to 2, one of no known home counts nowhere."""
    home, site = np.array([0, 0, 1, -1]), np.array([2, 2, 1, 0])
    found = migration(home, site, area=np.array([1.0, 2.0, 4.0, 8.0]), sites=3)
    assert found.jobs.tolist() == [[0, 0, 2], [0, 1, 0], [0, 0, 0]]
    assert found.area.tolist() == [[0.0, 0.0, 3.0], [0.0, 4.0, 0.0], [0.0, 0.0, 0.0]]
    assert (found.unknown, found.moved_jobs, found.moved_area) == (1, 2, 3.0)


def test_load_by_hand():
    """A job on 1 of 2 processors from 5 to 15 s is a quarter of each of the first two spans of 10 s."""
    one = np.array([0]), np.array([5.0]), np.array([15.0]), np.array([1])
    edges = np.array([0.0, 10.0, 20.0, 30.0])
    load = site_load(*one, platform=THREE, edges=edges)
    np.testing.assert_allclose(load, [[0.25, 0.25, 0.0], [0.0] * 3, [0.0] * 3])
    assert not site_load(*(column[:0] for column in one), platform=THREE, edges=edges).any()


rows = st.lists(
    st.tuples(st.integers(0, 2), st.integers(0, 90), st.integers(0, 60), st.integers(1, 8)), max_size=30
)


@given(rows, st.integers(1, 12))
def test_load_holds_all_work(rows, parts):
    """Over time that holds every job, the load of a site times its processors is its jobs' work."""
    site, start, length, size = np.array(rows, dtype=np.int64).reshape(-1, 4).T
    edges = np.linspace(0.0, 150.0, parts + 1)
    load = site_load(site, start * 1.0, (start + length) * 1.0, size, platform=THREE, edges=edges)
    held = (load * np.diff(edges)).sum(axis=1) * THREE.sizes
    np.testing.assert_allclose(held, np.bincount(site, weights=length * size, minlength=3), atol=1e-6)


def flows(*moves, sites=3):
    """Return the migration of jobs given as (home, site, work)."""
    home, site, work = (np.array(column) for column in zip(*moves, strict=True))
    return migration(home, site, area=work.astype(np.float64), sites=sites)


ONE = flows((0, 0, 1), (0, 1, 4), (0, 1, 2), (0, 2, 3), (1, 2, 7), (-1, 2, 9))
OTHER = flows((0, 1, 8), (1, 1, 5))


def test_what_was_taken():
    """The diagonal is nobody's taking; columns say who took, rows from whom."""
    assert transfers(ONE.jobs).tolist() == [[0, 2, 1], [0, 0, 1], [0, 0, 0]]
    assert transfers(ONE.area).sum(axis=0).tolist() == [0, 6, 10]


def test_percent_of_home():
    """Of four jobs of site 1 two ran at site 2; of its ten units of work six; site 3 had none."""
    assert transfer_percentages(ONE.jobs).tolist() == [[0, 50, 25], [0, 0, 100], [0, 0, 0]]
    assert transfer_percentages(ONE.area).tolist() == [[0, 60, 30], [0, 0, 100], [0, 0, 0]]


def test_means():
    """Means are over experiments, and their percentages are ratios of means, as in the published table."""
    mean = mean_migration([ONE, OTHER])
    assert mean.jobs.tolist() == [[0.5, 1.5, 0.5], [0, 0.5, 0.5], [0, 0, 0]]
    assert mean.area.tolist() == [[0.5, 7, 1.5], [0, 2.5, 3.5], [0, 0, 0]]
    assert transfer_percentages(mean.jobs).tolist() == [[0, 60, 20], [0, 0, 50], [0, 0, 0]]


def test_refusals():
    """There must be an experiment, and all on one platform."""
    with pytest.raises(InputError, match=r"got some of \[\] sites"):
        mean_migration([])
    with pytest.raises(InputError, match=r"got some of \[2, 3\] sites"):
        mean_migration([ONE, flows((0, 1, 1), sites=2)])
