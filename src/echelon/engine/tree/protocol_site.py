"""ProtocolSite: an inner site of a tree whose leaves exchange jobs under a decentralized protocol."""

from __future__ import annotations

import math
from dataclasses import replace
from functools import partial
from heapq import heapify, heappop, heappush
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.ledger.observer import NO_SITE, Place
from echelon.engine.queue.decisions import Decisions
from echelon.engine.system import count_of, list_of
from echelon.engine.tree.controlled_site import ControlledSite
from echelon.engine.tree.views.protocol_view import ProtocolState
from echelon.errors import DeadlockError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.tree.inner_site import InnerSite
    from echelon.model import Job, Schedule
    from echelon.policies import Decentralized


class ProtocolSite(ControlledSite):
    """Leaves under a protocol, which decides over all of them together and replaces their schedulers.

    It decides at an instant at which a job joins or ends, at which a publication announces a waiting job to
    other sites, or at which nodes change otherwise. Jobs of one instant END by start, equal ones as they were
    decided: a job in transit starts later than its decision, and its processors are held meanwhile.

    Parameters
    ----------
    protocol : Decentralized
        Decides.
    site : InnerSite
        Where it stands; all branches are leaves.
    """

    def __init__(self, protocol: Decentralized, site: InnerSite) -> None:
        self._protocol, self._site, self._ledger = protocol, site, site.ledger
        self._state = state = ProtocolState(protocol, site)
        decide = partial(protocol.decide, state)
        self._decisions = Decisions(protocol.name, decide, lambda: state.now, gives="StartAt(job, site)")
        self._submitted: list[Job] = []
        self._next_published = 0
        # Jobs in transit, by their start, then as they were decided: observers hear of a start when it comes.
        self._transfers: list[tuple[float, int, Job]] = []
        self._is_concerned = False
        names = site.scenario.instance.sites.names
        self._places = [Place(leaf, names[leaf]) for (leaf,) in site.below]
        for leaf in site.leaves:
            leaf.on_change = self._concern
            leaf.on_lost = self._take_back
            leaf.on_end = (*leaf.on_end, self._concern)
            leaf.on_resource = (*leaf.on_resource, self._concern)

    def next_time(self) -> float:
        """See `ControlledSite.next_time`: the next start in transit, or publication of a waiting job."""
        transfer = self._transfers[0][0] if self._transfers else math.inf
        return min(transfer, self._next_publication(math.nextafter(self._ledger.now, math.inf)))

    def _next_publication(self, since: float) -> float:
        """Return when a waiting job becomes known to other sites next, not before `since`, in seconds."""
        state = self._state
        while self._next_published < len(self._submitted):
            job = self._submitted[self._next_published]
            if state.waits(job) and state.publication_time(job) >= since:
                return state.publication_time(job)
            self._next_published += 1
        return math.inf

    @property
    def held(self) -> Sequence[Job]:
        """See `ControlledSite.held`."""
        return self._state.queue

    def join(self, job: Job, *, is_reported: bool = False) -> None:
        """See `ControlledSite.join`: `job` waits at its home."""
        self._concern()
        self._submitted.append(job)
        self._state.submit(job)
        if not is_reported:
            for observer in self._ledger.observers:
                observer.submitted(self._ledger.now, job, self._places[self._state.home(job)])

    def withdraw(self, job: Job) -> None:
        """See `ControlledSite.withdraw`."""
        self._concern()
        self._state.withdraw(job)

    def _take_back(self, job: Job) -> None:
        """Let `job`, which has lost what it held, wait here again, as if submitted now."""
        leaves = self._site.states[0]
        leaf = leaves.leaves[leaves.site_of[job.position]]
        leaf.withdraw(job)
        # Above it counts as it did.
        statistics, branch = leaf.above[0]
        statistics.leave(job, branch)
        if self._ledger.dispatches.in_transit.pop(job.position, None) is not None:
            self._transfers = [one for one in self._transfers if one[2].position != job.position]
            heapify(self._transfers)
        self._concern()
        self._submitted.append(job)
        self._state.submit(job)

    def _concern(self, *_: object) -> None:
        """Note that something happens now on which the protocol decides."""
        self._is_concerned = True

    def change(self) -> None:
        """See `ControlledSite.change`: jobs in transit reach their site and hold its processors already."""
        while self._transfers and self._transfers[0][0] <= self._ledger.now:
            job = heappop(self._transfers)[2]
            place = self._ledger.dispatches.in_transit.pop(job.position)
            for observer in self._ledger.observers:
                observer.started(self._ledger.now, job, place)

    def decide(self) -> bool:
        """See `ControlledSite.decide`: a publication is a reason to decide, and nothing by itself."""
        self._is_concerned |= self._next_publication(self._ledger.now) == self._ledger.now
        return False

    def dispatch(self) -> bool:
        """See `ControlledSite.dispatch`: the protocol decides over all sites at once."""
        if not self._is_concerned:
            return False
        self._is_concerned = False
        state, ledger, started = self._state, self._ledger, False
        ledger.cycles += 1
        if state.queue:
            state.begin()
            for decision in self._decisions.cycle(len(state.queue)):
                ledger.decisions += 1
                self._apply(decision)
                started = True
        state.arrived = ()
        for observer in ledger.observers:
            observer.decided(ledger.now, len(state.queue), state.all_free, NO_SITE)
        return started

    def goes_on(self) -> bool:
        """See `ControlledSite.goes_on`: something has changed at a leaf without an END or a JOIN."""
        return self._is_concerned

    def _apply(self, decision: object) -> None:
        (job, place), delay = self._state.start(decision)
        now, ledger = self._ledger.now, self._ledger
        start = now + delay
        if start > now:
            ledger.dispatches.in_transit[job.position] = NO_SITE
            heappush(self._transfers, (start, ledger.decisions, job))
        self._site.send(job, place, is_reported=True)
        self._site.leaves[place].start(delay)

    def choose(self, job: Job) -> int:
        """See `ControlledSite.choose`: its home, which tries it first."""
        return self._state.home(job)

    def check_done(self) -> None:
        """See `ControlledSite.check_done`."""
        if waiting := self._state.queue:
            raise DeadlockError(
                f"protocol {self._protocol.name!r}: {count_of(waiting)} can never start, with all sites "
                f"empty and no event left: {list_of(waiting, 'processors')}; start a job that fits when all "
                "sites are empty"
            )

    def schedule(self, plain: Schedule) -> Schedule:
        """See `ControlledSite.schedule`: with the home of each job by the protocol's own rule."""
        leaves = np.array([leaf for (leaf,) in self._site.below])
        homes = leaves[self._state.homes]
        if plain.site is not None and len(leaves) < len(plain.instance.sites):
            recorded_homes = plain.instance.home_site if plain.home_site is None else plain.home_site
            homes = np.where(np.isin(plain.site, leaves), homes, recorded_homes)
        return replace(plain, home_site=homes)
