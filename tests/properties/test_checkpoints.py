"""Checkpoints against a program that lives through an attempt second by second."""

from __future__ import annotations

import math
from dataclasses import dataclass

from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.availability import Checkpoint

check = examples(400)


@dataclass
class Attempt:
    """An attempt, one second at a time: what it does now, and what is safe."""

    interval: int
    cost: int
    restart: int
    work: int
    done: int = 0
    saved: int = 0
    dumped: int = 0
    restarted: int = 0
    dumping: int = 0
    seconds: int = 0

    def settle(self) -> None:
        """Free checkpoints end at once; those that cost begin after an interval, not at the end."""
        if self.dumping == self.cost and self.done - self.saved == self.interval and self.done < self.work:
            self.saved, self.dumping = self.done, 0
            self.dumped += self.cost

    @property
    def ended(self) -> bool:
        """Whether all work is done."""
        return self.restarted == self.restart and self.done == self.work

    def live(self) -> None:
        """One second more."""
        self.seconds += 1
        if self.restarted < self.restart:
            self.restarted += 1
        elif self.done - self.saved == self.interval:
            self.dumping += 1
        else:
            self.done += 1
        self.settle()


@st.composite
def attempts(draw):
    """Return a checkpoint rule, work and whether it follows a failure, all in whole seconds."""
    interval = draw(st.integers(1, 12))
    cost, restart = draw(st.integers(0, 6)), draw(st.integers(0, 9))
    work = draw(st.one_of(st.integers(1, 80), st.integers(1, 7).map(lambda n: n * interval)))
    return Checkpoint(interval, cost, restart), work, draw(st.booleans())


def lived(checkpoint: Checkpoint, work: int, again: bool, most: float = math.inf) -> Attempt:
    """Return an attempt at its end, or after so many seconds."""
    now = Attempt(checkpoint.interval, checkpoint.cost, checkpoint.restart if again else 0, work)
    while not now.ended and now.seconds < most:
        now.live()
    return now


@given(attempts())
@check
def test_an_attempt_takes_so_long(case):
    """Its length and its number of checkpoints are those of the program."""
    checkpoint, work, again = case
    whole = lived(checkpoint, work, again)
    assert checkpoint.length(work, again=again) == whole.seconds
    assert checkpoint.checkpoints(work) == whole.saved // checkpoint.interval


@given(attempts(), st.data())
@check
def test_what_is_safe_when_it_is_cut(case, data):
    """At every second before its end the same work is safe, and the same time was overhead."""
    checkpoint, work, again = case
    cut = data.draw(st.integers(0, int(checkpoint.length(work, again=again)) - 1))
    now = lived(checkpoint, work, again, cut)
    assert checkpoint.save_progress(cut, work, again=again) == (now.saved, now.restarted + now.dumped)


@given(attempts(), st.sampled_from([0.1, 0.7, 1 / 3, 1.1, 1234.567]), st.floats(0, 1e9), st.data())
@check
def test_the_unit_of_time_changes_nothing(case, unit, start, data):
    """In seconds that are no whole numbers, by a clock that began long ago, the same checkpoints are safe."""
    checkpoint, work, again = case
    cut = data.draw(st.integers(0, int(checkpoint.length(work, again=again)) - 1))
    scaled = Checkpoint(checkpoint.interval * unit, checkpoint.cost * unit, checkpoint.restart * unit)
    progress = (start + cut * unit) - start
    here, there = (
        checkpoint.save_progress(cut, work, again=again),
        scaled.save_progress(progress, work * unit, again=again),
    )
    assert math.isclose(there.work, here.work * unit, rel_tol=1e-9)
    assert math.isclose(there.overhead, here.overhead * unit, rel_tol=1e-9, abs_tol=1e-6)
    assert scaled.checkpoints(work * unit) == checkpoint.checkpoints(work)


@given(attempts(), st.data())
@check
def test_attempts_in_a_row_do_all_the_work(case, data):
    """However often it is cut, what was saved and what is left are the work, and nothing is saved twice."""
    checkpoint, work, _ = case
    left, again, saved = work, False, 0.0
    for share in data.draw(st.lists(st.floats(0, 1, exclude_max=True), max_size=6)):
        length = checkpoint.length(left, again=again)
        progress = share * length
        safe = checkpoint.save_progress(progress, left, again=again)
        assert 0 <= safe.work < left
        assert safe.work + safe.overhead <= progress + 1e-9
        left, saved, again = left - safe.work, saved + safe.work, True
    assert left > 0
    assert left + saved == work
