"""DecentralizedSites: sites that exchange jobs under a protocol, without a broker."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NoReturn

import numpy as np

from echelon.engine.deadlock import counted, listed
from echelon.engine.decentralized_state import DecentralizedState
from echelon.engine.ledger import Ledger
from echelon.engine.observer import Place
from echelon.engine.system import System
from echelon.errors import DeadlockError, PolicyError
from echelon.model import Schedule
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.engine.contract import Scenario
    from echelon.model import Job, Platform
    from echelon.policies import Decentralized


class DecentralizedSites(System):
    """Sites under a protocol, which decides over all of them together.

    A publication that announces a waiting job to other sites also causes a DECIDE. Jobs of one instant END
    by start, equal ones as they were decided: a job in transit starts later than its decision.

    Parameters
    ----------
    scenario : Scenario
        The run; its policy is not used.
    protocol : Decentralized
        The scenario's protocol, instead of a broker.
    platform : Platform
        The scenario's.
    """

    def __init__(self, scenario: Scenario, protocol: Decentralized, platform: Platform) -> None:
        self.ledger = Ledger(scenario)
        instance = scenario.instance
        self._protocol = protocol
        self._state = DecentralizedState(instance, protocol, platform)
        self._submitted: list[Job] = []
        self._next_published = 0
        # End, start, and the number of the decision: a job in transit starts later than its decision.
        self._ends: list[tuple[float, float, int, Job]] = []
        # Starts of jobs in transit to another site: for observers.
        self._transfers: list[tuple[float, int, Job]] = []
        self._start = np.full(len(instance), np.nan)
        self._site = np.full(len(instance), -1)
        self._places = [Place(site, one.name) for site, one in enumerate(platform.sites)]
        self._is_concerned = False

    def next_event(self, release: float) -> float:
        """See `System.next_event`."""
        times = [events[0][0] for events in (self._ends, self._transfers) if events]
        return min(release, self._next_publication(), *times)

    def _next_publication(self) -> float:
        """Return when a waiting job will next become known to other sites, in seconds; or infinity."""
        state = self._state
        while self._next_published < len(self._submitted):
            job = self._submitted[self._next_published]
            if state.waits(job) and state.published(job) > state.now:
                return state.published(job)
            self._next_published += 1
        return math.inf

    def begin(self, now: float) -> None:
        """See `System.begin`."""
        self._is_concerned = self._next_publication() == now
        self._state.now, self._state.arrived = now, ()

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`: in the order of their starts."""
        ending = []
        # All ENDs first: a job that starts now may end now, by rounding; that belongs to the next round.
        while self._ends and self._ends[0][0] == self._state.now:
            ending.append(heappop(self._ends)[-1])
        return ending

    def end(self, job: Job) -> None:
        """See `System.end`."""
        self._is_concerned = True
        self._state.end(job, int(self._site[job.position]), float(self._start[job.position]))
        self.ledger.ended += 1
        for observer in self.ledger.observers:
            observer.ended(self._state.now, job, self._places[self._site[job.position]])

    def change(self) -> None:
        """See `System.change`: jobs in transit reach their site, whose processors they hold already."""
        now = self._state.now
        while self._transfers and self._transfers[0][0] == now:
            job = heappop(self._transfers)[2]
            for observer in self.ledger.observers:
                observer.started(now, job, self._places[self._site[job.position]])

    def join(self, job: Job) -> None:
        """See `System.join`."""
        self._is_concerned = True
        state = self._state
        state.arrived += (job,)
        self._submitted.append(job)
        state.submit(job)
        for observer in self.ledger.observers:
            observer.submitted(state.now, job, self._places[state.home(job)])

    def decide(self) -> None:
        """See `System.decide`: the protocol decides over all sites at once."""
        if not self._is_concerned:
            return
        state, ledger = self._state, self.ledger
        ledger.passes += 1
        if state.queue:
            for decision in self._decisions():
                ledger.decisions += 1
                self._apply(decision)
        for observer in ledger.observers:
            observer.decided(state.now, len(state.queue), state.all_free, Place())

    def _decisions(self) -> Iterator[object]:
        """Yield the decisions of the protocol; exceptions inside it are reported as the protocol's."""

        def error(failure: str) -> PolicyError:
            rule = f"fails with {failure}; decide(view) yields StartAt(job, site)"
            return PolicyError(self._protocol.name, time=self._state.now, job_id=None, broken_rule=rule)

        with Guard(error):
            yield from self._protocol.decide(self._state)

    def _apply(self, decision: object) -> None:
        now, count = self._state.now, self.ledger.decisions
        (job, site), start = self._state.start(decision)
        self._start[job.position], self._site[job.position] = start, site
        end = start + self.ledger.dispatches.run_time[job.position]
        heappush(self._ends, (end, start, count, job))
        if start > now:
            heappush(self._transfers, (start, count, job))
            return
        for observer in self.ledger.observers:
            observer.started(now, job, self._places[site])

    def check_done(self) -> None:
        """See `System.check_done`."""
        if self._state.queue:
            self._raise_deadlock(self._state.queue)

    def schedule(self) -> Schedule:
        """See `System.schedule`: with each job's site, and its home by the protocol's own rule."""
        ledger = self.ledger
        counts = {"events": 2 * len(self._start), "passes": ledger.passes, "decisions": ledger.decisions}
        homes = self._state.homes
        return Schedule(ledger.released(), self._start, counts, site=self._site, home_site=homes)

    def _raise_deadlock(self, waiting: Sequence[Job]) -> NoReturn:
        raise DeadlockError(
            f"protocol {self._protocol.name!r}: {counted(waiting)} can never start, with all sites empty and "
            f"no event left: {listed(waiting, 'processors')}; start a job that fits when all sites are empty"
        )
