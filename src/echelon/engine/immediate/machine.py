"""TimeSharedMachine: the processes on one time-shared machine, and when each ends."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.engine.progress.agenda import Agenda
from echelon.engine.progress.progress_model import ProgressModel
from echelon.engine.progress.rates import BLUR
from echelon.execution.processor_sharing import ALONE, services

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Sequence

    from echelon.engine.resources.capacity import Outage
    from echelon.model import Job


class Member(NamedTuple):
    """A job on the machine, whose times are on the clock of its kind.

    Attributes
    ----------
    processes : int
        Its processes.
    joined, planned : float
        Its arrival and its planned end.
    """

    processes: int
    joined: float
    planned: float


class _Kind:
    """Processes with equal demand for a core: they all progress at one pace.

    Its clock shows the service that a process present all the time has received so far, in seconds of its
    time alone. So an END is known for good when a job joins, and nothing is done for a job when others
    arrive and leave.
    """

    def __init__(self, demand: float, *, puts_off: bool = False) -> None:
        self.demand = demand
        self._puts_off = puts_off
        self.clock = 0.0
        self.processes = 0
        self.service = ALONE
        self.members: dict[int, Member] = {}
        self.ends: Agenda[int] = Agenda()
        # Planned ends that jobs may outlive, where predictions are corrected.
        self.plans: Agenda[int] = Agenda()

    def add(self, key: int, member: Member, finish: float) -> None:
        self.members[key] = member
        self.processes += member.processes
        self.ends.plan(key, finish)
        if self._puts_off:
            self.plans.plan(key, member.planned)

    def remove(self, key: int) -> Member:
        member = self.members.pop(key)
        self.processes -= member.processes
        self.ends.take(key)
        self.plans.take(key)
        return member

    def time_until(self, finish: float) -> float:
        """Return the time, at the present pace, until the clock shows `finish`, in seconds."""
        return max(0.0, finish - self.clock) * self.service.demand / self.service.supply

    def shows(self, passed: float) -> float:
        """Return what the clock shows in `passed` seconds at the present pace."""
        return self.clock + passed * self.service.supply / self.service.demand

    def by_plan(self) -> _Kind:
        """Return the same processes with their planned ends."""
        twin = _Kind(self.demand)
        twin.clock, twin.processes, twin.service = self.clock, self.processes, self.service
        twin.members = dict(self.members)
        twin.ends = Agenda((key, member.planned) for key, member in self.members.items())
        return twin


class Work(NamedTuple):
    """What a job does on the machine: how it holds the cores that all share.

    Attributes
    ----------
    demand : float
        Demand of each process for a core, in (0, 1].
    alone, planned : float
        Its time alone, actual and planned, in seconds.
    longest : float
        How long it may run until it is cut, in seconds.
    """

    demand: float
    alone: float
    planned: float
    longest: float = math.inf


class TimeSharedMachine(ProgressModel):
    """Cores that all processes share evenly, without a queue: a resource and its progress in one.

    It implements `echelon.engine.resources.resource.Resource`: there is room for every job.

    All processes of equal demand have one rate at a time, so that their ends need not be predicted again when
    it changes, as `echelon.engine.progress.rates.Rates` would: they are planned on a clock of their kind.

    Parameters
    ----------
    cores : int
        At least 1.
    puts_off : bool, default False
        Whether jobs may outlive their planned ends, which are then put off.

    Attributes
    ----------
    processors, cores : int
        All cores, and those that are not down.
    processes : int
        Number of processes now.
    load : float
        Processes that run or are ready to run, without those that wait for input or output.
    since : float
        Time of the last update of the machine, in seconds.
    cut : dict of int to float
        Computing time of each process of the jobs that were cut, in seconds, by key.
    down : list of Outage
        What has taken cores that are not back.

    Notes
    -----
    **Cost**: O(kinds + log jobs) per arrival or end, where jobs of one kind have equal demand for a core: one
    kind if all are CPU-bound. **Rounding**: jobs that arrive together with equal work end together, in the
    same bits; a job that is alone ends at start + its time. Where float64 cannot hold the pace exactly, ENDs
    err by a few spacings, and `BLUR` joins those that should be one.
    """

    blur = BLUR

    def __init__(self, cores: int, *, puts_off: bool = False) -> None:
        self.processors = self.cores = cores
        self._puts_off = puts_off
        self.cut: dict[int, float] = {}
        self._cuts: Agenda[int] = Agenda()
        self.processes = 0
        self.load = self.since = 0.0
        self._kinds: dict[float, _Kind] = {}
        self._kind_of: dict[int, _Kind] = {}
        self._planned_work = 0.0
        # Jobs that are not cut and whose actual time is longer than the planned one.
        self._short: set[int] = set()
        self.down: list[Outage] = []

    @property
    def free(self) -> int:
        """The cores that would idle if its processes only computed."""
        return max(0, self.cores - self.processes)

    def __len__(self) -> int:
        """Return the number of jobs there."""
        return len(self._kind_of)

    def take(self, job: Job, holding: Work, now: float) -> None:
        """See `Resource.take`; `now` is not before `since`."""
        self.advance(now)
        demand, alone, planned, longest = holding
        kind = self._kinds.get(demand)
        if kind is None:
            kind = _Kind(demand, puts_off=self._puts_off)
            self._kinds[demand] = kind
            self._kinds = dict(sorted(self._kinds.items()))
        kind.add(job.position, Member(job.processors, kind.clock, kind.clock + planned), kind.clock + alone)
        self._kind_of[job.position] = kind
        self._cuts.plan(job.position, now + longest)
        if planned < alone and longest == math.inf:
            self._short.add(job.position)
        self.processes += job.processors
        self._planned_work += job.processors * demand * planned
        self._share()

    def give(self, job: Job, now: float, part: None = None) -> float:
        """See `Resource.give`, complete or not; return the computing time of each process, in seconds."""
        return self._leave(job.position, now)

    def _leave(self, key: int, now: float) -> float:
        self.advance(now)
        kind = self._kind_of[key]
        computed = (kind.clock - kind.members[key].joined) * kind.demand
        self._remove(key)
        self._share()
        return computed

    def holders(self, outage: Outage, running: Callable[[], Sequence[Job]]) -> list[Job]:
        """See `Resource.holders`: none while some core is left, which they share."""
        return [] if self.cores_without([outage]) else list(running())

    def change(self, outage: Outage, now: float, *, down: bool) -> None:
        """See `Resource.change`."""
        self.advance(now)
        if down:
            self.down.append(outage)
        else:
            self.down.remove(outage)
        self.cores = self.cores_without([])
        self._share()

    def cores_without(self, more: Iterable[Outage], *, of_all: bool = False) -> int:
        """Return the cores that would be left if these outages took theirs, too, or `of_all` these alone.

        A core that several take is gone once; outages without numbers of cores take others.
        """
        down = (*(() if of_all else self.down), *more)
        gone = len({node for outage in down for node in outage.nodes})
        left: int = self.processors - gone - sum(one.processors for one in down if not one.nodes)
        return max(0, left)

    def advance(self, now: float) -> None:
        """Advance the time to `now`; no job may end or start before it."""
        passed = now - self.since
        if passed <= 0:
            return
        for kind in self._kinds.values():
            served = passed * kind.service.supply / kind.service.demand
            kind.clock += served
            self._planned_work -= kind.processes * kind.demand * served
        self.since = now

    def next_end(self) -> float:
        """Return when the next job ends without further arrivals, in seconds; infinity if there is none."""
        kinds = self._kinds.values()
        left = min((kind.time_until(kind.ends.first()) for kind in kinds), default=math.inf)
        return max(self.since + left, math.nextafter(self.since, math.inf))

    def next_planned(self) -> float:
        """Return when the next job reaches a planned end that it may outlive, in seconds, or infinity."""
        kinds = self._kinds.values()
        return self.since + min((kind.time_until(kind.plans.first()) for kind in kinds), default=math.inf)

    def late_jobs(self, now: float) -> list[int]:
        """Return the jobs that run on at their planned ends, of which no END is left now, by kind and end."""
        late: list[int] = []
        for kind in self._kinds.values():
            while (first := kind.plans.first()) < math.inf and _is_now(kind, first, now):
                late += kind.plans.take_all(first)
        return late

    def put_off(self, key: int, planned: float) -> None:
        """Plan that a late job takes so long, in seconds alone, unless that is over, too."""
        kind = self._kind_of[key]
        member = kind.members[key]
        end = member.joined + planned
        if end > member.planned:
            kind.members[key] = member._replace(planned=end)
            kind.plans.plan(key, end)
            self._planned_work += member.processes * kind.demand * (end - member.planned)

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`: without further arrivals."""
        end, cut = self.next_end(), self._cuts.first()
        # A job that is complete at its cut, but for rounding, is not cut.
        both = abs(end - cut) <= BLUR * math.ulp(cut) if cut < math.inf else False
        return min(other, max(end, cut) if both else min(end, cut), *planned)

    def jobs_due(self, now: float) -> list[int]:
        """See `ProgressModel.jobs_due`: those complete first; all leave the machine."""
        done = self.take_ends(now)
        for key in self._cuts.take_all(now):
            self.cut[key] = self._leave(key, now)
            done.append(key)
        return done

    def take_ends(self, now: float) -> list[int]:
        """Remove the jobs that are complete now; return their keys."""
        self.advance(now)
        done = []
        for kind in tuple(self._kinds.values()):
            while kind.members and _is_now(kind, finish := kind.ends.first(), now):
                # The clock is exactly here, without rounding errors.
                kind.clock = finish
                key = next(kind.ends.take_all(finish))
                self._remove(key)
                done.append(key)
        self._share()
        return done

    def run(self, ends: dict[int, float], until: float) -> None:
        """Advance to a time; note when jobs end on the way, at their cuts at the latest."""
        while len(self):
            end, cut = self.next_end(), self._cuts.first()
            if min(end, cut) > until:
                return
            if end <= cut:
                ends.update(dict.fromkeys(self.take_ends(end), end))
            else:
                key = next(self._cuts.take_all(cut))
                self._leave(key, cut)
                ends[key] = cut

    def _outliving_members(self, now: float) -> Iterator[tuple[int, Member]]:
        """Yield the jobs that run on beyond their planned ends at `now`, each planned until it ends."""
        for key in sorted(self._short):
            kind = self._kind_of[key]
            member = kind.members[key]
            if member.planned <= kind.shows(max(0.0, now - self.since)):
                yield key, member._replace(planned=kind.ends.time(key))

    def planned_work(self, now: float) -> float:
        """Return the planned work left at `now`, in seconds of one core.

        That of a job that runs on beyond its planned end is its actual work.
        """
        passed = now - self.since
        served = sum(
            kind.processes * kind.demand * passed * kind.service.supply / kind.service.demand
            for kind in self._kinds.values()
        )
        longer = 0.0
        for key, member in self._outliving_members(now):
            kind = self._kind_of[key]
            longer += member.processes * kind.demand * (member.planned - kind.members[key].planned)
        return max(0.0, self._planned_work + longer - served)

    def by_plan(self, now: float = 0.0) -> TimeSharedMachine:
        """Return the same machine at its `since`, with the planned ends of its jobs.

        Of a job that runs on beyond its planned end at `now`, if that is later, it is the actual end. As many
        cores as now are planned to be down for good; if all are, none.
        """
        twin = TimeSharedMachine(self.cores or self.processors)
        twin.processes, twin.load, twin.since = self.processes, self.load, self.since
        twin._kinds = {demand: kind.by_plan() for demand, kind in self._kinds.items()}
        twin._kind_of = {key: twin._kinds[kind.demand] for key, kind in self._kind_of.items()}
        twin._cuts = self._cuts.copy()
        for key, member in self._outliving_members(now):
            twin._kind_of[key].members[key] = member
            twin._kind_of[key].ends.plan(key, member.planned)
        return twin

    def _remove(self, key: int) -> None:
        kind = self._kind_of.pop(key)
        member = kind.remove(key)
        self._cuts.take(key)
        self._short.discard(key)
        self.processes -= member.processes
        self._planned_work -= member.processes * kind.demand * (member.planned - kind.clock)
        if not kind.members:
            del self._kinds[kind.demand]
        if not self._kind_of:
            # Sums of fractions need not return to exactly 0.
            self._planned_work = 0.0

    def _share(self) -> None:
        """Share the cores among the present processes."""
        kinds = self._kinds.values()
        shares = services([kind.demand for kind in kinds], [kind.processes for kind in kinds], self.cores)
        self.load = 0.0
        for kind, service in zip(kinds, shares, strict=True):
            kind.service = service
            self.load += kind.processes * (1 - service.supply / service.demand * (1 - kind.demand))


def _is_now(kind: _Kind, finish: float, now: float) -> bool:
    """Return whether the job that ends when the clock shows `finish` has ended, except for rounding."""
    most = BLUR * max(math.ulp(finish) * kind.service.demand / kind.service.supply, math.ulp(now))
    return kind.time_until(finish) <= most
