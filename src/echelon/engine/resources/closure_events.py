"""ClosureEvents: when drains, maintenance and reservations are announced, move, begin and end."""

from __future__ import annotations

import math
from collections import Counter
from dataclasses import replace
from enum import IntEnum
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.resources.closures import Closure
    from echelon.model.machines.reservations import Reservation

HOUR, STEP = 3600.0, 300.0
"""Sliding reservations begin at full hours, and are moved at multiples of this, in seconds."""


class ClosureEvent(IntEnum):
    """What happens to a closure; at one instant in this order."""

    ENDS = 0
    BEGINS = 1
    IS_ANNOUNCED = 2
    SLIDES = 3


class ClosureChange(NamedTuple):
    """What happens to a closure."""

    event: ClosureEvent
    closure: Closure


class ClosureEvents:
    """The events of all closures of a run, by time.

    Parameters
    ----------
    closures : iterable of Closure
        Of all leaves.
    """

    def __init__(self, closures: Iterable[Closure] = ()) -> None:
        self._heap: list[tuple[float, int, int, Closure]] = []
        # Those that move no more, as they are, by number.
        self._fixed: dict[int, Closure] = {}
        closures = tuple(closures)
        self._count = len(closures)
        # How many of each name are not over.
        self._left = Counter(one.name for one in closures)
        for one in closures:
            if one.known > -math.inf:
                self._plan(one.known, ClosureEvent.IS_ANNOUNCED, one)
            self.follow(one)

    @property
    def next_time(self) -> float:
        """When something next happens, in seconds; infinity if nothing does."""
        return self._heap[0][0] if self._heap else math.inf

    @property
    def only_slide(self) -> bool:
        """Whether nothing is planned but moves of sliding reservations. Cost: O(closures)."""
        return all(event == ClosureEvent.SLIDES for _, event, _, _ in self._heap)

    def follow(self, closure: Closure, *, slides: bool = True) -> None:
        """Plan what happens next to a closure: it begins and ends, or slides if it can and no job waits."""
        if closure.slide and slides:
            early = closure.start - closure.slide
            self._plan(STEP * (math.floor(early / STEP) + 1), ClosureEvent.SLIDES, closure)
            return
        self._fixed[closure.number] = closure
        self._plan(closure.start, ClosureEvent.BEGINS, closure)
        if closure.end < math.inf:
            self._plan(closure.end, ClosureEvent.ENDS, closure)

    def take(self, now: float, *, ends: bool) -> list[ClosureChange]:
        """Return what happens by `now`, once: what ends, or all that does."""
        due = []
        while self._heap and self._heap[0][0] <= now and not (ends and self._heap[0][1]):
            _, event, _, closure = heappop(self._heap)
            due.append(ClosureChange(ClosureEvent(event), closure))
        return due

    def kept_reservations(self, reservations: Sequence[Reservation]) -> tuple[Reservation, ...]:
        """Return the reservations of the run as they were kept, without those that slid to its end.

        Parameters
        ----------
        reservations : sequence of Reservation
            All, as they were planned; their closures have the last numbers, in this order.
        """
        first = self._count - len(reservations)
        numbered = ((self._fixed.get(number), one) for number, one in enumerate(reservations, start=first))
        return tuple(replace(one, start=there.start, end=there.end) for there, one in numbered if there)

    def lapsed_jobs(self, closure: Closure) -> frozenset[int]:
        """Return the positions of the jobs that name this reservation, if all of its name are over now."""
        self._left[closure.name] -= 1
        return frozenset() if self._left[closure.name] else closure.named_by

    def _plan(self, time: float, event: ClosureEvent, closure: Closure) -> None:
        heappush(self._heap, (time, int(event), closure.number, closure))


def slide_ahead(closure: Closure, now: float) -> Closure:
    """Return a sliding closure as it is from `now` on: at the first full hour that is far enough away."""
    start = HOUR * math.ceil((now + closure.slide) / HOUR)
    return replace(closure, start=start, end=start + (closure.end - closure.start))
