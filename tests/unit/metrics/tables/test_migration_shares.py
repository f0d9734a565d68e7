"""Migration over experiments: means and shares."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.metrics import mean_migration, migration, percent_taken, taken


def flows(*moves, sites=3):
    """Return the migration of jobs given as (home, site, work)."""
    home, site, work = (np.array(column) for column in zip(*moves, strict=True))
    return migration(home, site, area=work.astype(np.float64), sites=sites)


ONE = flows((0, 0, 1), (0, 1, 4), (0, 1, 2), (0, 2, 3), (1, 2, 7), (-1, 2, 9))
OTHER = flows((0, 1, 8), (1, 1, 5))


def test_what_was_taken():
    """The diagonal is nobody's taking; columns say who took, rows from whom."""
    assert taken(ONE.jobs).tolist() == [[0, 2, 1], [0, 0, 1], [0, 0, 0]]
    assert taken(ONE.area).sum(axis=0).tolist() == [0, 6, 10]


def test_percent_of_home():
    """Of four jobs of site 1 two ran at site 2; of its ten units of work six; site 3 had none."""
    assert percent_taken(ONE.jobs).tolist() == [[0, 50, 25], [0, 0, 100], [0, 0, 0]]
    assert percent_taken(ONE.area).tolist() == [[0, 60, 30], [0, 0, 100], [0, 0, 0]]


def test_means():
    """Means are over experiments, and their percentages are ratios of means, as in the published table."""
    mean = mean_migration([ONE, OTHER])
    assert mean.jobs.tolist() == [[0.5, 1.5, 0.5], [0, 0.5, 0.5], [0, 0, 0]]
    assert mean.area.tolist() == [[0.5, 7, 1.5], [0, 2.5, 3.5], [0, 0, 0]]
    assert percent_taken(mean.jobs).tolist() == [[0, 60, 20], [0, 0, 50], [0, 0, 0]]


def test_refusals():
    """There must be an experiment, and all on one platform."""
    with pytest.raises(InputError, match=r"got some of \[\] sites"):
        mean_migration([])
    with pytest.raises(InputError, match=r"got some of \[2, 3\] sites"):
        mean_migration([ONE, flows((0, 1, 1), sites=2)])
