"""Capacity: when processors or nodes go down and come back, as a stream of events."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from echelon.model import Job, OutageKind
from echelon.policies import Running

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from echelon.availability import Changes


class Outage(NamedTuple):
    """A part of a resource is down in [start, end).

    To everything that looks ahead it is a holder like a running job, one that is planned to end.

    Attributes
    ----------
    start, end : float
        In seconds.
    nodes : tuple of int
        Numbers of the nodes, where jobs hold cores of nodes.
    processors : int
        How many are down, where they are only counted.
    site : int
        The leaf, by its index in the platform.
    number : int
        Among the outages of a run, from 0.
    repair : float
        How long schedulers believe that it takes, in seconds, and again whenever that has passed; 0: they
        know its end; infinity: they know nothing.
    kind : OutageKind
        Why.
    """

    start: float
    end: float
    nodes: Sequence[int] = ()
    processors: int = 0
    site: int = 0
    number: int = 0
    repair: float = 0.0
    kind: OutageKind = OutageKind.FAIL

    def expected_end(self, now: float) -> float:
        """Return when schedulers believe at `now` that it ends, in seconds: later than now."""
        if not self.repair or self.repair == math.inf:
            return self.repair or self.end
        times = max(1, math.floor((now - self.start) / self.repair))
        while self.start + times * self.repair <= now:
            times += 1
        return self.start + times * self.repair

    def holding(self, size: int, now: float) -> Running:
        """Return the outage as a holder of `size` processors, at a position before those of jobs."""
        position, end = -1 - self.number, self.expected_end(now)
        return Running(end, position, Job(position, -1, self.start, size, end - self.start))


class Change(NamedTuple):
    """The begin or the end of an outage, at a time in seconds."""

    time: float
    down: bool
    outage: Outage


class Capacity:
    """The changes of capacity of a run by time: what comes back before what goes down, then as given.

    An outage of no length goes down and is back at once.

    Parameters
    ----------
    outages : iterable of Outage
        In any order; their numbers are given here.

    Attributes
    ----------
    next_time : float
        When the capacity next changes, or is next known to stay down, in seconds; infinity if never again.
    """

    def __init__(self, outages: Iterable[Outage] = ()) -> None:
        numbered = [
            outage._replace(number=number, start=float(outage.start), end=float(outage.end))
            for number, outage in enumerate(outages)
        ]
        begins = [Change(outage.start, True, outage) for outage in numbered]
        ends = [Change(outage.end, False, outage) for outage in numbered if outage.end < math.inf]
        # Of two changes of one outage its begin comes first, and all other ends before all begins.
        changes = (*begins, *ends)
        self._changes = sorted(changes, key=_turn)[::-1]
        # When the repair of what is down was expected.
        self._late: list[tuple[float, int, Outage]] = []
        self._find_next()

    @classmethod
    def of(cls, changes: Changes) -> Capacity:
        """Return the failures of a run; drains, maintenance and reservations take no capacity by themselves.

        On a machine of counted processors every processor is a node.
        """
        repair = {"known": 0.0, "unknown": math.inf}.get(str(changes.repair))
        return cls(_failures(changes, float(changes.repair) if repair is None else repair))

    def _find_next(self) -> None:
        self.next_time = min(self.next_change, self.next_late)

    @property
    def next_change(self) -> float:
        """When something next goes down or comes back, in seconds; infinity if never again."""
        # The next is last.
        return self._changes[-1].time if self._changes else math.inf

    @property
    def next_late(self) -> float:
        """When something is next known to stay down, in seconds; infinity if never again."""
        return self._late[0][0] if self._late else math.inf

    @property
    def period(self) -> float:
        """Seconds from one renewal of an estimate to the next; infinity if nothing is expected."""
        # A run has one estimate for all.
        return self._late[0][2].repair if self._late else math.inf

    def first_late(self, now: float) -> float:
        """Return when something is known to stay down, first after `now`, if nothing changes until then.

        Cost: O(outages that last).
        """
        return min(outage.expected_end(now) for *_, outage in self._late)

    @property
    def only_expects(self) -> bool:
        """Whether nothing ever changes again, but what is down is expected back again and again."""
        return bool(self._late) and not self._changes

    def take(self, now: float) -> list[Change]:
        """Return the changes that are due by `now`, once."""
        due = []
        while self._changes and self._changes[-1].time <= now:
            due.append(change := self._changes.pop())
            if change.down:
                self._expect(change.outage, now)
        self._find_next()
        return due

    def take_late(self, now: float) -> list[Outage]:
        """Return the outages that were expected to end by `now`, and go on, once each."""
        outages = []
        while self._late and self._late[0][0] <= now:
            outage = heappop(self._late)[2]
            if outage.end > now:
                outages.append(outage)
                self._expect(outage, now)
        self._find_next()
        return outages

    def _expect(self, outage: Outage, now: float) -> None:
        if (time := outage.expected_end(now)) < outage.end:
            heappush(self._late, (time, outage.number, outage))


def _turn(change: Change) -> tuple[float, int, int]:
    """Return what changes happen by: time, then ends, begins, ends of outages of no length."""
    ends_at_once = not change.down and change.outage.start == change.outage.end
    return change.time, 2 if ends_at_once else int(change.down), change.outage.number


def _failures(changes: Changes, repair: float) -> Iterator[Outage]:
    table = changes.outages
    for row in range(len(table)):
        if table.kind[row] == OutageKind.FAIL:
            nodes = tuple(table.nodes_of(row).tolist())
            span = float(table.start[row]), float(table.end[row])
            yield Outage(*span, nodes, len(nodes), int(table.site[row]), repair=repair)
