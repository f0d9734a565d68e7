"""MulticlusterSystem: a global queue above clusters of shared nodes, whose owners come and go."""

from __future__ import annotations

import math
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.multicluster.deadlock import (
    MOST_IN_VAIN,
    MOST_RESERVATIONS,
    raise_deadlock,
    raise_endless,
)
from echelon.engine.multicluster.job_router import JobRouter
from echelon.engine.system import LATEST, System

if TYPE_CHECKING:
    from echelon.engine.multicluster.parts import Parts
    from echelon.model import Job, Schedule


class MulticlusterSystem(System):
    """A global queue, clusters of shared nodes, local load, and estimators.

    Jobs JOIN the global queue; in DECIDE it dispatches jobs and the clusters concerned decide, in turn, until
    nothing is left; with two phases, jobs that wait in clusters are then offered nodes of several. Planned
    ends are put off inside DECIDE, where jobs wait: a queue that was empty has ignored them.

    Parameters
    ----------
    parts : Parts
        The parts of the run; all its jobs can run.

    Notes
    -----
    Cost: O(jobs beside it) per start, end or change of owner, in addition to estimators and policies.
    """

    latest = LATEST

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.ledger = parts.ledger
        self._router = JobRouter(parts)
        self._stays: list[tuple[float, int]] = []
        self._in_vain = 0
        self._event = False
        self._touched: set[int] = set()
        first = self.ledger.releases.next_time
        parts.local_load.take_changes(first)
        parts.local_load.begin(first)

    def next_event(self, release: float) -> float:
        """See `System.next_event`: owners alone are no reason to go on."""
        if not (self._is_left or self._router.is_waiting or self._parts.pace.running):
            return math.inf
        parts = self._parts
        times = [machine.next_time() for machine in parts.machines]
        times += [parts.local_load.next_time(), release, parts.decisions.next_time()]
        while self._stays and not self._router.waits(self._stays[0][1]):
            heappop(self._stays)
        if self._stays:
            times.append(self._stays[0][0])
        return parts.pace.next_time(min(times))

    @property
    def _is_left(self) -> bool:
        """Whether jobs are known to arrive at the global queue."""
        return self.ledger.releases.next_time < math.inf or bool(self._parts.decisions.waiting)

    def begin(self, now: float) -> None:
        """See `System.begin`."""
        parts, router = self._parts, self._router
        # Evaluated before the clusters know the time, so that the event is still to come.
        router.concerned |= {
            site for site, machine in enumerate(parts.machines) if machine.next_time() <= now
        }
        router.now = parts.global_queue.now = parts.view.now = self.ledger.now = now
        for machine, view in zip(parts.machines, parts.views, strict=True):
            machine.cluster.now = view.now = now
        self._event, self._touched = False, set()

    def take_ends(self) -> list[Job]:
        """See `System.take_ends`."""
        serial, jobs = self.ledger.dispatches.serial, self.ledger.jobs
        return [jobs[p] for p in sorted(self._parts.pace.due(self.ledger.now), key=serial.__getitem__)]

    def end(self, job: Job) -> None:
        """See `System.end`."""
        self._event = True
        self._router.end(job.position)

    def change(self) -> None:
        """See `System.change`: owners come and go."""
        parts = self._parts
        touched = self._touched = parts.local_load.take_changes(self.ledger.now)
        parts.pace.touch(touched)
        for site in parts.sites_of(touched):
            parts.machines[site].cluster.owners_changed()
            self._router.mark_dirty(site)

    def join(self, job: Job) -> None:
        """See `System.join`."""
        self._event = True
        self._router.arrive(job)
        longest = self._parts.rules.longest_stay
        if longest < math.inf:
            heappush(self._stays, (self.ledger.now + longest, job.position))

    def leave(self) -> list[int]:
        """See `System.leave`: jobs that have stayed too long are rejected."""
        parts, rejected = self._parts, []
        while self._stays and self._stays[0][0] <= self.ledger.now:
            _, position = heappop(self._stays)
            if self._router.waits(position):
                self._router.drop(self.ledger.jobs[position])
                reason = f"a stay of {parts.rules.longest_stay:g} s in queues (the longest allowed)"
                parts.record.rejected.setdefault(reason, []).append(position)
                rejected.append(position)
        return rejected

    def decide(self) -> None:
        """See `System.decide`: the global queue and the clusters in turn, until nothing is left."""
        parts, router = self._parts, self._router
        self._event = router.decided() or self._event
        event = self._event or bool(self._touched)
        last = not self._is_left and not parts.global_queue.jobs
        while True:
            before = router.starts
            handed = router.dispatch()
            sites, router.concerned = sorted(router.concerned), set()
            for site in sites:
                machine = parts.machines[site]
                machine.is_last = last
                machine.watch(event=event or handed)
                machine.correct()
                machine.decide()
                # Its queue may be in another order now.
                parts.views[site].changed()
            if router.starts == before and (not parts.rules.two_phase or not router.second_phase()):
                return

    def settle(self) -> None:
        """See `System.settle`."""
        parts, now = self._parts, self.ledger.now
        repaced = parts.pace.settle(now) | self._touched
        parts.local_load.note(repaced, now)
        for site in parts.sites_of(repaced):
            parts.views[site].changed()
        self._count_in_vain(event=self._event)

    def _count_in_vain(self, *, event: bool) -> None:
        pace, owners = self._parts.pace, self._parts.local_load
        idle = not event and (self._router.is_waiting or pace.running)
        idle = idle and pace.next_time(math.inf) == math.inf
        self._in_vain = self._in_vain + 1 if idle else 0
        # After the last change of owners, jobs that stand still never end, and reservations that could not be
        # kept again and again can be kept only under a policy that wakes up.
        last = idle and owners.next_time() == math.inf
        wakes = any(machine.cluster.wakes for machine in self._parts.machines)
        most = MOST_RESERVATIONS if last and not wakes else MOST_IN_VAIN
        lost = (last and pace.running) or self._in_vain > most
        if lost and not self._is_left:
            self._raise_deadlock()

    def check_done(self) -> None:
        """See `System.check_done`."""
        if self._router.is_waiting or self._parts.pace.running:
            self._raise_deadlock()

    def _raise_deadlock(self) -> NoReturn:
        parts = self._parts
        raise_deadlock(
            parts.rules.upper_queue.name,
            upper=parts.global_queue.jobs.values(),
            still=[progress.job for _, progress in sorted(parts.pace.running.items())],
            machines=parts.machines,
            nodes=parts.nodes,
        )

    def raise_endless(self) -> NoReturn:
        """See `System.raise_endless`."""
        raise_endless(progress.job for _, progress in sorted(self._parts.pace.running.items()))

    def schedule(self) -> Schedule:
        """See `System.schedule`: with the nodes of every task, forecasts, and owners' delays.

        Jobs that no cluster can run or that stayed too long are dropped from its instance, with the reason.
        """
        parts, ledger = self._parts, self.ledger
        counts = {
            "events": 2 * len(ledger.jobs),
            "passes": ledger.passes,
            "decisions": ledger.decisions,
            "forecasts": parts.forecasts.asked,
        }
        delays = parts.local_load.delays(self._router.now)
        return parts.record.schedule(ledger, parts.forecasts, delays, counts)
