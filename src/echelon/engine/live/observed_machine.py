"""ObservedMachine: a cluster that decides elsewhere, as its reports describe it."""

from __future__ import annotations

import math
from contextlib import suppress
from typing import TYPE_CHECKING

from echelon.engine.live.projection import ObservedQueue, Projection
from echelon.engine.machine import Machine
from echelon.engine.progress.progress_model import ProgressModel
from echelon.engine.queue.cluster import Cluster
from echelon.engine.resources.counted_processors import CountedProcessors
from echelon.errors import PolicyError
from echelon.model import Forecast
from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.ledger.dispatches import Dispatches
    from echelon.engine.ledger.ledger import Ledger
    from echelon.model import Job
    from echelon.policies import Running


_SOON = 60.0
"""Seconds in which a job is planned to end that runs beyond its planned time."""


class ObservedEnds(ProgressModel):
    """Jobs end when their cluster says so.

    Attributes
    ----------
    ending : list of int
        Positions of the jobs that end at this instant.
    """

    def __init__(self, dispatches: Dispatches) -> None:
        self._dispatches = dispatches
        self.ending: list[int] = []

    def start(self, job: Job, end: float, switch: float) -> None:
        """See `ProgressModel.start`: its end is not known."""

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`: nothing is expected."""
        return other

    def jobs_due(self, now: float) -> list[int]:
        """See `ProgressModel.jobs_due`."""
        ending, self.ending = self.ending, []
        return ending

    def outlook(self, position: int) -> float:
        """See `ProgressModel.outlook`: unknown."""
        return math.inf

    def is_over(self, position: int, now: float) -> bool:
        """See `ProgressModel.is_over`."""
        return position in self.ending

    def end(self, job: Job, now: float) -> float:
        """See `ProgressModel.end`."""
        return self._dispatches.progress_of(job.position, now)


class ObservedCount(CountedProcessors):
    """`CountedProcessors` of a cluster, which may run more than is known to fit.

    Attributes
    ----------
    follows : bool
        Whether what is taken is reported: it fits, whatever is free here.
    """

    __slots__ = ("follows",)

    def __init__(self, processors: int) -> None:
        super().__init__(processors)
        self.follows = False

    def room(self, job: Job, now: float, where: object = None) -> int | None:
        """See `PlannedResource.room`."""
        return job.processors if self.follows else super().room(job, now, where)

    def resize(self, processors: int) -> None:
        """Let there be so many processors now."""
        self.free += processors - self.processors
        self.processors = processors


class ObservedMachine(Machine):
    """`Machine` whose scheduler runs elsewhere: it decides nothing, and follows what is reported.

    What it forecasts is a simulation of what it knows under the policy that the cluster is said to have. A
    job that runs on at its planned end is planned to end within a minute. The parameters are as of `Machine`.
    """

    progress: ObservedEnds

    def __init__(self, ledger: Ledger, processors: int, name: str, *, site: int) -> None:
        self._count = ObservedCount(processors)
        super().__init__(
            ledger,
            processors,
            name,
            cluster=Cluster(ledger, self._count, site=name),
            site=site,
            progress=ObservedEnds(ledger.dispatches),
        )
        # Places are known when jobs are submitted.
        self._queue = ObservedQueue(ledger.scenario, self.cluster.policy.order, None)
        self.cluster.waiting = self._queue
        self._projection = Projection(self.cluster, self._queue)
        self._asked: object = None
        self._forecast = Forecast(math.inf, math.inf)

    def next_event(self, release: float) -> float:
        """See `System.next_event`: nothing happens here unless it is reported."""
        return release

    def decide(self) -> None:
        """See `System.decide`: the cluster has decided."""
        self.ledger.cycles += 1
        self.cluster.ended_early = False
        for observer in self._observers:
            observer.decided(self.cluster.now, len(self.cluster.waiting), self.cluster.free, self._site)

    def watch(self, *, event: bool) -> None:
        """See `System.watch`: the cluster sees to that."""

    def planned_schedule(self, job: Job | None) -> list[Planned]:
        """See `Leaf.planned_schedule`; a job larger than the cluster at present starts at infinity."""
        self.cluster.now = self.ledger.now
        running = self._list_running()
        if self._why_unpredictable is None and self._projection.is_exact:
            plan = self._projection.schedule(job, running)
            if plan is not None:
                return plan
        return self._simulate(job, running)

    def forecast(self, job: Job) -> Forecast:
        """See `Leaf.forecast`."""
        self.cluster.now = now = self.ledger.now
        if self._why_unpredictable is not None or not self._projection.is_exact:
            return super().forecast(job)
        cluster = self.cluster
        key = job, now, self._queue.version, cluster.processors, cluster.free, [*cluster.running]
        if key != self._asked:
            start = self._projection.start(job, self._list_running())
            if start is None:
                return super().forecast(job)
            end = start + job.planned_time
            run = end - start if start < math.inf else self.execution_time(job)
            self._asked, self._forecast = key, Forecast(start - now, run)
        return self._forecast

    def _simulate(self, job: Job | None, running: Sequence[Running]) -> list[Planned]:
        """Return the planned schedule by simulation of a copy, step by step."""
        most, cluster = self.processors, self.cluster
        late = [one for one in (*cluster.waiting.jobs, *([job] if job else [])) if one.processors > most]
        if not late and running is cluster.running:
            return super().planned_schedule(job)
        self.cluster = cluster.copy()
        if running is not cluster.running:
            self.cluster.run_until(running)
        for one in late:
            if self.cluster.waiting.has(one):
                self.cluster.drop(one)
        try:
            plan = super().planned_schedule(None if job in late else job)
        finally:
            self.cluster = cluster
        return [*plan, *(Planned(one, math.inf, math.inf) for one in late)]

    def _list_running(self) -> Sequence[Running]:
        """Return the running jobs, those beyond their planned ends with ends a minute from now."""
        cluster = self.cluster
        if not cluster.running or cluster.running[0].planned_end >= cluster.now:
            return cluster.running
        soon = cluster.now + _SOON
        return sorted(
            one._replace(planned_end=soon) if one.planned_end < cluster.now else one
            for one in cluster.running
        )

    @property
    def waiting_work(self) -> float:
        """Processors times planned times of the waiting jobs, in processor-seconds."""
        sizes, planned = self._queue.columns
        return float(sizes @ planned)

    def running_schedule(self) -> list[Planned]:
        """Return when the running jobs started and are planned to end, by planned end, then position."""
        first = self.cluster.dispatches.first_start
        return [Planned(one.job, first(one.job), one.planned_end) for one in self.cluster.running]

    def note_end(self, position: int) -> None:
        """Note that a running job ends at this instant."""
        self.progress.ending.append(position)

    def note_start(self, job: Job, switch: float, at: float | None) -> None:
        """Note that `job` starts or resumes; what is reserved from now on is reported again."""
        cluster, count = self.cluster, self._count
        now = cluster.now
        cluster.withdraw_all()
        cluster.now, count.follows = now if at is None else min(at, now), True
        self._start(job, switch, None)
        cluster.now, count.follows = now, False

    def note_suspension(self, job: Job) -> None:
        """Note that running `job` waits again from now on."""
        self._preempt(job)

    def note_reservations(self, starts: Sequence[tuple[Job, float]]) -> None:
        """Note the reservations of the cluster, in its order, in place of all earlier ones.

        One for which there is no room as far as is known here does not count.
        """
        first = dict(self.cluster.first_reservations)
        self.cluster.withdraw_all()
        for job, time in starts:
            with suppress(PolicyError):
                self.cluster.reserve(job, time)
        # The first reserved start of a job stays the first.
        waiting = {job.position for job, _ in starts}
        self.cluster.first_reservations.update(
            {position: time for position, time in first.items() if position in waiting}
        )

    def resize(self, processors: int) -> None:
        """Note that the cluster has so many processors now."""
        self.cluster.withdraw_all()
        self._count.resize(processors)
