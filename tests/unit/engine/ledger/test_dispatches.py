"""Dispatches: what attempts of jobs that were suspended before they ended early count as."""

from __future__ import annotations

import pytest

import echelon as ec

_JOBS = {"submit_time": [0, 10], "run_time": [100, 20], "processors": [2, 2]}
"""The second preempts the first, which then has 20 more seconds to its end at 50."""


@pytest.mark.parametrize(
    ("given", "cancel", "work"),
    [
        ({"outages": [{"node": 1, "down": 50, "up": 60}], "on_failure": "kill"}, -1, [0, 0]),
        ({"maintenance": "50/10/announced=49"}, -1, [0, 0]),
        ({}, 50, [10, 20]),
    ],
    ids=["failed", "evicted", "canceled"],
)
def test_the_time_before_a_preemption_counts_as_that_before_the_end(given, cancel, work):
    """All that a canceled job held is its user's; of one that the machine ended nothing lasts."""
    jobs = ec.Workload.from_columns(**_JOBS, cancel_time=[cancel, -1])
    run = ec.simulate(jobs, processors=2, policy="srtf", **given)
    attempts, metrics = run.schedule.attempts, run.metrics
    assert attempts.work[attempts.job == 0].tolist() == work
    assert metrics["goodput"] == pytest.approx(metrics["utilization"] * (1 - metrics.get("waste_share", 0)))
