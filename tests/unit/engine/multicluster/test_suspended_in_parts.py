"""Jobs in several clusters that lose their nodes: what they pay, and where they wait until they resume."""

from __future__ import annotations

from dataclasses import replace

import pytest

from echelon.availability import Changes, Requeueing
from echelon.engine.reference import simulate
from echelon.model import EndReason, OutageKind, Outages, SharedCluster, SocialContract, Workstation
from echelon.policies import Policy, Preempt, Start, policy
from echelon.policies.coallocation import co_allocation
from echelon.testing.multiclusters import cluster_case, random_cluster_case


def scenario(jobs, sizes, spec="fcfs", **rules):
    """Return a run of jobs (submission, run time, tasks) on clusters of so many dedicated nodes."""
    clusters = [SharedCluster((Workstation(),) * size, SocialContract(mpl=1)) for size in sizes]
    rules = {"broker": "first-site", "co_allocation": co_allocation("threshold")} | rules
    return cluster_case(jobs, clusters).scenario(spec, **rules)


def attempts_of(schedule):
    """Return job, start and end of every attempt."""
    attempts = schedule.attempts
    return list(zip(attempts.job.tolist(), attempts.start.tolist(), attempts.end.tolist(), strict=True))


def test_a_job_in_parts_pays_the_longest_switch_of_its_clusters():
    """One cluster charges 1 s and the other 3 s: both parts progress after 3 s, at each start."""
    run = scenario([(0.0, 10.0, 5), (5.0, 2.0, 2)], [2, 3], "srtf:switch=1")
    run = replace(run, policy=replace(run.policy, elsewhere=(("c1", policy("srtf:switch=3")),)))
    assert attempts_of(simulate(run)) == [(0, 0.0, 5.0), (0, 8.0, 19.0), (1, 5.0, 8.0)]


def test_a_suspended_job_is_the_head_again():
    """It came before the job that waits behind it in the global queue, which is sent after it has resumed."""
    jobs = [(0.0, 10.0, 5), (2.0, 3.0, 2), (3.0, 9.0, 5)]
    assert attempts_of(simulate(scenario(jobs, [2, 3], "srtf"))) == [
        (0, 0.0, 2.0),
        (0, 5.0, 13.0),
        (1, 2.0, 5.0),
        (2, 13.0, 22.0),
    ]


def test_what_is_about_to_start_keeps_its_longest_stay():
    """A policy that never lets the parts run drops them at each start: the job has never started."""

    class OneByOne:
        name = "one-by-one"
        preempts = True

        def decide(self, view):
            """Run the local jobs one by one, and suspend all others."""
            yield from [Preempt(one.job) for one in view.running if one.job.job_id == 1]
            if not view.running:
                yield Start(view.queue[0])

    jobs = [(0.0, 10.0, 5), (0.0, 30.0, 1), (15.0, 1.0, 1)]
    run = scenario(jobs, [2, 4], upper="fpfs", longest_stay=20.0)
    schedule = simulate(replace(run, policy=Policy.of(backfill=OneByOne())))
    assert schedule.instance.kept.tolist() == [1, 2]


@pytest.mark.slow
def test_a_cluster_is_not_blamed_for_what_another_suspends_in_vain():
    """One that parts have left, and has no job, decides again while the other drops a job in its switch."""
    case = random_cluster_case(319521, forever=False, links=False, larger=True)
    spec = "preemptive-priority:order=fcfs:aging=1:review=4:switch=1"
    schedule = simulate(case.scenario(spec, co_allocation=co_allocation("threshold"), two_phase=True))
    assert len(schedule.attempts) > 2 * len(schedule.instance)


def test_a_job_that_has_started_is_not_rejected_after_a_delay():
    """It lost a node at 2 s, comes back 7 s later, and waits longer than jobs may that have not started."""
    run = scenario([(0.0, 10.0, 2), (4.0, 30.0, 1)], [1, 1], longest_stay=5.0)
    outages = Outages.of([(2.0, 3.0, (0,), OutageKind.FAIL, float("-inf"), 0)])
    schedule = simulate(replace(run, changes=Changes(outages, (), Requeueing(delay=7.0))))
    assert attempts_of(schedule) == [(0, 0.0, 2.0), (0, 34.0, 44.0), (1, 4.0, 34.0)]
    assert schedule.attempts.ended_by(EndReason.REQUEUED).tolist() == [True, False, False]


@pytest.mark.parametrize(
    "spec", ["srtf", "round-robin:quantum=2", "preemptive-priority:order=smallest-first"]
)
def test_tasks_of_a_job_end_together(spec):
    """Its last attempt ends in all of its clusters at once, at its end."""
    jobs = [(0.0, 10.0, 5), (1.0, 3.0, 2), (2.0, 4.0, 1), (3.0, 2.0, 3)]
    schedule = simulate(scenario(jobs, [2, 3], spec))
    starts, ends = schedule.places.times(schedule.start_time, schedule.end_time)
    last = starts[schedule.places.job == 0].max()
    mine = (schedule.places.job == 0) & (starts == last)
    assert mine.sum() == 5
    assert set(ends[mine].tolist()) == {schedule.end_time[0]}
