"""Runs on time-shared machines: how processes share cores, and when jobs end."""

from __future__ import annotations

import pytest
from tests.unit.engine.immediate.platforms import instance, run

from echelon.engine.contract import Scenario
from echelon.engine.immediate.rules import ImmediateRules
from echelon.engine.system_model import tree_of_sites
from echelon.errors import InputError
from echelon.policies import broker_named, policy


def test_two_equal_jobs_together_end_at_twice_their_time():
    """Two jobs of 60 s that share one core of speed 1 both end at 120 s, exactly."""
    assert run(instance((0, 60, 1), (0, 60, 1))).end_time.tolist() == [120, 120]


def test_three_jobs_by_hand():
    """Two jobs of 60 s at 0 and one of 30 s at 10: thirds from 10 to 100, halves until 150."""
    found = run(instance((0, 60, 1), (0, 60, 1), (10, 30, 1)))
    assert found.end_time.tolist() == [150, 150, 100]
    assert found.instance.run_time.tolist() == [150, 150, 90]
    assert found.start_time.tolist() == [0, 0, 10]


def test_without_more_processes_than_cores_no_process_slows_down():
    """Jobs on a machine with a core for each process take run time over speed."""
    found = run(instance((0, 60, 2), (5, 30, 1), (6, 8, 1), on=((4, 0.5),)))
    assert found.end_time.tolist() == [120, 65, 22]


def test_processes_of_a_job_share_like_processes_of_many():
    """Four processes on two cores go at half speed, whose jobs they are does not matter."""
    assert run(instance((0, 60, 2), (0, 60, 2), on=((2, 1.0),))).end_time.tolist() == [120, 120]
    assert run(instance((0, 60, 1), (0, 60, 2), on=((2, 1.0),))).end_time.tolist() == [90, 90]


def test_decisions_take_time_one_after_another():
    """With 2 s a decision, jobs of one instant begin 2 s apart, and one that comes later waits its turn."""
    given = instance((0, 10, 1), (0, 10, 1), (3, 10, 1), on=((8, 1.0),))
    assert run(given, rules=ImmediateRules(decision_time=2.0)).start_time.tolist() == [2, 4, 6]


def test_jobs_of_one_instant_see_those_before_them():
    """Without decision time the second job of an instant finds the first one there."""
    assert run(instance((0, 9, 1), (0, 9, 1), on=((1, 1.0), (1, 1.0)))).site.tolist() == [0, 1]


def test_a_platform_without_queues_needs_its_rules():
    """Rules and time-shared machines come together or not at all."""
    with pytest.raises(InputError, match="time-shared machines need rules of their own"):
        Scenario(instance((0, 1, 1)), policy("fcfs"), system_model=tree_of_sites(broker_named("mlp")))


def test_jobs_come_when_those_they_wait_for_end():
    """A job that waits for another is submitted at its end and begins there and then."""
    given = instance((0, 60, 1), (0, 60, 1), (5, 10, 1), preceding_job=[-1, -1, 2], on=((1, 1.0),))
    found = run(given)
    assert found.end_time.tolist() == [120, 120, 130]
    assert found.instance.submit_time.tolist() == [0, 0, 120]
