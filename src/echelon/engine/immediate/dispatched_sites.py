"""DispatchedSites: time-shared machines under a dispatcher, which can copy jobs and cancel copies."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.immediate.dispatcher_queue import DispatcherQueue
from echelon.engine.observer import NO_SITE
from echelon.engine.tree.tree_system import TreeSystem

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.immediate.site import TimeSharedSite
    from echelon.engine.tree.leaves import Leaves
    from echelon.engine.tree.statistics import SiteStatistics
    from echelon.model import Job, Schedule
    from echelon.policies.immediate.contract import Dispatcher


class DispatchedSites(TreeSystem):
    """Time-shared machines, and the copies of each job that run on them.

    Of copies that are complete at one instant, that at the lowest site by (size, place in the platform's
    file) completes the job. Under ``estimates="kill"`` each copy is cut when it has run for the requested
    time since its own start, and the job is killed when its last copy is cut.

    Parameters
    ----------
    scenario : Scenario
        The run.
    dispatcher : Dispatcher
        Decides.
    leaves : Leaves
        The machines.
    statistics : SiteStatistics
        Of the machines.
    allowed : sequence of sequence of int
        The sites that can hold each job, the lowest first, by position.
    records : sequence of callable (Schedule) -> Schedule
        What adds to the schedule what happened.
    decision_time : float
        Duration of each decision, in seconds, >= 0.
    latest : float
        See `System`.

    Attributes
    ----------
    copies : list of list of int
        The sites where copies of each job run, in the order of their dispatch.
    running : dict of int to Job
        Jobs that run, by position, in the order of their first dispatch.
    """

    def __init__(
        self,
        scenario: Scenario,
        dispatcher: Dispatcher,
        leaves: Leaves,
        *,
        statistics: SiteStatistics,
        allowed: Sequence[Sequence[int]],
        records: Sequence[Callable[[Schedule], Schedule]],
        decision_time: float,
        latest: float,
    ) -> None:
        super().__init__([leaves], (), records, latest=latest)
        self._leaves = leaves
        self.sites: Sequence[TimeSharedSite] = leaves.leaves  # type: ignore[assignment]
        self.statistics, self.allowed = statistics, list(allowed)
        self._rank = {site: rank for rank, site in enumerate(scenario.instance.sites.by_size.tolist())}
        self.copies: list[list[int]] = [[] for _ in self.ledger.jobs]
        self.running: dict[int, Job] = {}
        self._complete: dict[int, list[int]] = {}
        self._queue = DispatcherQueue(scenario, dispatcher, self, decision_time)

    @property
    def now(self) -> float:
        """Simulation time, in seconds."""
        return self.ledger.now

    def next_event(self, release: float) -> float:
        """See `System.next_event`."""
        return self._leaves.next_event(min(release, self._queue.next_time()))

    def begin(self, now: float) -> None:
        """See `System.begin`."""
        self._event = False
        self._leaves.begin(now)

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`: each job once, by its first dispatch."""
        ending: dict[int, Job] = {}
        self._complete = {}
        for job, site in self._leaves.ending():
            ending[job.position] = job
            self._complete.setdefault(job.position, []).append(site)
        return [job for job in ending.values() if not self._goes_on(job)]

    def _goes_on(self, job: Job) -> bool:
        """Return whether copies of `job` run on, and forget those that are cut now."""
        gone, copies = self._complete[job.position], self.copies[job.position]
        if not all(self.sites[site].is_cut(job) for site in gone) or len(gone) == len(copies):
            return False
        self._event = True
        for site in gone:
            copies.remove(site)
            # It would be cut there again: were copies made again and again, the job would never end.
            self.allowed[job.position] = [place for place in self.allowed[job.position] if place != site]
            self._leaves.touch(site)
            self.sites[site].too_late(job)
        return True

    def end(self, job: Job) -> None:
        """See `System.end`: the other copies of `job` are canceled."""
        self._event = True
        gone = self._complete[job.position]
        complete = sorted(gone, key=lambda site: (self.sites[site].is_cut(job), self._rank[site]))
        for site in complete[1:]:
            self.sites[site].too_late(job)
        for site in self.copies[job.position]:
            if site not in complete:
                self._cancel_at(job, site)
        self.copies[job.position] = []
        del self.running[job.position]
        self._leaves.site_of[job.position] = complete[0]
        self._leaves.end(job)

    def join(self, job: Job) -> None:
        """See `System.join`: `job` waits for the dispatcher."""
        self._event = True
        for observer in self.ledger.observers:
            observer.submitted(self.now, job, NO_SITE)
        self._queue.submit(job)

    def decide(self) -> None:
        """See `System.decide`."""
        self._queue.decide(event=self._event, last=self.ledger.releases.next_time == math.inf)
        self._leaves.decide()

    def dispatch(self, job: Job, site: int) -> None:
        """Start a copy of `job` at `site` now."""
        self.statistics.join(job, site)
        self._leaves.join(job, site, is_reported=True)
        self.copies[job.position].append(site)
        self.running.setdefault(job.position, job)

    def cancel(self, job: Job, site: int) -> None:
        """Cancel the copy of `job` at `site` now."""
        self.copies[job.position].remove(site)
        self.ledger.decisions += 1
        self._cancel_at(job, site)

    def decided(self, waiting: int) -> None:
        """Note that the dispatcher has made its decisions for now; `waiting` jobs still wait."""
        ledger = self.ledger
        ledger.passes += 1
        if ledger.observers:
            free = sum(site.free for site in self.sites)
            for observer in ledger.observers:
                observer.decided(ledger.now, waiting, free, NO_SITE)

    def check_done(self) -> None:
        """See `System.check_done`."""
        if self._queue.waiting:
            self._queue.raise_deadlock()
        super().check_done()

    def _cancel_at(self, job: Job, site: int) -> None:
        self._leaves.touch(site)
        self.sites[site].cancel(job)
