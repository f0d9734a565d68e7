"""Capacity: when processors or nodes go down and come back, as a stream of events."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.model import Job
from echelon.policies import Running

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence


class Outage(NamedTuple):
    """A part of a resource is down in [start, end); its scheduler knows from the start when it comes back.

    To everything that looks ahead it is a holder like a running job, one that is planned to end.

    Attributes
    ----------
    start, end : float
        In seconds.
    nodes : sequence of int
        Numbers of the nodes, where jobs hold cores of nodes.
    processors : int
        How many are down, where they are only counted.
    site : int
        The leaf, by its index in the platform.
    number : int
        Among the outages of a run, from 0.
    """

    start: float
    end: float
    nodes: Sequence[int] = ()
    processors: int = 0
    site: int = 0
    number: int = 0

    def holding(self, size: int) -> Running:
        """Return the outage as a holder of `size` processors, at a position before those of jobs."""
        position = -1 - self.number
        return Running(self.end, position, Job(position, -1, self.start, size, self.end - self.start))


class Change(NamedTuple):
    """The begin or the end of an outage, at a time in seconds."""

    time: float
    down: bool
    outage: Outage


class Capacity:
    """The changes of capacity of a run by time: what comes back before what goes down, then as given.

    Parameters
    ----------
    outages : iterable of Outage
        In any order; their numbers are given here.

    Attributes
    ----------
    next_time : float
        When the capacity next changes, in seconds; infinity if never again.
    """

    def __init__(self, outages: Iterable[Outage] = ()) -> None:
        numbered = [
            outage._replace(number=number, start=float(outage.start), end=float(outage.end))
            for number, outage in enumerate(outages)
        ]
        begins = [Change(outage.start, True, outage) for outage in numbered]
        ends = [Change(outage.end, False, outage) for outage in numbered]
        # The next is last.
        self._changes = sorted((*begins, *ends), key=lambda change: (change.time, change.down))[::-1]
        self.next_time = self._changes[-1].time if self._changes else math.inf

    def take(self, now: float) -> list[Change]:
        """Return the changes that are due by `now`, once."""
        due = []
        while self._changes and self._changes[-1].time <= now:
            due.append(self._changes.pop())
        self.next_time = self._changes[-1].time if self._changes else math.inf
        return due
