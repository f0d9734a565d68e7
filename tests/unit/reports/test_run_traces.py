"""Metrics as a run proceeds, from its tables, are those of its schedule."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import echelon
from echelon.experiments import manifest
from echelon.reports import RunTables
from echelon.reports.run_traces import SHOWN, run_traces, trace_times
from echelon.testing import crowd, grid_crowd


@pytest.mark.parametrize("policy", ["fcfs", "easy", "round-robin:quantum=5"])
def test_as_of_the_schedule(policy):
    """At every end, with and without preemption, the tables give what the schedule gives."""
    result = echelon.simulate(crowd(4).workload, processors=16, policy=policy)
    check(result)


def test_as_of_the_schedule_of_a_grid():
    """On several sites, too."""
    grid = grid_crowd(2)
    check(echelon.simulate(grid.workload, platform=grid.platform, broker="mct", policy="easy"))


def check(result):
    tables = RunTables(result.jobs, result.metrics, manifest(result), result.segments)
    times = trace_times([tables], 1000)
    assert np.array_equal(times, np.unique(result.schedule.end_time))
    found = run_traces(tables, times)
    expected = result.traces(times=times)
    assert tuple(found) == SHOWN
    for name in SHOWN:
        assert found[name].value == pytest.approx(expected[name].to_numpy(), rel=1e-12, nan_ok=True), name


def test_few_times_of_many_ends(make_run):
    """Of more ends than wanted, times lie evenly from the first to the last of all runs."""
    run = make_run()
    assert trace_times([run], 2).tolist() == [300, 600]
    assert trace_times([run, run], 3).tolist() == [300, 600]
    later = RunTables(run.jobs.with_columns(end_time=pl.Series([320.0, 900.0, 330.0])), {}, {})
    assert trace_times([run, later], 4).tolist() == [300, 500, 700, 900]


def test_what_has_no_value(three_jobs):
    """Jobs that end at second 0 have a lower bound of 0, and so no ratio; nothing is warned of."""
    none = dict.fromkeys(("submit_time", "start_time", "end_time", "run_time"), pl.Series([0.0] * 3))
    run = RunTables(three_jobs.with_columns(**none), {}, {})
    found = run_traces(run, np.array([-1.0, 0.0]))
    assert np.isnan(found["competitive_ratio"].value).all()
    assert np.isnan(found["utilization"].value).all()
    assert np.array_equal(found["mean_wait"].value, [np.nan, 0], equal_nan=True)
