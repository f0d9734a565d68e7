"""Rates: work whose pace changes, ends that differ by rounding, and cuts."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.engine.progress.rates import Rates, RunningWork


class Seconds(RunningWork):
    """Work in seconds at a pace of work done in a second."""

    __slots__ = ()

    def left_at(self, now):
        return max(0.0, self.left - self.pace * (now - self.since))

    def end_from(self, now):
        return now + self.left / self.pace if self.pace else math.inf


class Shared(Rates[int]):
    """One processor that all jobs share evenly."""

    def __init__(self, blur=8.0):
        super().__init__(blur)
        self.work = {}

    def enter(self, position, work, now, cut=math.inf):
        self.work[position] = Seconds(work, 0.0, now)
        self._cuts.plan(position, cut)
        self.settle(now)

    def leave(self, position, now):
        del self.work[position]
        self._ends.take(position)
        self._cuts.take(position)
        self.settle(now)

    def settle(self, now):
        for position, work in self.work.items():
            if work.run_at(1 / len(self.work), now):
                self._ends.plan(position, work.due)

    def next_time(self, other, planned=()):
        return super().next_time(min(other, self._cuts.first()), planned)

    def complete(self, now):
        return self._ends.keys_due(self.last_equal(now))


def test_an_end_moves_when_the_pace_changes():
    """A job of 10 s that shares its processor from 4 s to 8 s ends at 12 s."""
    shared = Shared()
    shared.enter(0, 10.0, 0.0)
    assert shared.next_time(math.inf) == 10.0
    shared.enter(1, 2.0, 4.0)
    assert (shared.next_time(math.inf), shared.work[0].due) == (8.0, 16.0)
    assert shared.jobs_due(8.0) == [1]
    shared.leave(1, 8.0)
    assert (shared.next_time(math.inf), shared.work[0].serial) == (12.0, 3)


def test_the_same_pace_predicts_nothing_anew():
    """Work keeps its end, to the last bit, and its number, where its pace stays."""
    work = Seconds(1.0, 0.0, 0.0)
    assert work.run_at(0.3, 0.0)
    due, serial = work.due, work.serial
    assert not work.run_at(0.3, 0.7)
    assert (work.due, work.serial, work.since) == (due, serial, 0.0)


def test_ends_that_differ_by_rounding_are_one_instant():
    """They happen at the last of them, or with another event as near as that."""
    shared, near = Shared(), math.nextafter(10.0, math.inf)
    shared.enter(0, 5.0, 0.0)
    shared.enter(1, near / 2, 0.0)
    assert [work.due for work in shared.work.values()] == [10.0, near]
    assert shared.next_time(math.inf) == near
    assert shared.next_time(math.nextafter(near, math.inf)) == math.nextafter(near, math.inf)
    assert shared.next_time(10.1) == near
    assert sorted(shared.jobs_due(near)) == [0, 1]


def test_a_model_may_take_the_first_of_such_ends():
    """Where ends are not gathered the first counts, as do planned ends near it."""
    shared, near = Shared(), math.nextafter(10.0, math.inf)
    shared.gathers_ends = False
    shared.enter(0, 5.0, 0.0)
    shared.enter(1, near / 2, 0.0)
    assert shared.next_time(math.inf) == 10.0
    assert shared.next_time(math.inf, (near, 11.0)) == near


def test_a_job_that_is_complete_at_its_cut_is_not_cut():
    """Of two jobs with a cut at 10 s that one is cut that has something left."""
    shared = Shared()
    shared.enter(0, 5.0, 0.0, cut=10.0)
    shared.enter(1, 9.0, 0.0, cut=10.0)
    assert (shared.next_time(math.inf), shared.cut_at(1)) == (10.0, 10.0)
    assert shared.jobs_due(10.0) == [0, 1]
    assert shared.cut == {1}
    shared.leave(0, 10.0)
    shared.leave(1, 10.0)
    assert (shared.next_time(math.inf), shared.cut_at(1)) == (math.inf, math.inf)


@given(st.lists(st.tuples(st.floats(0.0, 20.0), st.floats(0.5, 20.0)), min_size=1, max_size=12))
def test_all_work_is_done_in_the_time_that_it_takes(jobs):
    """However jobs come and go, a processor that is never idle in between does all their work."""
    shared, left, now, done, began = Shared(), sorted(jobs), 0.0, 0.0, 0.0
    while left or shared.work:
        if not shared.work:
            began = now = left[0][0]
            done = 0.0
        now = shared.next_time(left[0][0] if left else math.inf)
        for position in shared.jobs_due(now):
            shared.leave(position, now)
        while left and left[0][0] <= now:
            _, work = left.pop(0)
            done += work
            shared.enter(len(jobs) - len(left), work, now)
        if not shared.work:
            assert now - began == pytest.approx(done)
