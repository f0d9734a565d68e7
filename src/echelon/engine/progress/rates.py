"""Rates: what progresses at rates that its neighbors change."""

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

    def about(self, time: float) -> float:
        """Return the last time that equals `time` but for rounding, in seconds."""
        return time + self.blur * math.ulp(time) if time < math.inf else time

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`.

        Of times that differ only by rounding the last counts, or `other` if it differs from the first only by
        rounding.
        """
        times = [self._ends.first(), *planned]
        by = self.about(min(times))
        if other <= by:
            return other
        if self.gathers_ends:
            times += [self._ends.time(key) for key in self._ends.near(by)]
        return max(time for time in times if time <= by)

    def due(self, now: float) -> list[int]:
        """See `ProgressModel.due`: those complete first; a job that is complete at its cut is not cut."""
        due = self.complete(now)
        cut = set(self._cuts.near(now)).difference(due)
        self.cut |= cut
        return [*due, *sorted(cut)]

    def complete(self, now: float) -> list[int]:
        """Return the positions of the jobs that are complete now."""
        raise NotImplementedError

    def cut_at(self, position: int) -> float:
        """Return when a running job is cut, in seconds; infinity if it is not."""
        return self._cuts.time(position)
