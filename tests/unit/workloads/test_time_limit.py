"""A time limit for all jobs: requests and run times cut to it, or jobs left out."""

from __future__ import annotations

import numpy as np
import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.experiments import manifest
from echelon.model import Workload
from echelon.workloads import transform

LOG = Workload.from_columns(
    submit_time=[0, 1, 2, 3, 4, 5],
    run_time=[50, 150, 90, 300, 300, -1],
    requested_time=[60, 200, 200, 80, -1, 500],
    average_cpu_time=[40, 140, -1, 250, 10, -1],
    processors=[1, 1, 1, 1, 1, 1],
)
"""Within 100 s; beyond it; only its request is; it overran a request within; no request; never ran."""


def test_longer_requests_and_run_times_are_cut():
    """Both end at the limit, as the job is killed there; unknown times stay unknown."""
    limited = transform.limit_time(LOG, 100)
    assert limited.run_time.tolist() == [50, 100, 90, 100, 100, -1]
    assert limited.requested_time.tolist() == [60, 100, 100, 80, -1, 100]
    assert limited.float_column("average_cpu_time").tolist() == [40, 100, -1, 100, 10, -1]
    assert transform.time_limit_of(limited) == (100, "cut", "3 requests and 3 run times cut to it")


def test_jobs_that_ask_for_more_can_be_left_out():
    """With drop they are; a job that overran a request within the limit is cut."""
    left = transform.limit_time(LOG, 100, "drop")
    assert left.job_id.tolist() == [1, 4]
    assert left.run_time.tolist() == [50, 100]
    assert transform.time_limit_of(left).done == "4 jobs left out, 0 requests and 1 run time cut to it"


def test_a_limit_beyond_all_jobs_changes_none():
    """Only the record tells of it; without a limit there is no record."""
    assert transform.limit_time(LOG, 1000) == LOG
    assert transform.time_limit_of(LOG) is None


@pytest.mark.parametrize("limit", [0, -1, float("nan"), float("inf")])
def test_a_limit_that_is_none_is_refused(limit):
    """It must be above 0 and finite."""
    with pytest.raises(InputError, match="finite time > 0"):
        transform.limit_time(LOG, limit)


def test_what_cannot_be_done_is_said():
    """An unknown treatment, a treatment without a limit, and run times that follow from tasks."""
    with pytest.raises(UnknownNameError, match="known are: cut, drop"):
        transform.limit_time(LOG, 100, "kill")
    with pytest.raises(InputError, match="longer-jobs: applies to jobs beyond a time limit; give max-time"):
        ec.change_jobs(LOG, longer_jobs="drop")
    tasked = transform.with_tasks(transform.keep_runnable(LOG))
    with pytest.raises(InputError, match="follow from their tasks, so 3 jobs cannot be cut at 100 s"):
        transform.limit_time(tasked, 100)
    assert len(transform.limit_time(tasked.take(np.array([0, 2])), 100)) == 2


def test_runs_and_comparisons_take_a_limit():
    """Words with units and Slurm's durations mean the same; labels and manifests say the limit."""
    run = ec.simulate(LOG, processors=2, max_time="0:01:40")
    assert run.jobs["run_time"].to_list() == [50, 100, 90, 100, 100]
    assert (manifest(run)["max_time"], manifest(run)["longer_jobs"]) == (100, "cut")
    assert "max_time" not in manifest(ec.simulate(LOG, processors=2))
    found = ec.compare(LOG, processors=[2, 4], max_time=["90", "24h", "3-00:00:00"], policies="easy")
    labels = [result.label for result in found.results]
    assert labels[:3] == [f"processors=2 max_time={limit} + easy" for limit in ("90s", "24h", "3d")]
    assert found.job_sets == (1, 2, 2, 1, 2, 2)
