"""Result: the tables of one run."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon import METRICS, simulate
from echelon.experiments.tables.columns import (
    COLUMNS,
    HOLDING_COLUMNS,
    NODE_COLUMNS,
    POWER_COLUMNS,
    SEGMENT_COLUMNS,
)
from echelon.metrics import (
    AVAILABILITY_METRICS,
    DEPENDENCY_METRICS,
    IMMEDIATE_METRICS,
    INSIDE_METRICS,
    MULTICLUSTER_METRICS,
)


def test_jobs_has_the_columns_listed(four_jobs):
    """The table and the list of its columns agree, with and without kills and preemptions."""
    plain = [column.name for column in COLUMNS if not column.only]
    assert simulate(four_jobs).jobs.columns == plain
    killing = simulate(four_jobs, policy="srtf:switch=1", estimates="kill", estimator="average")
    assert killing.jobs.columns == [
        column.name
        for column in COLUMNS
        if column.name not in ("home_site", "queue")
        and not any(
            word in column.only
            for word in (
                "cluster",
                "nodes",
                "waited for others",
                "time-shared",
                "replicated",
                "accounting",
                "partitions",
                "several",
                "that change",
            )
        )
    ]
    assert killing.segments.columns == [column.name for column in SEGMENT_COLUMNS]


def test_jobs_row_by_row(four_jobs):
    """Every value of a backfilled job by hand."""
    row = simulate(four_jobs, policy="easy").jobs.row(2, named=True)
    assert row == {
        "job_id": 3,
        "submit_time": 2,
        "start_time": 2,
        "end_time": 52,
        "run_time": 50,
        "requested_time": 50,
        "processors": 1,
        "wait_time": 0,
        "turnaround_time": 50,
        "bounded_slowdown": 1,
        "site": "cluster",
        "status": "completed",
        "user": "1",
    }


def test_a_killed_job(four_jobs):
    """With kill, the job that ran past its request ends there, with status and time of the kill."""
    jobs = simulate(four_jobs, policy="fcfs", estimates="kill").jobs
    assert jobs["status"].to_list() == ["completed", "killed", "completed"]
    assert jobs["killed_at"].to_list() == [None, 160, None]
    assert jobs["end_time"].to_list()[1] == 160


def test_metrics_are_all_of_them(four_jobs):
    """Metrics come in the order of the registry; those of other kinds of runs are left out."""
    result = simulate(four_jobs, policy="easy")
    elsewhere = (*DEPENDENCY_METRICS, *IMMEDIATE_METRICS, *INSIDE_METRICS, *MULTICLUSTER_METRICS)
    elsewhere += AVAILABILITY_METRICS
    left_out = {metric.name for metric in elsewhere}
    plain = [metric.name for metric in METRICS if metric.name not in left_out]
    assert list(result.metrics) == plain
    assert result.metrics["mean_wait"] == 33
    assert repr(result) == "Result('easy', 3 jobs, mean wait 33.00 s)"


def test_queues_of_logs_that_know_them(four_jobs):
    """Their names, or codes where they have none, are a column after all others; elsewhere there is none."""
    assert "queue" not in simulate(four_jobs).jobs.columns
    workload = replace(four_jobs.with_columns(queue=[1, 2, -1, 3]), names={"queue": ("short", "long")})
    jobs = simulate(workload).jobs
    assert jobs.columns[-1] == "queue"
    assert set(jobs["queue"].to_list()) <= {"short", "long", None, "3"}
    assert jobs["queue"].n_unique() > 1


def test_traces(four_jobs):
    """One metric as the run proceeded, or all as a table; the last row is the metrics of the run."""
    result = simulate(four_jobs, processors=4)
    waits = result.trace("mean_wait")
    assert waits.value[-1] == result.metrics["mean_wait"]
    table = result.traces()
    assert table["time"].to_list() == waits.time.tolist()
    last = table.row(-1, named=True)
    assert {name: result.metrics[name] for name in last if name != "time"} == pytest.approx(
        {name: value for name, value in last.items() if name != "time"}
    )
    assert result.traces(times=[]).height == 0


def test_tables_inside_a_cluster(powered_cluster):
    """A run on nodes has the columns listed: of jobs, of what they held, and of the nodes."""
    here = [column for column in COLUMNS if not column.only or "on nodes" in column.only]
    inside = [column.name for column in here if "topology" not in column.only]
    assert powered_cluster.jobs.columns == inside
    assert powered_cluster.holdings.columns == [column.name for column in HOLDING_COLUMNS]
    assert powered_cluster.nodes.columns == [column.name for column in NODE_COLUMNS]
    assert powered_cluster.power.columns == [column.name for column in POWER_COLUMNS]


def test_energy_inside_a_cluster(powered_cluster):
    """Nodes add up to the run's energy, jobs and idle parts too; power is what was drawn at each time."""
    assert powered_cluster.metrics["energy"] == powered_cluster.nodes["energy"].sum() == 2594
    assert powered_cluster.nodes["energy"].to_list() == [1010, 1584]
    told = powered_cluster.jobs["energy"].sum() + powered_cluster.metrics["idle_energy"]
    assert told == pytest.approx(2594)
    assert powered_cluster.power.rows() == [
        (0, 150, 0), (5, 140, 0), (6, 130, 0), (10, 32, 32), (12, 60, 60), (14, 125, 30), (22, 125, 30),
    ]  # fmt: skip
