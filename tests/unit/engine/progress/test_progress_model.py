"""FixedEnds: ends that nothing else changes."""

from __future__ import annotations

import math

import pytest

import echelon as ec
from echelon.engine.ledger.dispatches import Dispatches
from echelon.engine.progress.progress_model import FixedEnds
from echelon.model import Instance


@pytest.fixture
def started():
    """Three jobs of 10 s, 20 s and 10 s that start at 0 s: the last first."""
    workload = ec.Workload.from_columns(submit_time=[0, 0, 0], run_time=[10, 20, 10], processors=[1, 1, 1])
    instance = Instance.of(workload, 4)
    dispatches = Dispatches(instance)
    ends, jobs = FixedEnds(dispatches), instance.jobs()
    for job in (jobs[2], jobs[0], jobs[1]):
        dispatches.planned_left[job.position] = job.planned_time
        ends.start(job, dispatches.dispatch(job, 0.0, 0.0), 0.0)
    return ends, dispatches, jobs


def test_ends_of_one_instant_are_in_order_of_dispatch(started):
    """Of jobs that end together the one dispatched first is first, whatever its position."""
    ends, _, _ = started
    assert ends.next_time(math.inf) == 10.0
    assert ends.jobs_due(10.0) == [2, 0]
    assert (ends.next_time(math.inf), ends.jobs_due(15.0), ends.jobs_due(20.0)) == (20.0, [], [1])
    assert ends.next_time(math.inf) == math.inf


def test_what_comes_first_is_next(started):
    """Another event or a planned end before the next end is the next event."""
    ends, _, _ = started
    assert ends.next_time(4.0) == 4.0
    assert ends.next_time(12.0, (7.0, 9.0)) == 7.0
    assert ends.next_time(12.0, (11.0,)) == 10.0


def test_a_preempted_job_ends_when_it_has_resumed(started):
    """Its end is void from the preemption on, and what is left follows its next dispatch."""
    ends, dispatches, jobs = started
    assert ends.suspend(jobs[1], 5.0) == (None, None)
    dispatches.preempt(jobs[1], 5.0)
    assert ends.jobs_due(10.0) == [2, 0]
    assert ends.next_time(math.inf) == math.inf
    ends.start(jobs[1], dispatches.dispatch(jobs[1], 30.0, 2.0), 2.0)
    assert (ends.outlook(1), ends.is_over(1, 46.0), ends.is_over(1, 47.0)) == (47.0, False, True)
    assert ends.jobs_due(47.0) == [1]
    assert ends.end(jobs[1], 47.0) == 20.0
