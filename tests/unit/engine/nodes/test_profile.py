"""Planned free resources: fractions of bytes, jobs that end early, jobs planned by number alone."""

from __future__ import annotations

import pytest

from echelon.errors import PolicyError
from echelon.model import Cluster, Core, Demand, Hardware, Node, Processor, TaskGroup
from echelon.policies import Start


def job(tasks, seconds, memory=0.0, *, sequential=True):
    return Demand((TaskGroup(tasks, seconds, memory),), sequential=sequential)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["conservative", "plan", "slack", "selective", "easy:reservations=3"])
def test_sums_of_fractions_of_bytes_come_back_whole(run, machine, spec):
    """After tenths of a byte were taken and given back in all orders, two tasks of 4 B still fit 8 B."""
    small = [(k % 3, job(1 + k % 3, 1 + k % 5, 0.1), 3.0 + k % 4) for k in range(40)]
    whole = [(1, job(2, 2, 4.0), 4.0), (9, job(2, 2, 4.0), 4.0)]
    schedule = run(machine(4, memory=8.0), *small, *whole, spec=spec)
    assert (schedule.end_time > schedule.start_time).all()


def test_a_reservation_moves_forward_to_a_core_that_is_released_early(run):
    """Of two tasks the one on the fast core ends at 2: the reservation moves there, unless they are MPI."""
    unlike = Hardware((Cluster((Node((Processor((Core(1.0), Core(4.0))),)),)),))
    later = (1, job(1, 3), 3.0)
    for sequential, start in ((True, 2), (False, 8)):
        schedule = run(unlike, (0, job(2, 8, sequential=sequential), 9.0), later, spec="conservative")
        assert schedule.start_time[1] == start


class ByNumber:
    """A scheduler that plans with numbers of processors, as without a node-level model."""

    name = "by-number"
    source = "this test"

    def __init__(self):
        self.told = []

    def decide(self, view):
        profile = view.availability()
        for waiting in view.queue:
            time = profile.earliest(waiting.processors, waiting.planned_time)
            profile.take(time, waiting.planned_time, waiting.processors)
            self.told.append((view.now, waiting.position, time))
            if view.fits(waiting):
                yield Start(waiting)


def test_plans_by_number_of_processors(run, machine):
    """Three cores at 0, then four only when all have ended: cores count in whatever node."""
    planner = ByNumber()
    run(
        machine(2, 2),
        (0, job(3, 5, sequential=False), 5.0),
        (0, job(4, 5, sequential=False), 5.0),
        spec=planner,
    )
    assert planner.told[:2] == [(0, 0, 0), (0, 1, 5)]


class Grasping(ByNumber):
    """Takes more cores of its profile than there are."""

    def decide(self, view):
        view.availability().take(2.0, 7.0, view.processors + 1)
        yield from ()


def test_more_cores_than_are_free_can_not_be_taken(run, machine):
    """The sentence tells what was to be taken; it speaks of no job, as there is none."""
    with pytest.raises(
        PolicyError, match="'by-number' at t = 0 s: takes 5 cores of the profile for 7 s at 2 s"
    ):
        run(machine(2, 2), (0, job(1, 5), 5.0), spec=Grasping())
