"""Jobs and work of sets A and B by site."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.metrics import job_set_table
from echelon.model import Instance, Platform, Schedule, Workload

TABLE = Workload.from_columns(submit_time=[0, 0, 0, 0], run_time=[10, 20, 30, 40], processors=[1, 4, 2, 8])
GRID = Instance.of(TABLE, Platform.of_sizes([4, 8]))
LARGE = np.array([False, True, False, True])


def test_each_site_and_set():
    """Four jobs by hand: the small one of 10 s stays, the large one of 20 s is taken, one is homeless."""
    schedule = Schedule(GRID, np.zeros(4), site=np.array([0, 1, 1, 1]), home_site=np.array([0, 0, -1, 1]))
    table = job_set_table(schedule, LARGE)
    assert table["site"].to_list() == ["site-1", "site-1", "site-2", "site-2"]
    assert table["set"].to_list() == ["A", "B", "A", "B"]
    expected = {
        "home_jobs": [1, 1, 1, 0],
        "home_work": [80, 10, 320, 0],
        "home_work_per_processor": [20, 2.5, 40, 0],
        "home_load": [1, 0.25, 1, 0],
        "run_jobs": [0, 1, 2, 1],
        "run_work": [0, 10, 400, 60],
        "run_work_per_processor": [0, 2.5, 50, 7.5],
        "run_load": [0, 0.25, 1.5, 0.25],
        "taken_jobs": [0, 0, 1, 0],
        "taken_work": [0, 0, 80, 0],
    }
    assert {name: table[name].to_list() for name in expected} == expected


def test_refusals():
    """One machine has no sites, and each job is in a set."""
    schedule = Schedule(GRID, np.zeros(4), site=np.ones(4, dtype=np.int64))
    with pytest.raises(InputError, match="got 3 for 4 jobs"):
        job_set_table(schedule, LARGE[:3])
    with pytest.raises(InputError, match="on a grid"):
        job_set_table(Schedule(Instance.of(TABLE, 16), np.zeros(4)), LARGE)
