"""The load of the grid study: what its printed ratios imply, and what readings of its text offer."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.model import Header, Platform, Site, Workload
from echelon.reproduce.grid.data import METRICS, NINE
from echelon.reproduce.grid.load import implied_jobs, implied_shares, mean_run, offered_loads, wait_shares
from echelon.reproduce.grid.two_levels import TwoLevels
from echelon.workloads import GridRecipe, SiteLog
from echelon.workloads.grid import GridWorkload

DAY = 86_400.0


def values_of(waits, run):
    """Return two weeks in which strategies wait so long, jobs of one size that run for `run` seconds."""
    values = np.ones((len(METRICS), 2, len(NINE)))
    for wait, turnaround in (("t_w", "TA"), ("WWT_s", "WTA")):
        values[METRICS.index(wait)] = waits
        values[METRICS.index(turnaround)] = np.asarray(waits) + run
    return TwoLevels(values, values)


def test_printed_ratios_imply_the_share_of_the_wait():
    """Degradations in TA and t_w stand as 2,644 to 71,413 on Grid 1, and nearly as 1 to 1 on Grid 3."""
    assert implied_shares("Grid 1") == pytest.approx((3.702, 26.50), abs=0.01)
    assert implied_shares("Grid 2").jobs == pytest.approx(1.915, abs=0.01)
    assert implied_shares("Grid 3").jobs == pytest.approx(99.2, abs=0.1)


def test_shares_of_values_are_those_that_their_degradations_imply():
    """Of waits of 100 to 900 s and runs of 300 s the best wait is a quarter of the best turnaround."""
    found = values_of([100.0 * place for place in range(1, 10)], 300.0)
    assert wait_shares(found) == pytest.approx((25.0, 25.0))
    assert mean_run(found) == pytest.approx(300.0)
    percent = found.percent()
    whole, wait = (percent[METRICS.index(symbol)].sum() for symbol in ("TA", "t_w"))
    assert 100 * whole / wait == pytest.approx(25.0)


def test_tables_8_and_9_imply_jobs():
    """5,437 jobs are 84.5 % of those of site 1 of Grid 1; from site 7 none is taken."""
    jobs = implied_jobs("a")
    assert jobs[0] == pytest.approx(100 * (762 + 967 + 648 + 821 + 1229 + 1010) / 84.5)
    assert np.isnan(jobs[-1])


def test_offered_load_of_each_reading():
    """On 4 + 16 processors and one day, each reading counts the work of its own jobs, sizes and times."""
    recipe = GridRecipe("two", (SiteLog("a", "SMALL", 4), SiteLog("b", "SDSC-BLUE", 16)), days="mon", weeks=1)
    jobs = Workload.from_columns(
        header=Header(),
        submit_time=[0, 10, 20, 30],
        run_time=[8640, 8640, 4320, 8640],
        allocated_processors=[4, 16, 2, 32],
        requested_processors=[2, 16, -1, 32],
        requested_time=[4320, 8640, 8640, 8640],
        average_cpu_time=[8640, 4320, -1, 10],
        status=[1, 5, 1, 1],
        user=[1, 1, 1, 1],
        partition=[1, 2, 1, 2],
    )
    platform = Platform((Site("SMALL", 4), Site("SDSC-BLUE", 16)), "two")
    found = {one.reading: one for one in offered_loads(GridWorkload(recipe, jobs, (), platform), {})}
    unit = 8640 / (20 * DAY)
    assert found["by default"].load == pytest.approx(21 * unit)
    assert found["by default"].by_log == pytest.approx([5 * unit, 16 * unit])
    assert found["by default"].by_site.tolist() == [2, 1]
    expected = {
        "its filters word for word": 20,
        "without jobs that failed or were canceled": 5,
        "requested processors": 19,
        "nodes for SDSC-BLUE and SDSC-DS": 5 + 2 + 4,
        "jobs are killed at their request": 19,
        "CPU times for run times": 13,
        "run times x 0.5": 10.5,
    }
    for reading, work in expected.items():
        assert found[reading].load == pytest.approx(work * unit), reading
