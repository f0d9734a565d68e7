"""Rates: what progresses at rates that its neighbors change, and what is left of it."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Generic, TypeVar

from echelon.engine.progress.agenda import Agenda
from echelon.engine.progress.progress_model import ProgressModel

if TYPE_CHECKING:
    from collections.abc import Iterable


Key = TypeVar("Key")

BLUR = 8.0
"""Largest difference of ENDs of equal work, in spacings of float64 numbers."""


class Rates(ProgressModel, Generic[Key]):
    """Ends of work whose rates change, and cuts of jobs that run too long.

    A model sets the rates: from what runs where it finds out which have changed. Ends of equal work may then
    differ by rounding; all that is about to happen within `blur` happens at one instant.

    Parameters
    ----------
    blur : float
        See `ProgressModel`.

    Attributes
    ----------
    cut : set of int
        Positions of the jobs that were cut.
    """

    gathers_ends = True
    """Whether ends that differ only by rounding happen at the last of them, or at the first."""

    def __init__(self, blur: float) -> None:
        self.blur = blur
        self.cut: set[int] = set()
        self._ends: Agenda[Key] = Agenda()
        self._cuts: Agenda[int] = Agenda()

    def last_equal(self, time: float) -> float:
        """Return the last time that equals `time` but for rounding, in seconds."""
        return time + self.blur * math.ulp(time) if time < math.inf else time

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`.

        Of times that differ only by rounding the last counts, or `other` if it differs from the first only by
        rounding.
        """
        times = [self._ends.first(), *planned]
        by = self.last_equal(min(times))
        if other <= by:
            return other
        if self.gathers_ends:
            times += [self._ends.time(key) for key in self._ends.keys_due(by)]
        return max(time for time in times if time <= by)

    def jobs_due(self, now: float) -> list[int]:
        """See `ProgressModel.jobs_due`: those complete first; a job complete at its cut is not cut."""
        due = self.complete(now)
        cut = set(self._cuts.keys_due(now)).difference(due)
        self.cut |= cut
        return [*due, *sorted(cut)]

    def complete(self, now: float) -> list[int]:
        """Return the positions of the jobs that are complete now."""
        raise NotImplementedError

    def cut_at(self, position: int) -> float:
        """Return when a running job is cut, in seconds; infinity if it is not."""
        return self._cuts.time(position)


class RunningWork:
    """What runs at one pace: what is left of it, and when that ends.

    A subclass says in its own units what is left after a time and how long that takes, so that it rounds as
    its model does.

    Parameters
    ----------
    left : float
        Its work, in the unit of its model.
    pace : float
        Its pace at first, in the unit of its model, as if it stood still.
    since : float
        When it begins, in seconds.

    Attributes
    ----------
    left : float
        Work left at `since`.
    since : float
        When its pace last changed, in seconds.
    due : float
        Its end at the present pace, in seconds.
    serial : int
        Number of ends predicted so far.
    """

    __slots__ = ("due", "left", "pace", "serial", "since")

    def __init__(self, left: float, pace: float, since: float) -> None:
        self.left, self.pace, self.since = left, pace, since
        self.due = math.inf
        self.serial = 0

    def left_at(self, now: float) -> float:
        """Return the work left at `now`, in seconds."""
        raise NotImplementedError

    def end_from(self, now: float) -> float:
        """Return the end at the present pace of what is left at `now`, in seconds."""
        raise NotImplementedError

    def run_at(self, pace: float, now: float) -> bool:
        """Set the pace from `now` on; return whether it changes."""
        if pace == self.pace:
            return False
        self.settle(now)
        self.pace = pace
        self.predict(now)
        return True

    def settle(self, now: float) -> None:
        """Take off what has been done by `now`, in seconds."""
        self.left, self.since = self.left_at(now), now

    def predict(self, now: float) -> None:
        """Predict the end from what is left at `now`, in seconds."""
        self.due = self.end_from(now)
        self.serial += 1
