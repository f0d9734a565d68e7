"""The SINAPAD study in small: what its rules and its model come to, by hand."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.reference import simulate
from echelon.engine.system_model import tree_of_sites
from echelon.model import Instance, Monitoring, Platform, Site, TimeSharedMachine, Workload
from echelon.policies import broker_named, policy

POLICIES = ("random", "cpu-load", "lottery", "lottery-load", "wall-time")
BATCHES = ("min-min", "max-min", "sufferage")


def run(words, *, submit, run_time=60.0, speeds=(1.0,), **rules):
    """Return the schedule of jobs of one process on machines of one core."""
    jobs = len(submit)
    workload = Workload.from_columns(
        submit_time=submit, run_time=np.broadcast_to(run_time, jobs), processors=[1] * jobs
    )
    sites = tuple(Site(f"m{k}", TimeSharedMachine(1, speed)) for k, speed in enumerate(speeds))
    given = Instance.of(workload, Platform(sites))
    return simulate(
        Scenario(
            given,
            policy("fcfs"),
            system_model=tree_of_sites(broker_named(words), rules=ImmediateRules(**rules)),
        )
    )


def test_wall_time_alternates_between_two_equal_machines():
    """With equal histories each job goes where fewer were sent, though no load shows them yet."""
    zero = Monitoring(phase="zero")
    for seconds in (0.0, 0.831):
        found = run("wall-time", submit=[0] * 8, speeds=(1, 1), decision_time=seconds, monitoring=zero)
        assert found.site.tolist() == [0, 1] * 4


def test_stale_loads_send_everybody_to_one_machine():
    """All jobs between two publications go where the least load was published last."""
    found = run(
        "cpu-load", submit=np.arange(0.0, 60.0, 5.0), speeds=(1, 1), monitoring=Monitoring(phase="zero")
    )
    intervals = found.site.reshape(4, 3)
    assert (intervals == intervals[:, :1]).all()
    assert intervals[:, 0].tolist()[:2] == [0, 1]


@pytest.mark.parametrize("words", [*POLICIES, *BATCHES])
def test_equal_decision_times_are_an_equal_pace(words):
    """With 0.831 s a decision, 40 jobs at once leave every 0.831 s, whoever decides."""
    found = run(words, submit=[0] * 40, speeds=(1, 0.5, 0.25, 0.125), decision_time=0.831)
    assert np.sort(found.start_time) == pytest.approx(0.831 * np.arange(1, 41))


@pytest.mark.parametrize("words", [*POLICIES, *BATCHES])
def test_jobs_far_apart_leave_after_one_decision(words):
    """One job every 20 s is dispatched 0.831 s later, whoever decides."""
    submit = 20.0 * np.arange(40)
    found = run(words, submit=submit, speeds=(1, 1, 0.5), decision_time=0.831)
    assert found.start_time == pytest.approx(submit + 0.831)


def test_two_jobs_together_take_twice_their_time_on_every_type_of_machine():
    """60 s of work take 120 s by twos on r1, and 240, 480, 960 s on the others, exactly."""
    for halvings in range(4):
        found = run("random", submit=[0, 0], speeds=(0.5**halvings,))
        assert found.end_time.tolist() == [120 * 2**halvings] * 2


def test_a_slower_pace_of_decisions_shortens_executions():
    """What the study's authors saw: who dispatches more slowly makes jobs compete less."""
    means = [
        float((found.end_time - found.start_time).mean())
        for seconds in (0.32, 0.831, 3.0)
        if (found := run("wall-time", submit=[0] * 40, speeds=(1,) * 10, decision_time=seconds))
    ]
    assert means == sorted(means, reverse=True)
