"""Metrics on time-shared machines: what holds where more jobs run than there are processors."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.metrics import measure, per_site, trace
from echelon.metrics.columns.shared_machines import (
    Copies,
    copies_of,
    mean_processes,
    rows_per_core,
    working_cores,
)
from echelon.model import Attempts, EndReason, Instance, Platform, Schedule, Site, TimeSharedMachine

FAST = Site("fast", TimeSharedMachine(1))
SLOW = Site("slow", TimeSharedMachine(2, 0.5))
DESKS = Platform((FAST, SLOW), "desks")


@pytest.fixture
def shared() -> Schedule:
    """Two jobs of 60 s share the fast core from 0 to 120; one of 30 s has a slow core from 0 to 60."""
    jobs = ec.Workload.from_columns(submit_time=[0, 0, 0], run_time=[60, 60, 30], processors=[1, 1, 1])
    instance = Instance.of(jobs, DESKS)
    return _schedule(instance, end=[120, 120, 60], site=[0, 0, 1], cpu_time=[60, 60, 60])


def _schedule(instance, *, end, site, cpu_time, attempts=None) -> Schedule:
    ends = np.array(end, dtype=np.float64)
    ran = replace(instance, run_time=ends)
    return Schedule(
        ran,
        np.zeros(len(end)),
        site=np.array(site),
        end=ends,
        cpu_time=np.array(cpu_time, dtype=np.float64),
        recorded=attempts,
    )


def test_work_is_counted_by_speed(shared):
    """150 s of work in 120 s by processors that do as much as two of speed 1."""
    found = measure(shared)
    assert found["utilization"] == pytest.approx(150 / (2 * 120))
    assert found["grid_utilization"] == found["utilization"]
    assert found["lower_bound"] == 75
    assert found["competitive_ratio"] == 120 / 75
    assert (found["mean_execution"], found["max_execution"]) == (100, 120)
    assert found["std_execution"] == pytest.approx(np.std([120, 120, 60]))
    assert found["mean_execution_slowdown"] == 2
    assert found["max_processes_per_core"] == 2
    assert "replicated_share" not in found


def test_no_job_ends_before_the_fastest_machine_would(shared):
    """The lower bound of a long job is its time on the fastest machine."""
    instance = shared.instance
    late = np.array([0.0, 0.0, 100.0])
    late.flags.writeable = False
    moved = replace(shared, instance=replace(instance, submit_time=late), start_time=late.copy())
    assert measure(replace(moved, end=np.array([120.0, 120.0, 160.0])))["lower_bound"] == 130


def test_traces_end_at_the_metric(shared):
    """Utilization as the run proceeds is of working cores by speed, and ends at the whole run's."""
    seen = trace(shared, "utilization", times=[60, 120])
    assert seen.value.tolist() == pytest.approx([90 / (2 * 60), 150 / (2 * 120)])
    assert trace(shared, "competitive_ratio").value[-1] == measure(shared)["competitive_ratio"]


def test_sites_are_used_up_to_their_processors(shared):
    """Area is the processors that jobs had, however many shared them."""
    rows = per_site(shared).rows_by_key("site", named=True, unique=True)
    assert rows["fast"]["area"] == 120
    assert rows["fast"]["utilization"] == 1
    assert rows["slow"]["utilization"] == pytest.approx(60 / (2 * 120))
    assert (rows["fast"]["speed"], rows["slow"]["speed"]) == (1, 0.5)
    assert (rows["fast"]["mean_execution"], rows["slow"]["mean_execution"]) == (120, 60)
    assert (rows["fast"]["mean_processes"], rows["fast"]["max_processes"]) == (2, 2)
    assert rows["slow"]["canceled_copies"] == 0


def test_copies_that_were_thrown_away(shared):
    """Canceled copies are work for nothing; they take cores, and their sites tell of them."""
    completed, canceled = EndReason.COMPLETED, EndReason.CANCELED
    attempts = Attempts(
        3,
        np.array([0, 0, 1, 2]),
        np.array([0, 1, 0, 1]),
        np.zeros(4),
        np.array([120.0, 120.0, 120.0, 60.0]),
        np.array([completed, canceled, completed, completed], dtype=np.int8),
        copies=True,
        cpu_time=np.array([60.0, 120.0, 60.0, 60.0]),
    )
    ran = _schedule(
        shared.instance, end=[120, 120, 60], site=[0, 0, 1], cpu_time=[60, 60, 60], attempts=attempts
    )
    assert measure(ran)["replicated_share"] == pytest.approx(60 / (60 + 60 + 60 + 30))
    assert per_site(ran)["canceled_copies"].to_list() == [0, 1]
    assert len(copies_of(ran).job) == 4
    assert working_cores(copies_of(ran), DESKS).value.max() == 3


def test_a_site_that_never_ran_a_job():
    """It has no mean, and needs no rows."""
    one = Copies(np.array([0]), np.array([0]), np.array([1.0]), np.array([4.0]), np.array([1]))
    mean, most = mean_processes(one, 2)
    assert (mean[0], most.tolist()) == (1, [1, 0])
    assert np.isnan(mean[1])
    assert rows_per_core(one, DESKS) == 1
    five = Copies(np.arange(5), np.full(5, 1), np.zeros(5), np.ones(5), np.ones(5, dtype=np.int64))
    assert rows_per_core(five, DESKS) == 3
    assert working_cores(five, DESKS, weighted=True).value.tolist() == [1.0, 0.0]


@pytest.mark.parametrize("broker", ["random", "mct", "wall-time", "cpu-load"])
def test_runs_are_measured_alike(broker):
    """Of real runs the work is what the log says, cores suffice, and tables agree with metrics."""
    result = ec.simulate("sinapad:interval=5:jobs=30", platform="sinapad-rab", broker=broker, seed=3)
    jobs, metrics = result.jobs, result.metrics
    speed = {site.name: site.resource.speed for site in result.platform.sites}
    work = sum(row["cpu_time"] * speed[row["site"]] for row in jobs.iter_rows(named=True))
    assert work == pytest.approx(jobs["dedicated_time"].sum())
    assert metrics["utilization"] == pytest.approx(work / (4.125 * metrics["makespan"]))
    assert result.trace("utilization").value[-1] == pytest.approx(metrics["utilization"])
    assert (result.sites["utilization"] <= 1 + 1e-9).all()
    assert metrics["competitive_ratio"] >= 1
    assert metrics["mean_execution"] == pytest.approx((jobs["end_time"] - jobs["start_time"]).mean())
