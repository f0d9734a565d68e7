"""The reference engine of decentralized scheduling: one clock over all sites."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.deadlock import counted, listed
from echelon.engine.decentralized_state import DecentralizedState
from echelon.engine.observer import Place
from echelon.engine.releases import Releases
from echelon.errors import DeadlockError, PolicyError
from echelon.model import Schedule
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.observer import Observer
    from echelon.model import Instance, Job, Platform
    from echelon.policies import Decentralized

_PROGRESS_EVERY = 512
"""Scheduling cycles between calls of `progress`."""


def simulate(
    scenario: Scenario, protocol: Decentralized, platform: Platform, progress: Progress | None
) -> Schedule:
    """Run `scenario` under a protocol of decentralized scheduling.

    At an instant: all ENDs (by start, equal ones as they were decided), all SUBMITs (in the workload's
    order), then one DECIDE over all sites. A publication that announces a waiting job to other sites also
    causes a DECIDE.

    Parameters
    ----------
    scenario : Scenario
        The run; its policy is not used.
    protocol : Decentralized
        The scenario's protocol, instead of a broker.
    platform : Platform
        The scenario's.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        With each job's site, and its home by the protocol's own rule. Its counts: ``events``, ``passes``,
        ``decisions``.

    Raises
    ------
    PolicyError
        If a decision of the protocol breaks the rules.
    DeadlockError
        If some jobs can never start because the protocol starts none.

    Notes
    -----
    Cost: O(log n) per event, in addition to the protocol's own.
    """
    return _Run(
        scenario, platform, DecentralizedState(scenario.instance, protocol, platform), progress
    ).schedule()


class _Run:
    """One run: the clock and its streams of events."""

    def __init__(
        self, scenario: Scenario, platform: Platform, state: DecentralizedState, progress: Progress | None
    ) -> None:
        self._instance = scenario.instance
        self._protocol = state.protocol
        self._state = state
        # After its submission each job as it was submitted, perhaps released later than in the log.
        self._jobs = self._instance.jobs()
        self._releases = Releases(self._instance)
        self._submitted: list[Job] = []
        self._next_published = 0
        self._run_time: list[float] = self._instance.run_time.tolist()
        # End, start, and the number of the decision: a job in transit starts later than its decision.
        self._ends: list[tuple[float, float, int, Job]] = []
        # Starts of jobs in transit to another site: for observers.
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
            self._state.now = now
            ended = self._take_ends(now)
            self._take_transfers(now)
            submitted = self._take_arrivals(now)
            if ended or submitted or published:
                self._pass()
        if self._state.queue:
            self._raise_deadlock()
        counts = {"events": 2 * len(self._start), "passes": self._passes, "decisions": self._decisions}
        return Schedule(self._released(), self._start, counts, site=self._site, home_site=self._state.homes)

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
        state = self._state
        while self._next_published < len(self._submitted):
            job = self._submitted[self._next_published]
            if state.waits(job) and state.published(job) > state.now:
                return state.published(job)
            self._next_published += 1
        return None

    def _take_ends(self, now: float) -> bool:
        """End the jobs that end now, in the order of their starts; return whether there are any."""
        ending = []
        # All ENDs first: a job that starts now may end now, by rounding; that belongs to the next round.
        while self._ends and self._ends[0][0] == now:
            ending.append(heappop(self._ends)[-1])
        for job in ending:
            self._state.end(job, int(self._site[job.position]), float(self._start[job.position]))
            self._ended += 1
            self._releases.ended(job.position, now)
            for observer in self._observers:
                observer.ended(now, job, self._places[self._site[job.position]])
        return bool(ending)

    def _take_transfers(self, now: float) -> None:
        """Report the jobs that have reached their site; their processors have been held since they left."""
        while self._transfers and self._transfers[0][0] == now:
            job = heappop(self._transfers)[2]
            for observer in self._observers:
                observer.started(now, job, self._places[self._site[job.position]])

    def _take_arrivals(self, now: float) -> bool:
        """Add the jobs of this instant to the queue; return whether there are any."""
        positions = self._releases.take(now)
        for position in positions:
            self._jobs[position] = self._jobs[position]._replace(submit_time=now)
        self._state.arrived = tuple(self._jobs[position] for position in positions)
        self._submitted += self._state.arrived
        for job in self._state.arrived:
            self._state.submit(job)
            for observer in self._observers:
                observer.submitted(now, job, self._places[self._state.home(job)])
        return bool(positions)

    def _pass(self) -> None:
        self._passes += 1
        state = self._state
        if state.queue:
            for decision in self._decide():
                self._decisions += 1
                self._apply(decision)
        for observer in self._observers:
            observer.decided(state.now, len(state.queue), state.all_free, Place())
        if self._progress is not None and self._passes % _PROGRESS_EVERY == 0:
            self._progress(self._ended, len(self._start))

    def _decide(self) -> Iterator[object]:
        """Yield the decisions of the protocol; exceptions inside it are reported as the protocol's."""

        def error(failure: str) -> PolicyError:
            rule = f"fails with {failure}; decide(view) yields StartAt(job, site)"
            return PolicyError(self._protocol.name, time=self._state.now, job_id=None, broken_rule=rule)

        with Guard(error):
            yield from self._protocol.decide(self._state)

    def _apply(self, decision: object) -> None:
        now = self._state.now
        (job, site), start = self._state.start(decision)
        self._start[job.position], self._site[job.position] = start, site
        heappush(self._ends, (start + self._run_time[job.position], start, self._decisions, job))
        if start > now:
            heappush(self._transfers, (start, self._decisions, job))
            return
        for observer in self._observers:
            observer.started(now, job, self._places[site])

    def _raise_deadlock(self) -> None:
        waiting = self._state.queue
        raise DeadlockError(
            f"protocol {self._protocol.name!r}: {counted(waiting)} can never start, with all sites empty and "
            f"no event left: {listed(waiting, 'processors')}; start a job that fits when all sites are empty"
        )
