"""Closures: when nodes are closed to which jobs, by drains, maintenance and advance reservations."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.resources.node_set import NodeSet, mask_of, node_set
from echelon.model import Job

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import IntColumn

    Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class Closure:
    """Nodes of one leaf that are closed from `start` to `end` to all jobs but those that may use them.

    Parameters
    ----------
    start, end : float
        In seconds; `end` may be infinite.
    nodes : tuple of int
        Numbers of nodes of the leaf, from 0, ascending.
    known : float
        When its scheduler learns of it, in seconds, at `start` at the latest.
    number : int
        Among the closures of the run, from 0.
    site : int, default 0
        The leaf, by its index in the platform.
    drains : bool, default False
        Whether it forbids only starts inside it. Else no job may be planned to meet it.
    evicts : bool, default False
        Whether it kills jobs that run there when it begins and may not use it.
    may_use : frozenset of int, default empty
        Positions of the jobs with access, of those that name it, too.
    named_by : frozenset of int, default empty
        Positions of the jobs that may run only in it.
    name : str, default ``""``
        Of the reservation; several may have one name, of which a job may use each.
    flex, overrun : bool, default False
        See `echelon.model.machines.reservations.Reservation`.
    slide : float, default 0
        How far it is kept ahead until a job wants it, in seconds; 0: it does not move.
    """

    start: float
    end: float
    nodes: tuple[int, ...]
    known: float
    number: int
    site: int = 0
    drains: bool = False
    evicts: bool = False
    may_use: frozenset[int] = frozenset()
    named_by: frozenset[int] = frozenset()
    name: str = ""
    flex: bool = False
    overrun: bool = False
    slide: float = 0.0

    def is_on(self, now: float) -> bool:
        """Return whether it has begun and is not over."""
        return self.start <= now < self.end

    def bars(self, position: int, start: float, end: float) -> bool:
        """Return whether a job may not hold its nodes in [start, end)."""
        if not (self.start < end and start < self.end) or (self.drains and start < self.start):
            return False
        return position not in self.may_use

    def takes_in(self, start: float, end: float) -> bool:
        """Return whether a job that names it may run in [start, end)."""
        return start < self.end and (self.flex or (self.start <= start and end <= self.end))


class Closures:
    """The closures of one leaf, as a calendar that says which nodes are open to a job.

    Parameters
    ----------
    closures : iterable of Closure
        Of this leaf, in any order.
    nodes : int
        Number of its nodes.
    elsewhere : frozenset of int, default empty
        Positions of the jobs that name reservations of other leaves alone: they can never start here.
    until : float, default infinity
        Nothing that becomes known later counts: a plan made now knows no more as it looks ahead.

    Notes
    -----
    Cost of each question: O(log closures + closures that overlap the interval), each a step over a set of
    nodes.
    """

    def __init__(
        self,
        closures: Iterable[Closure],
        nodes: int,
        *,
        elsewhere: frozenset[int] = frozenset(),
        until: float = math.inf,
    ) -> None:
        self.all = tuple(sorted(closures, key=lambda one: (one.start, one.number)))
        self._count, self._elsewhere, self._until = nodes, elsewhere, until
        self._starts = [one.start for one in self.all]
        # The latest end of each and all before: ascending, so it can be searched.
        self._latest = list(accumulate((one.end for one in self.all), max))
        self._sets: dict[int, NodeSet] = {one.number: node_set(one.nodes) for one in self.all}
        self._every = (1 << nodes) - 1
        # The set that was last asked for as a mask: jobs one after the other mostly see the same.
        self._last: tuple[NodeSet, Mask | None] = (0, None)

    @cached_property
    def _named(self) -> Mapping[int, tuple[Closure, ...]]:
        """The reservations that each job names, by its position."""
        closures: dict[int, tuple[Closure, ...]] = {}
        for one in self.all:
            for position in one.named_by:
                closures[position] = (*closures.get(position, ()), one)
        return closures

    def as_seen_at(self, now: float) -> Closures:
        """Return the closures that are known at `now`, in seconds, for a plan that looks ahead."""
        twin = copy(self)
        twin.__dict__["_until"] = min(now, self._until)
        return twin

    def replace(self, closure: Closure) -> Closures:
        """Return the closures with this one instead of the one of its number."""
        others = [one for one in self.all if one.number != closure.number]
        return Closures([*others, closure], self._count, elsewhere=self._elsewhere, until=self._until)

    def mask_closed_to(self, job: Job, start: float, end: float, now: float) -> Mask | None:
        """Return the nodes that `job` may not hold in [start, end), as planned now; None if it may hold all.

        Parameters
        ----------
        job : Job
            It would start at `start`.
        start, end, now : float
            In seconds.
        """
        return self._mask(self.nodes_closed_to(job, start, end, now))

    def nodes_closed_to(self, job: Job, start: float, end: float, now: float) -> NodeSet:
        """Return the nodes that `job` may not hold in [start, end), as planned now; see `mask_closed_to`.

        What is closed at one start stays closed at all later ones before the `next_opening`.
        """
        position, nodes = job.position, 0
        for one in self._closures_between(start, end):
            if self._is_known(one, now) and one.bars(position, start, end):
                nodes |= self._sets[one.number]
        if position in self._elsewhere:
            return self._every
        if (named := self._named.get(position)) is None:
            return nodes
        inside = 0
        for one in named:
            if self._is_known(one, now) and one.takes_in(start, end):
                inside |= self._sets[one.number]
        return nodes | (self._every & ~inside)

    def _mask(self, nodes: NodeSet) -> Mask | None:
        """Return a set of nodes as a mask, None if it is empty."""
        if nodes != self._last[0]:
            self._last = nodes, mask_of(nodes, self._count)
        return self._last[1] if nodes else None

    def first_open(self, job: Job, node: int, start: float, now: float) -> float:
        """Return when, from `start` on, a node is first open to `job` for its planned time, as planned now.

        In seconds; infinity if never.
        """
        time = start
        while time < math.inf and self.nodes_closed_to(job, time, time + job.planned_time, now) >> node & 1:
            time = self.next_opening(job, time, now)
        return time

    def openings(self, job: Job, after: float, now: float) -> list[float]:
        """Return the times from which more may be open to `job`, as planned now, ascending, in seconds.

        Those beyond `after` alone, in seconds.
        """
        first, position = bisect_right(self._latest, after), job.position
        times = {
            one.end
            for one in self.all[first:]
            if after < one.end < math.inf and self._is_known(one, now) and position not in one.may_use
        }
        named = self._named.get(position, ())
        times.update(one.start for one in named if one.start > after and self._is_known(one, now))
        return sorted(times)

    def next_opening(self, job: Job, after: float, now: float) -> float:
        """Return the first of the `openings` beyond `after`, in seconds; infinity if there is none."""
        position, opening = job.position, math.inf
        for one in self._named.get(position, ()):
            if after < one.start < opening and self._is_known(one, now):
                opening = one.start
        for place in range(bisect_right(self._latest, after), len(self.all)):
            one = self.all[place]
            if one.start >= opening:
                break
            if after < one.end < opening and self._is_known(one, now) and position not in one.may_use:
                opening = one.end
        return opening

    def next_change(self, now: float) -> float:
        """Return when a known one next begins or ends after `now`, in seconds; infinity if none does."""
        closures = [one for one in self.all if one.end > now and self._is_known(one, now)]
        times = (time for one in closures for time in (one.start, one.end) if time > now)
        return min(times, default=math.inf)

    def end_at(self, now: float) -> bool:
        """Return whether a known one ends now."""
        return any(one.end == now and self._is_known(one, now) for one in self.all)

    def current_closures(self, now: float) -> list[Closure]:
        """Return those that have begun and are not over."""
        return [one for one in self._closures_between(now, math.nextafter(now, math.inf)) if one.is_on(now)]

    def mask_closed_now(self, now: float) -> Mask | None:
        """Return the nodes that are not open to all jobs now; None if all are."""
        return self._mask(self.nodes_closed_now(now))

    def nodes_closed_now(self, now: float) -> NodeSet:
        """Return the nodes that are not open to all jobs now."""
        nodes = 0
        for one in self.current_closures(now):
            nodes |= self._sets[one.number]
        return nodes

    def first_now(self, now: float) -> frozenset[int]:
        """Return the positions of the jobs that are tried first: their reservation is on."""
        return frozenset().union(*(one.named_by for one in self.current_closures(now)))

    def _closures_between(self, start: float, end: float) -> tuple[Closure, ...]:
        """Return those that may meet [start, end)."""
        return self.all[bisect_right(self._latest, start) : bisect_left(self._starts, end)]

    def _is_known(self, closure: Closure, now: float) -> bool:
        return closure.known <= min(now, self._until)


ANYBODY = Job(-1, -1, 0.0, 1, 0.0)
"""A job that has access to nothing that is reserved."""


def open_cores(cores: IntColumn, closed: Mask | None) -> IntColumn:
    """Return the free cores of each node, none in those that are closed."""
    return cores if closed is None else np.where(closed, 0, cores)
