"""Which waiting jobs start, beside the engine's own schedules."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from budgets import examples
from echelon.backends.process.planner import Asked, Held, Planner
from echelon.errors import InputError

JOBS = st.lists(st.builds(Asked, st.integers(1, 6), st.integers(1, 50).map(float)), min_size=1, max_size=12)


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative", "first-fit", "easy:shortest-first"])
@given(jobs=JOBS)
@examples(30)
def test_an_empty_cluster_starts_what_a_simulation_starts(policy, jobs):
    """What starts on an empty cluster is what `simulate` starts at time 0."""
    submitted = ec.Workload.from_columns(
        submit_time=np.zeros(len(jobs)),
        run_time=[job.planned_time for job in jobs],
        requested_time=[job.planned_time for job in jobs],
        processors=[job.processors for job in jobs],
    )
    result = ec.simulate(submitted, processors=6, policy=policy, engine="reference")
    expected = np.flatnonzero(result.schedule.start_time == 0).tolist()
    assert sorted(Planner(policy, 6).starts([], jobs)) == expected


@pytest.mark.parametrize("policy", ["fcfs", "easy", "conservative", "first-fit"])
@given(jobs=JOBS, order=st.randoms(use_true_random=False))
@examples(20)
def test_a_snapshot_at_any_time_resumes_the_schedule(policy, jobs, order):
    """Asked again at each end, with what runs and waits then, it makes a schedule that never overfills."""
    planner = Planner(policy, 6)
    waiting, running, now = [*enumerate(jobs)], {}, 0.0
    started = []
    while waiting or running:
        held = [Held(jobs[one].processors, jobs[one].planned_time, now - at) for one, at in running.items()]
        places = planner.starts(held, [job for _, job in waiting]) if waiting else []
        for place in places:
            running[waiting[place][0]] = now
            started.append(waiting[place][0])
        waiting = [one for place, one in enumerate(waiting) if place not in places]
        assert sum(jobs[one].processors for one in running) <= 6
        # Something runs whenever something waits.
        assert running
        # Jobs end as planned, early or late.
        ends = {
            one: at + jobs[one].planned_time * order.choice([0.5, 1.0, 1.5]) for one, at in running.items()
        }
        over = min(ends, key=ends.__getitem__)
        now = max(now, ends[over])
        del running[over]
    assert sorted(started) == [*range(len(jobs))]


def test_a_job_beyond_its_time_holds_its_processors():
    """A job that runs on beyond its planned end is planned to end within a minute."""
    late = Held(2, planned_time=10.0, age=100.0)
    planner = Planner("easy", 3)
    assert planner.starts([late], [Asked(3, 10.0), Asked(1, 59.0)]) == [1]
    assert planner.starts([late], [Asked(3, 10.0), Asked(1, 61.0)]) == []


@pytest.mark.parametrize("policy", ["round-robin", "fcfs:nothing"])
def test_policies_that_need_more_than_a_snapshot_are_refused(policy):
    """A policy that suspends jobs, or does not exist, is an error of the policy."""
    with pytest.raises((InputError, LookupError)):
        Planner(policy, 4)
