"""TimeSharedMachine: the processes on one machine without a queue, and when each is done."""

from __future__ import annotations

import math
from heapq import heapify, heappop, heappush
from typing import NamedTuple

from echelon.execution.processor_sharing import ALONE, services

ROUNDING = 8
"""ENDs that are so many spacings of float64 numbers apart, or fewer, are one instant."""


class Member(NamedTuple):
    """A job on the machine, whose times are on the clock of its kind.

    Attributes
    ----------
    processes : int
        Its processors.
    joined, finish, planned : float
        When it came, when it is done, and when it would be done by its planned time.
    """

    processes: int
    joined: float
    finish: float
    planned: float


class _Kind:
    """Processes that ask for equally much of a core: they all continue at one pace.

    Its clock shows what each process that was there all the time has been served so far, in seconds of its
    time alone. So an END is known once and for all when a job joins, and nothing is done a job when others
    come and go.
    """

    def __init__(self, demand: float) -> None:
        self.demand = demand
        self.clock = 0.0
        self.processes = 0
        self.service = ALONE
        self.members: dict[int, Member] = {}
        self._ends: list[tuple[float, int]] = []

    def add(self, key: int, member: Member) -> None:
        self.members[key] = member
        self.processes += member.processes
        heappush(self._ends, (member.finish, key))

    def remove(self, key: int) -> Member:
        member = self.members.pop(key)
        self.processes -= member.processes
        return member

    def first(self) -> tuple[float, int] | None:
        """Return what the clock will show when the next job is done, and its key; None if there is none."""
        ends = self._ends
        while ends and ((member := self.members.get(ends[0][1])) is None or member.finish != ends[0][0]):
            heappop(ends)
        return ends[0] if ends else None

    def left(self, finish: float) -> float:
        """Return how long it is, at the present pace, until the clock shows `finish`, in seconds."""
        return max(0.0, finish - self.clock) * self.service.wanted / self.service.given

    def by_plan(self) -> _Kind:
        """Return the same processes, to end when they are planned to."""
        twin = _Kind(self.demand)
        twin.clock, twin.processes, twin.service = self.clock, self.processes, self.service
        twin.members = {key: member._replace(finish=member.planned) for key, member in self.members.items()}
        twin._ends = [(member.finish, key) for key, member in twin.members.items()]
        heapify(twin._ends)
        return twin


class TimeSharedMachine:
    """Cores that all processes share evenly, without a queue.

    Parameters
    ----------
    cores : int
        At least 1.

    Attributes
    ----------
    processes : int
        There now.
    load : float
        Processes that run or are ready to, those that wait for input or output apart.
    since : float
        When the machine was last looked after, in seconds.

    Notes
    -----
    **Cost**: O(kinds + log jobs) a job that comes or goes, where jobs of one kind ask for equally much of a
    core: one kind if all are CPU-bound. **Rounding**: jobs that come together with equal work end together,
    in the same bits; one job that is there alone ends at start + its time. Where the pace is no fraction
    that float64 can hold, ENDs err by a few spacings, and `ROUNDING` makes those one that should be.
    """

    def __init__(self, cores: int) -> None:
        self.cores = cores
        self.processes = 0
        self.load = self.since = 0.0
        self._kinds: dict[float, _Kind] = {}
        self._kind_of: dict[int, _Kind] = {}
        self._planned_work = 0.0

    def __len__(self) -> int:
        """Return the number of jobs there."""
        return len(self._kind_of)

    def join(
        self, key: int, now: float, *, processes: int, demand: float, alone: tuple[float, float]
    ) -> None:
        """Let a job begin now.

        Parameters
        ----------
        key : int
            By which it is known here.
        now : float
            In seconds, not before `since`.
        processes : int
            Of the job.
        demand : float
            What each asks for of a core, in (0, 1].
        alone : (float, float)
            How long it takes alone, really and as planned, in seconds.
        """
        self.advance(now)
        kind = self._kinds.get(demand)
        if kind is None:
            kind = _Kind(demand)
            self._kinds[demand] = kind
            self._kinds = dict(sorted(self._kinds.items()))
        kind.add(key, Member(processes, kind.clock, kind.clock + alone[0], kind.clock + alone[1]))
        self._kind_of[key] = kind
        self.processes += processes
        self._planned_work += processes * demand * alone[1]
        self._share()

    def leave(self, key: int, now: float) -> float:
        """Let a job go now, done or not; return how long each of its processes has computed, in seconds."""
        self.advance(now)
        kind = self._kind_of[key]
        computed = (kind.clock - kind.members[key].joined) * kind.demand
        self._remove(key)
        self._share()
        return computed

    def advance(self, now: float) -> None:
        """Let time pass until `now`; nothing may end or begin before it."""
        passed = now - self.since
        if passed <= 0:
            return
        for kind in self._kinds.values():
            served = passed * kind.service.given / kind.service.wanted
            kind.clock += served
            self._planned_work -= kind.processes * kind.demand * served
        self.since = now

    def next_end(self) -> float:
        """Return when the next job ends without further arrivals, in seconds; infinity if there is none."""
        left = math.inf
        for kind in self._kinds.values():
            if (first := kind.first()) is not None:
                left = min(left, kind.left(first[0]))
        return max(self.since + left, math.nextafter(self.since, math.inf))

    def take_ends(self, now: float) -> list[int]:
        """Let the jobs go that are done now; return their keys."""
        self.advance(now)
        done = []
        for kind in tuple(self._kinds.values()):
            while (first := kind.first()) is not None and _is_now(kind, first[0], now):
                # Here the clock stands, whatever rounding made of it.
                kind.clock = first[0]
                self._remove(first[1])
                done.append(first[1])
        self._share()
        return done

    def planned_work(self, now: float) -> float:
        """Return what is left to compute at `now` of the jobs there, as planned, in seconds of one core."""
        passed = now - self.since
        served = sum(
            kind.processes * kind.demand * passed * kind.service.given / kind.service.wanted
            for kind in self._kinds.values()
        )
        return max(0.0, self._planned_work - served)

    def by_plan(self) -> TimeSharedMachine:
        """Return the same machine at its `since`, whose jobs end when they are planned to."""
        twin = TimeSharedMachine(self.cores)
        twin.processes, twin.load, twin.since = self.processes, self.load, self.since
        twin._kinds = {demand: kind.by_plan() for demand, kind in self._kinds.items()}
        twin._kind_of = {key: twin._kinds[kind.demand] for key, kind in self._kind_of.items()}
        return twin

    def _remove(self, key: int) -> None:
        kind = self._kind_of.pop(key)
        member = kind.remove(key)
        self.processes -= member.processes
        self._planned_work -= member.processes * kind.demand * (member.planned - kind.clock)
        if not kind.members:
            del self._kinds[kind.demand]
        if not self._kind_of:
            # Sums of fractions need not return to exactly 0.
            self._planned_work = 0.0

    def _share(self) -> None:
        """Give the cores to the processes that are there now."""
        kinds = self._kinds.values()
        found = services([kind.demand for kind in kinds], [kind.processes for kind in kinds], self.cores)
        self.load = 0.0
        for kind, service in zip(kinds, found, strict=True):
            kind.service = service
            self.load += kind.processes * (1 - service.given / service.wanted * (1 - kind.demand))


def _is_now(kind: _Kind, finish: float, now: float) -> bool:
    """Return whether the job that ends when the clock shows `finish` has ended, except for rounding."""
    most = ROUNDING * max(math.ulp(finish) * kind.service.wanted / kind.service.given, math.ulp(now))
    return kind.left(finish) <= most
