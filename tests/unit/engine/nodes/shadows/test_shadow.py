"""EASY on nodes by hand: when the head could start, and which jobs may run beside it."""

from __future__ import annotations

import pytest

from echelon.model import Demand, TaskGroup


def job(tasks, seconds, *, sequential=False, **more):
    return Demand((TaskGroup(tasks, seconds, more.pop("memory", 0.0)),), sequential=sequential, **more)


def test_the_head_waits_for_a_node_not_for_cores(run, machine):
    """Two cores are free, one in each node; the head has two in one at 5. Others pass."""
    schedule = run(
        machine(2, 2),
        (0, job(1, 5, sequential=True)),
        (0, job(1, 9, sequential=True)),
        (1, job(2, 4, sequential=True)),
        (2, job(1, 3)),
        (2, job(1, 9)),
        spec="easy",
        place="worst-fit",
    )
    assert schedule.start_time.tolist() == [0, 0, 5, 2, 2]
    assert schedule.holdings.cores.tolist() == [0, 2, 0, 1, 1, 3]


@pytest.mark.parametrize("spec", ["easy", "conservative", "plan", "easy:reservations=2"])
def test_who_may_run_beside_the_head(run, machine, spec):
    """A long job finds the head's node first, but goes to the one that the head leaves alone."""
    schedule = run(
        machine(4, 2),
        (0, job(3, 10, sequential=True)),
        (1, job(4, 5, sequential=True)),
        (2, job(1, 99)),
        spec=spec,
    )
    assert schedule.start_time.tolist() == [0, 10, 2]
    assert schedule.holdings.cores[schedule.holdings.first_core[2]] == 4


def test_memory_can_be_what_the_head_waits_for(run, machine):
    """Three cores are free, but 2 B; the head wants 4 B at 10, and 2 B for longer would delay it, 1 B not."""
    schedule = run(
        machine(4, memory=5.0),
        (0, job(1, 10, memory=3.0)),
        (1, job(1, 5, memory=4.0)),
        (2, job(1, 99, memory=2.0)),
        (3, job(1, 99, memory=1.0)),
        spec="easy",
    )
    assert schedule.start_time.tolist() == [0, 10, 15, 3]


@pytest.mark.parametrize("spec", ["easy", "conservative"])
def test_a_head_to_be_spread_evenly_is_not_delayed(run, machine, spec):
    """It takes two cores and one, but both nodes must have two: the core left over is not to take."""
    schedule = run(
        machine(2, 2),
        (0, job(1, 10, sequential=True)),
        (0, job(1, 10, sequential=True), 10.0),
        (1, job(3, 5, nodes=2), 5.0),
        (2, job(1, 99, sequential=True), 99.0),
        spec=spec,
        place="worst-fit",
    )
    assert schedule.start_time[2] == 10


def test_reservations_of_jobs_to_be_spread_evenly_are_never_moved_back(run, machine):
    """A job ends early, so reservations are tried again: one that cannot be placed again stays as it was."""
    schedule = run(
        machine(2, 2),
        (0, job(2, 10, sequential=True), 10.0),
        (0, job(1, 4), 8.0),
        (1, job(3, 5, nodes=2), 5.0),
        (2, job(1, 50, sequential=True), 50.0),
        spec="conservative",
    )
    assert schedule.start_time[2] == 10


def test_everything_planned_to_end_by_the_shadow_time_is_gone(run, machine):
    """Both jobs are planned to end at 10: the head takes two of four cores, the others may run longer."""
    schedule = run(
        machine(4),
        (0, job(2, 10)),
        (0, job(1, 10)),
        (1, job(2, 5)),
        (2, job(1, 99)),
        spec="easy",
    )
    assert schedule.start_time.tolist() == [0, 0, 10, 2]
