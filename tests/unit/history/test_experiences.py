"""Experiences of a schedule are what a look at every other job finds."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon import simulate
from echelon.history import experiences_of
from echelon.model import Application, Experience, Workload


def looked_up(schedule):
    """Return the experiences by the definition, job against job."""
    instance = schedule.instance
    n = len(instance)
    joined, start, end = schedule.delivered, schedule.start_time, schedule.end_time
    nodes = [
        set(zip(schedule.places.site[of], schedule.places.node[of], strict=True))
        for of in (schedule.places.job == k for k in range(n))
    ]
    dedicated = instance.workload.run_time[instance.kept]
    found = []
    for k, job in enumerate(instance.jobs()):
        queue = [
            other
            for other in range(n)
            if schedule.site[other] == schedule.site[k]
            and (joined[other], other) < (joined[k], k)
            and start[other] > joined[k]
        ]
        before = [
            other
            for other in range(n)
            if (start[other], joined[other], other) <= (start[k], joined[k], k)
            and (end[other] > start[k] or other == k)
        ]
        share = [instance.workload.applications[other].compute_share for other in range(n)]
        application = instance.workload.applications[k].name
        found.append(
            Experience(
                *("" if code < 0 else str(code) for code in (job.user, job.queue)),
                application or ("" if job.executable < 0 else str(job.executable)),
                int(instance.size[k]),
                len(queue),
                sum(instance.size[other] * dedicated[other] * share[other] for other in queue),
                max(sum(node in nodes[other] for other in before) for node in nodes[k]),
                start[k] - joined[k],
                end[k] - start[k],
                end[k],
            )
        )
    return found


@given(data=st.data())
def test_they_are_what_a_look_at_every_other_job_finds(any_run, data):
    """Queue, work in it, fullest node, wait and run agree with brute force, many at one instant."""
    schedule = data.draw(any_run())
    for found, expected in zip(experiences_of(schedule), looked_up(schedule), strict=True):
        assert found._replace(waiting_work=0) == expected._replace(waiting_work=0)
        assert found.waiting_work == pytest.approx(expected.waiting_work, rel=1e-12, abs=1e-12)


def test_a_job_that_has_just_started_has_left_the_queue(make_run):
    """The second starts when the third joins: that one waits behind no job, and the next behind it."""
    jobs = [(0, 0, 0, 3, 0, [0]), (1, 1, 2, 5, 0, [1]), (2, 2, 3, 6, 0, [0, 1]), (2, 2, 6, 7, 0, [0])]
    found = experiences_of(make_run(jobs, run_time=[10.0, 20.0, 30.0, 40.0]))
    assert [one.waiting_jobs for one in found] == [0, 0, 0, 1]
    assert [one.waiting_work for one in found] == [0, 0, 0, 2 * 30]
    assert [one.mpl for one in found] == [1, 1, 2, 1]
    assert [one.wait for one in found] == [0, 1, 1, 4]


def test_only_computing_counts_as_work(make_run):
    """A job that communicates for a quarter of its time leaves three quarters of its processor-seconds."""
    jobs = [(0, 0, 5, 9, 0, [0, 1]), (1, 1, 9, 12, 0, [0])]
    run = make_run(jobs, run_time=[100.0, 1.0], applications=[Application("is", 0.75), Application("mg")])
    assert experiences_of(run)[1].waiting_work == 2 * 100 * 0.75
    assert [one.application for one in experiences_of(run)] == ["is", "mg"]


@pytest.mark.parametrize("handed_out", [5, np.nan])
def test_a_job_that_joined_no_queue_has_no_jobs_ahead(make_run, handed_out):
    """A job is given nodes of both clusters at once while another waits in the one with most of its tasks."""
    jobs = [(0, handed_out, 5, 9, 1, [0, 1]), (1, 1, 9, 12, 1, [0])]
    run = make_run(jobs)
    run.places.site[0] = 0
    found = experiences_of(run)
    assert [one.wait for one in found] == [0, 8]
    assert [one.waiting_jobs for one in found] == [0, 0]
    assert [one.waiting_work for one in found] == [0, 0]


def test_schedules_of_one_machine_have_experiences_too():
    """Without clusters jobs join the machine's queue on submission, and no node is shared."""
    workload = Workload.from_columns(
        submit_time=[0, 1, 2, 9], run_time=[5, 4, 3, 1], processors=[2, 2, 1, 1], user=[7, -1, 0, 3]
    )
    found = experiences_of(simulate(workload, processors=2, engine="reference").schedule)
    assert [one.user for one in found] == ["7", "", "0", "3"]
    assert [one.waiting_jobs for one in found] == [0, 0, 1, 0]
    assert [one.wait for one in found] == [0, 4, 7, 0]
    assert {one.mpl for one in found} == {1}


@pytest.mark.slow
def test_many_jobs_take_a_moment(make_run):
    """20,000 jobs in one long queue: the sweep does not compare each with each."""
    n = 20_000
    jobs = [(k, k, 3 * k + 1, 3 * k + 4, 0, [k % 2]) for k in range(n)]
    found = experiences_of(make_run(jobs, run_time=np.ones(n)))
    # A job starts every third second: of those that joined before second k, a third has started.
    assert [one.waiting_jobs for one in found[9::3]] == [k - (k - 1) // 3 - 1 for k in range(9, n, 3)]
