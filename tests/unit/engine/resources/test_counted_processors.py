"""Counted processors: what jobs take and give back, and what goes down and comes back."""

from __future__ import annotations

from echelon.engine.resources.capacity import Outage
from echelon.engine.resources.counted_processors import CountedProcessors
from echelon.model import Job


def job(position, processors):
    return Job(position, position + 1, 0.0, processors, 10.0)


def test_take_and_give():
    """There is room for as many processors as no job holds."""
    machine, large, small = CountedProcessors(4), job(0, 3), job(1, 2)
    machine.take(large, machine.room(large, 0.0), 0.0)
    assert (machine.free, machine.fits(small), machine.room(small, 0.0)) == (1, False, None)
    assert machine.give(large, 5.0) == 3
    assert machine.room(small, 5.0) == 2


def test_idle_processors_go_down_first():
    """Two of four are idle; a third costs the job that started last, a fourth the one before, too."""
    machine, running = CountedProcessors(4), [job(1, 1), job(0, 1)]
    assert machine.holders(Outage(0, 9, processors=4), lambda: running) == []
    for each in running:
        machine.take(each, 1, 0.0)
    holders = [machine.holders(Outage(0, 9, processors=count), lambda: running) for count in (2, 3, 4, 9)]
    assert holders == [[], running[:1], running, running]


def test_outages_overlap():
    """No more than there is goes down; when one of two is over, as many are down as the other says."""
    machine = CountedProcessors(4)
    first, second = Outage(0, 9, processors=3), Outage(2, 5, processors=3, number=1)
    machine.change(first, 0.0, down=True)
    machine.change(second, 2.0, down=True)
    assert (machine.free, machine.copy().free) == (0, 0)
    machine.change(first, 5.0, down=False)
    assert machine.free == 1
    machine.change(second, 9.0, down=False)
    assert (machine.free, machine.out) == (4, {})
