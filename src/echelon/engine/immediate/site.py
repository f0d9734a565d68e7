"""TimeSharedSite: one time-shared machine of a run: every job starts as soon as it joins."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

from echelon.engine.immediate.machine import ROUNDING, TimeSharedMachine
from echelon.engine.tree.frozen_leaf import FrozenLeaf
from echelon.engine.tree.leaf import Leaf
from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.immediate.accounting import RecentJobs
    from echelon.engine.immediate.machines import MachineParts
    from echelon.engine.immediate.monitoring import Daemon
    from echelon.engine.observer import Place
    from echelon.model import Job


class Copy(NamedTuple):
    """One copy of a job at a site: its start, and the computing time of its processes, in seconds.

    The latter is known when it has ended.
    """

    job: Job
    site: int
    start: float
    computed: float = math.nan


class TimeSharedSite(Leaf):
    """A time-shared machine: its cores, the jobs on it, and the load that it publishes.

    Parameters
    ----------
    parts : MachineParts
        What the time-shared machines of a run share.
    place : Place
        Its index and name.
    cores : int
        At least 1.
    speed : float
        Of a core.
    monitored : pair of Daemon and RecentJobs
        What it publishes, and the jobs that its last publications do not reflect.

    Attributes
    ----------
    running : dict of int to Copy
        Copies that run here, by the job's position.
    """

    blur = ROUNDING
    has_queue = False
    predicts_starts = True
    counts_its_jobs = True

    def __init__(
        self,
        parts: MachineParts,
        place: Place,
        cores: int,
        speed: float,
        *,
        monitored: tuple[Daemon, RecentJobs],
    ) -> None:
        self.ledger = parts.ledger
        self.above = []
        self.machine = TimeSharedMachine(cores)
        self.speed = speed
        self.place = place
        self.running: dict[int, Copy] = {}
        self._computing, self._record, self._cpu_times = parts.computing, parts.record, parts.cpu_times
        self.daemon, self._recent = monitored
        self._done: dict[int, Copy] = {}
        self._cuts: list[tuple[float, int, float]] = []
        self._cut: set[int] = set()
        self._plan: tuple[Planned, ...] | None = None

    @property
    def processors(self) -> int:
        """See `Leaf.processors`."""
        return self.machine.cores

    @property
    def free(self) -> int:
        """See `Leaf.free`: the cores that would idle if its processes only computed."""
        return max(0, self.machine.cores - self.machine.processes)

    @property
    def index(self) -> int:
        """Its index in the platform."""
        assert self.place.site is not None
        return self.place.site

    @property
    def running_jobs(self) -> int:
        """See `Leaf.running_jobs`."""
        return len(self.running)

    @property
    def running_now(self) -> list[Job]:
        """See `Leaf.running_now`: in the order of their starts."""
        return [copy.job for copy in self.running.values()]

    def starts_at_once(self, job: Job) -> bool:
        """See `Leaf.starts_at_once`: every job does."""
        return True

    def next_event(self, release: float) -> float:
        """See `System.next_event`: when the next job ends without further arrivals."""
        if not len(self.machine):
            return release
        end, cut = self.machine.next_end(), self._next_cut()
        # A job that is complete at its cut, but for rounding, is not cut.
        both = abs(end - cut) <= ROUNDING * math.ulp(cut) if cut < math.inf else False
        return min(release, max(end, cut) if both else min(end, cut))

    def _next_cut(self) -> float:
        """Return when the next copy here is cut, in seconds; infinity if none is."""
        cuts = self._cuts
        while cuts and ((copy := self.running.get(cuts[0][1])) is None or copy.start != cuts[0][2]):
            heappop(cuts)
        return cuts[0][0] if cuts else math.inf

    def begin(self, now: float) -> None:
        """See `System.begin`."""

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`; the copies that are complete or cut have left the machine."""
        now = self.ledger.now
        ended = []
        for position in self.machine.take_ends(now):
            copy = self._gone(position)
            self._done[position] = copy._replace(computed=self._computing.work(position) / self.speed)
            ended.append(copy.job)
        while self._next_cut() <= now:
            _, position, _ = heappop(self._cuts)
            computed = self.machine.leave(position, now)
            copy = self._gone(position)
            self._done[position] = copy._replace(computed=computed)
            self._cut.add(position)
            ended.append(copy.job)
        self._changed()
        return ended

    def is_cut(self, job: Job) -> bool:
        """Return whether the copy of `job` that ends here now is cut at its request."""
        return job.position in self._cut

    def runs(self, job: Job) -> bool:
        """See `System.runs`; a copy that is complete runs until its END."""
        return job.position in self.running or job.position in self._done

    def end(self, job: Job) -> None:
        """See `System.end`: the copy here has completed the job, or was cut as its last."""
        now, copy = self.ledger.now, self._done.pop(job.position)
        self.ledger.dispatches.ended(job.position)
        self.ledger.ended += 1
        self._record.finished(copy, now, cut=job.position in self._cut)
        for statistics, branch in self.above:
            statistics.past[branch].append(Planned(job, copy.start, now))
        self._cpu_times.observe(job.executable, self.index, copy.computed)
        for observer in self.ledger.observers:
            observer.ended(now, job, self.place)

    def too_late(self, job: Job) -> None:
        """Note that the copy of `job` that ends here now is not the one that completes the job."""
        self._cut.discard(job.position)
        self._record.canceled(self._done.pop(job.position), self.ledger.now)

    def cancel(self, job: Job) -> None:
        """Cancel the copy of `job` here now."""
        computed = self.machine.leave(job.position, self.ledger.now)
        copy = self._gone(job.position)
        self._changed()
        self._record.canceled(copy._replace(computed=computed), self.ledger.now)

    def join(self, job: Job) -> None:
        """See `System.join`."""
        for observer in self.ledger.observers:
            observer.submitted(self.ledger.now, job, self.place)
        self.enter(job)

    def enter(self, job: Job) -> None:
        """See `Leaf.enter`: a copy of `job` starts; observers receive the start of the first."""
        now, position, ledger = self.ledger.now, job.position, self.ledger
        self.machine.join(
            position,
            now,
            processes=job.processors,
            demand=self._computing.demand(position, self.speed),
            alone=(self._computing.time_alone(position, self.speed), self.execution_time(job)),
        )
        self.running[position] = Copy(job, self.index, now)
        if (longest := self._computing.longest(position)) < math.inf:
            heappush(self._cuts, (now + longest, position, now))
        self._recent.started(now, job.processors)
        self._changed()
        ledger.decisions += 1
        if not ledger.dispatches.serial[position]:
            ledger.dispatches.planned_left[position] = job.planned_time
            ledger.dispatches.dispatch(job, now, 0.0)
            for observer in ledger.observers:
                observer.started(now, job, self.place)
            for started in self.on_start:
                started(job, self.index)

    def decide(self) -> None:
        """See `System.decide`: no local scheduler decides."""

    def check_done(self) -> None:
        """See `System.check_done`: no job waits here."""

    def load(self) -> float:
        """See `Leaf.load`: the load average that it published last."""
        return self.daemon.published(self.ledger.now)

    def estimated_load(self) -> float:
        """See `Leaf.estimated_load`: corrected for recent starts and ends."""
        return self._recent.estimated_load(self.load(), self.ledger.now)

    def cpu_time(self, job: Job) -> float | None:
        """See `Leaf.cpu_time`."""
        return self._cpu_times.mean(job.executable, self.index)

    def execution_time(self, job: Job) -> float:
        """See `Leaf.execution_time`."""
        return self._computing.planned_alone(job.position, job.planned_time, self.speed)

    def ready_time(self) -> float:
        """See `Leaf.ready_time`."""
        return self.ledger.now + self.machine.planned_work(self.ledger.now) / self.machine.cores

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """Return the ends of the jobs here if each takes its planned time and no further job arrives.

        By end, then position; then `job`, if it began now. Cost: O(n log n) of n jobs of one kind here, or
        O(1) if nothing has changed since the last call without a job.
        """
        if job is not None and job.position not in self.running:
            return self._planned_with(job, self.machine, self.running, self.ledger.now)
        if self._plan is None:
            self._plan = tuple(self._planned_with(None, self.machine, self.running, self.ledger.now))
        return list(self._plan)

    def frozen(self) -> FrozenLeaf:
        """See `Leaf.frozen`."""
        machine, running, now = self.machine.by_plan(), dict(self.running), self.ledger.now
        return FrozenLeaf(self, lambda job: self._planned_with(job, machine, running, now), lambda job: True)

    def _planned_with(
        self, job: Job | None, machine: TimeSharedMachine, running: Mapping[int, Copy], now: float
    ) -> list[Planned]:
        """Return the jobs that run on `machine` by planned end; then `job`, if there is one more."""
        plan = self._planned(job, machine, running, now)
        others, own = (plan, []) if job is None else (plan[:-1], plan[-1:])
        return [*sorted(others, key=lambda p: (p.end, p.job.position)), *own]

    def _planned(
        self, job: Job | None, machine: TimeSharedMachine, running: Mapping[int, Copy], now: float
    ) -> list[Planned]:
        """Return the jobs that run on `machine` with their planned ends; `job` is last if there is one."""
        twin = machine.by_plan()
        copies = list(running.values())
        ends: dict[int, float] = {}
        cuts = {copy.job.position: copy.start + self._computing.longest(copy.job.position) for copy in copies}
        if job is not None:
            _run(twin, ends, now, cuts)
            alone, demand = self.execution_time(job), self._computing.demand(job.position, self.speed)
            twin.join(job.position, now, processes=job.processors, demand=demand, alone=(alone, alone))
            copies.append(Copy(job, self.index, now))
            cuts[job.position] = now + self._computing.longest(job.position)
        _run(twin, ends, math.inf, cuts)
        return [Planned(copy.job, copy.start, ends[copy.job.position]) for copy in copies]

    def _gone(self, position: int) -> Copy:
        copy = self.running.pop(position)
        self._recent.ended(copy.start, self.ledger.now, copy.job.processors)
        for statistics, branch in self.above:
            statistics.leave(copy.job, branch)
        return copy

    def _changed(self) -> None:
        self.daemon.history.change(self.ledger.now, self.machine.load)
        self._plan = None


def _run(machine: TimeSharedMachine, ends: dict[int, float], until: float, cuts: Mapping[int, float]) -> None:
    """Advance a machine to a time; note when its jobs end, at their `cuts` at the latest."""
    due = sorted(((cut, position) for position, cut in cuts.items() if cut < math.inf), reverse=True)
    while len(machine):
        while due and due[-1][1] in ends:
            due.pop()
        end, cut = machine.next_end(), due[-1][0] if due else math.inf
        if min(end, cut) > until:
            return
        if end <= cut:
            ends.update(dict.fromkeys(machine.take_ends(end), end))
        else:
            _, position = due.pop()
            machine.leave(position, cut)
            ends[position] = cut
