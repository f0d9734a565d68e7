"""Waits of a log beside simulated ones, and tables by partition, queue and account."""

from __future__ import annotations

from dataclasses import replace

import pytest

import echelon as ec
from echelon.metrics import log_waits, per_code, per_user
from echelon.model.jobs.columns import has_groups

LOG = replace(
    ec.Workload.from_columns(
        submit_time=[0, 10, 20, 30],
        wait_time=[5, 90, -1, 70],
        run_time=[100, 50, -1, 10],
        processors=[4, 4, 4, 2],
        partition=[1, 2, 1, 1],
        queue=[1, 1, 1, 1],
        user=[1, 2, 2, -1],
    ),
    names={"partition": ("main", "gpu")},
)
"""On 4 processors under FCFS the jobs that ran wait 0, 90 and 120 s."""


@pytest.fixture
def result():
    """Return the log under FCFS."""
    return ec.simulate(LOG, processors=4, policy="fcfs")


def test_a_wait_below_0_is_none():
    """What a log says of a start before the submission stands beside nothing."""
    log = LOG.with_columns(wait_time=[-2400, 90, -1, 70])
    assert log_waits(ec.simulate(log, processors=4, policy="fcfs").schedule).row.tolist() == [1, 2]


def test_waits_stand_side_by_side(result):
    """Each simulated job has both waits and their difference, and figures of all."""
    waits = log_waits(result.schedule)
    assert (waits.row.tolist(), waits.logged.tolist()) == ([0, 1, 2], [5, 90, 70])
    assert (waits.simulated.tolist(), waits.difference.tolist()) == ([0, 90, 120], [-5, 0, 50])
    assert waits.largest(2).tolist() == [2, 0]
    told = waits.to_dict()
    assert (told["jobs"], told["mean_logged_wait"], told["max_simulated_wait"]) == (3, 55, 120)
    assert (told["mean_difference"], told["quantiles"]["0.5"], told["close"]["60"]) == (15, 0, 1)
    table = result.log_wait_table
    assert table["job_id"].to_list() == [1, 2, 4]
    assert table["difference"].to_list() == [-5, 0, 50]


def test_jobs_without_a_wait_are_not_compared():
    """A log that records some waits compares these; one that records none has nothing to compare."""
    some = LOG.with_columns(wait_time=[-1, 90, -1, -1])
    assert log_waits(ec.simulate(some, processors=4).schedule).row.tolist() == [1]
    none = ec.simulate(LOG.with_columns(wait_time=[-1] * 4), processors=4)
    assert none.log_waits is None
    assert none.log_wait_table is None


def test_the_wait_of_a_job_that_waits_for_another_counts_from_the_log(result):
    """It starts when its predecessor ends, so that the difference is that of the starts."""
    follows = LOG.with_dependencies([0], [3])
    waits = log_waits(ec.simulate(follows, processors=8).schedule)
    assert waits.simulated.tolist() == [0, 0, 70]


def test_groups_have_a_table_if_there_are_two(result):
    """By partition with names; of one queue there is none, as a table of one row says nothing."""
    assert result.partitions.equals(per_code(result.schedule, "partition"))
    assert result.partitions["partition"].to_list() == ["main", "gpu"]
    assert result.partitions["mean_wait"].to_list() == [60, 90]
    assert (result.queues, result.accounts) == (None, None)
    assert not has_groups(LOG, "queue")


def test_users_are_a_group_like_others(result):
    """One piece of code makes all of these tables."""
    assert per_user(result.schedule).equals(per_code(result.schedule, "user"))
