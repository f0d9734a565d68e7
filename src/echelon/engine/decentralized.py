"""The reference engine of grids without a broker: one clock over all sites."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.observer import Place
from echelon.engine.peers import Peers
from echelon.engine.releases import Releases
from echelon.errors import PolicyError, StuckError
from echelon.model import Schedule
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.observer import Observer
    from echelon.model import Instance, Job, Platform
    from echelon.policies import Decentralized

_PROGRESS_EVERY = 512
"""Passes from one call of `progress` to the next."""


def simulate(
    scenario: Scenario, arrangement: Decentralized, platform: Platform, progress: Progress | None
) -> Schedule:
    """Run `scenario`, whose sites exchange jobs without a broker.

    At an instant: all ENDs (by start, equal ones as they were decided), all SUBMITs (in the
    workload's order), then one DECIDE over all sites. A publication that tells other sites of a job that
    still waits causes a DECIDE, too.

    Parameters
    ----------
    scenario : Scenario
        What to run; its policy has no say.
    arrangement : Decentralized
        The scenario's, instead of a broker.
    platform : Platform
        The scenario's.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        With each job's site, and its home by the arrangement's own rule. Its counts: ``events``, ``passes``,
        ``decisions``.

    Raises
    ------
    PolicyError
        If the arrangement decides what the rules forbid.
    StuckError
        If jobs wait forever because the arrangement starts none.

    Notes
    -----
    Cost: O(log n) an event besides the arrangement's own cost.
    """
    return _Run(scenario, platform, Peers(scenario.instance, arrangement, platform), progress).schedule()


class _Run:
    """One run: the clock and its streams of events."""

    def __init__(
        self, scenario: Scenario, platform: Platform, peers: Peers, progress: Progress | None
    ) -> None:
        self._instance = scenario.instance
        self._arrangement = peers.arrangement
        self._peers = peers
        # From its submission on, each as it was submitted: it may have been released later than the log says.
        self._jobs = self._instance.jobs()
        self._releases = Releases(self._instance)
        self._submitted: list[Job] = []
        self._next_published = 0
        self._run_time: list[float] = self._instance.run_time.tolist()
        # End, start, and the number of the decision: a job on its way starts later than it was decided.
        self._ends: list[tuple[float, float, int, Job]] = []
        # Starts to come, of jobs on their way to another site: for those who watch.
        self._transfers: list[tuple[float, int, Job]] = []
        self._start = np.full(len(self._jobs), np.nan)
        self._site = np.full(len(self._jobs), -1)
        self._observers: tuple[Observer, ...] = tuple(scenario.observers)
        self._places = [Place(site, one.name) for site, one in enumerate(platform.sites)]
        self._progress = progress
        self._ended = self._passes = self._decisions = 0

    def schedule(self) -> Schedule:
        while (now := self._next_time()) is not None:
            published = self._next_publication() == now
            self._peers.now = now
            ended = self._take_ends(now)
            self._take_transfers(now)
            submitted = self._take_arrivals(now)
            if ended or submitted or published:
                self._pass()
        if self._peers.queue:
            self._raise_stuck()
        counts = {"events": 2 * len(self._start), "passes": self._passes, "decisions": self._decisions}
        return Schedule(self._released(), self._start, counts, site=self._site, home_site=self._peers.homes)

    def _released(self) -> Instance:
        if self._instance.dependencies is None:
            return self._instance
        return self._instance.released(np.array([job.submit_time for job in self._jobs]))

    def _next_time(self) -> float | None:
        times = [events[0][0] for events in (self._ends, self._transfers) if events]
        if self._releases.next_time < math.inf:
            times.append(self._releases.next_time)
        if (publication := self._next_publication()) is not None:
            times.append(publication)
        return min(times, default=None)

    def _next_publication(self) -> float | None:
        """Return when a waiting job will next become known to other sites, or None."""
        peers = self._peers
        while self._next_published < len(self._submitted):
            job = self._submitted[self._next_published]
            if peers.waits(job) and peers.published(job) > peers.now:
                return peers.published(job)
            self._next_published += 1
        return None

    def _take_ends(self, now: float) -> bool:
        """Let the jobs end that end now, in the order of their starts; return whether there were any."""
        ending = []
        # All first: a job that starts now may end now, by rounding, and that is the next round's.
        while self._ends and self._ends[0][0] == now:
            ending.append(heappop(self._ends)[-1])
        for job in ending:
            self._peers.end(job, int(self._site[job.position]), float(self._start[job.position]))
            self._ended += 1
            self._releases.ended(job.position, now)
            for observer in self._observers:
                observer.ended(now, job, self._places[self._site[job.position]])
        return bool(ending)

    def _take_transfers(self, now: float) -> None:
        """Tell of the jobs that have reached their site: their processors have been held since they left."""
        while self._transfers and self._transfers[0][0] == now:
            job = heappop(self._transfers)[2]
            for observer in self._observers:
                observer.started(now, job, self._places[self._site[job.position]])

    def _take_arrivals(self, now: float) -> bool:
        """Let the jobs of this instant join the queue; return whether there were any."""
        positions = self._releases.take(now)
        for position in positions:
            self._jobs[position] = self._jobs[position]._replace(submit_time=now)
        self._peers.arrived = tuple(self._jobs[position] for position in positions)
        self._submitted += self._peers.arrived
        for job in self._peers.arrived:
            self._peers.submit(job)
            for observer in self._observers:
                observer.submitted(now, job, self._places[self._peers.home(job)])
        return bool(positions)

    def _pass(self) -> None:
        self._passes += 1
        peers = self._peers
        if peers.queue:
            for decision in self._decide():
                self._decisions += 1
                self._apply(decision)
        for observer in self._observers:
            observer.decided(peers.now, len(peers.queue), peers.all_free, Place())
        if self._progress is not None and self._passes % _PROGRESS_EVERY == 0:
            self._progress(self._ended, len(self._start))

    def _decide(self) -> Iterator[object]:
        """Yield what the arrangement decides; what goes wrong inside it is its own error."""

        def error(said: str) -> PolicyError:
            rule = f"fails with {said}; decide(view) yields StartAt(job, site)"
            return PolicyError(self._arrangement.name, time=self._peers.now, job_id=None, broken_rule=rule)

        with Guard(error):
            yield from self._arrangement.decide(self._peers)

    def _apply(self, decision: object) -> None:
        now = self._peers.now
        (job, site), start = self._peers.start(decision)
        self._start[job.position], self._site[job.position] = start, site
        heappush(self._ends, (start + self._run_time[job.position], start, self._decisions, job))
        if start > now:
            heappush(self._transfers, (start, self._decisions, job))
            return
        for observer in self._observers:
            observer.started(now, job, self._places[site])

    def _raise_stuck(self) -> None:
        waiting = self._peers.queue
        shown = ", ".join(f"{job.job_id} ({job.processors} processors)" for job in waiting[:5])
        raise StuckError(
            f"{self._arrangement.name!r} leaves {len(waiting)} jobs waiting forever at empty sites, with "
            f"nothing left to happen: {shown}{' ...' if len(waiting) > 5 else ''}; "
            "start a job that fits when all sites are empty"
        )
