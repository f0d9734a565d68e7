"""One run on a multicluster: a global queue, clusters of shared nodes, local load, and estimators."""

from __future__ import annotations

import math
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.multicluster.admission import admitted
from echelon.engine.multicluster.deadlock import (
    LATEST,
    MOST_IN_VAIN,
    MOST_RESERVATIONS,
    raise_deadlock,
    raise_endless,
)
from echelon.engine.multicluster.job_router import JobRouter
from echelon.engine.multicluster.system import System
from echelon.engine.releases import Releases
from echelon.engine.worlds import Multicluster

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.multicluster.site_view import QueuePredictor
    from echelon.model import Schedule

_PROGRESS_EVERY = 256


def simulate(scenario: Scenario, predict_queue: QueuePredictor, progress: Progress | None = None) -> Schedule:
    """Run `scenario` on its multicluster.

    At an instant: jobs end, in the order of dispatch; the local load changes; jobs are submitted to the
    global queue, in the workload's order; jobs that have stayed too long are rejected. Then, in turn until no
    event is left, the global queue dispatches jobs and the clusters concerned decide, by number; with two
    phases, jobs that wait in clusters are then offered nodes of several.

    Parameters
    ----------
    scenario : Scenario
        With `MulticlusterRules`, a broker, and a platform of shared nodes.
    predict_queue : QueuePredictor
        Simulates clusters' queues for estimators.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        With the nodes of every task, forecasts, and owners' delays. Jobs that no cluster can run or that
        stayed too long are dropped from its instance, with the reason.

    Raises
    ------
    PolicyError
        If a decision of a rule is not allowed, or the rule fails.
    DeadlockError
        If some jobs can never start, or run beyond the resolution of times.

    Notes
    -----
    Cost: O(jobs beside it) per start, end or change of owner, in addition to estimators and policies.
    """
    rules, platform = scenario.world_as(Multicluster).rules, scenario.instance.sites
    spanning = rules.co_allocation is not None
    instance = admitted(scenario.instance, platform, spanning=spanning, co_allocation=rules.co_allocation)
    return _Run(replace(scenario, instance=instance), predict_queue, progress).schedule()


class _Run:
    """The clock of one run."""

    def __init__(self, scenario: Scenario, predict_queue: QueuePredictor, progress: Progress | None) -> None:
        self._system = System(scenario, predict_queue)
        self._router = JobRouter(self._system)
        self._progress = progress
        self._releases = Releases(scenario.instance)
        self._stays: list[tuple[float, int]] = []
        self._instants = self._in_vain = 0

    def schedule(self) -> Schedule:
        system = self._system
        first = self._releases.next_time
        system.local_load.take_changes(first)
        system.local_load.begin(first)
        while (now := self._next_time()) < math.inf:
            if now > LATEST:
                raise_endless(progress.job for _, progress in sorted(system.pace.running.items()))
            self._instant(now)
            self._report_progress()
        if self._router.is_waiting or system.pace.running:
            self._raise_deadlock()
        counts = {
            "events": 2 * len(system.ledger.jobs),
            "passes": system.ledger.passes,
            "decisions": system.ledger.decisions,
            "forecasts": system.forecasts.asked,
        }
        delays = system.local_load.delays(self._router.now)
        return system.record.schedule(system.ledger, system.forecasts, delays, counts)

    def _next_time(self) -> float:
        if not (self._is_left or self._router.is_waiting or self._system.pace.running):
            return math.inf
        system = self._system
        times = [machine.next_time() for machine in system.machines]
        times += [system.local_load.next_time(), self._releases.next_time, system.decisions.next_time()]
        while self._stays and not self._router.waits(self._stays[0][1]):
            heappop(self._stays)
        if self._stays:
            times.append(self._stays[0][0])
        return self._system.pace.next_time(min(times))

    @property
    def _is_left(self) -> bool:
        """Whether jobs are known to arrive at the global queue."""
        return self._releases.next_time < math.inf or bool(self._system.decisions.waiting)

    def _instant(self, now: float) -> None:
        system, router = self._system, self._router
        # Evaluated before the clusters know the time, so that the event is still to come.
        router.concerned |= {
            site for site, machine in enumerate(system.machines) if machine.next_time() <= now
        }
        router.now = system.global_queue.now = system.view.now = now
        for machine, view in zip(system.machines, system.views, strict=True):
            machine.cluster.now = view.now = now
        ending = sorted(system.pace.due(now), key=system.ledger.dispatches.serial.__getitem__)
        for position in ending:
            router.end(position)
            self._releases.ended(position, now)
        touched = system.local_load.take_changes(now)
        system.pace.touch(touched)
        for site in system.sites_of(touched):
            system.machines[site].cluster.owners_changed()
            router.mark_dirty(site)
        arriving = self._arrive(now)
        if self._reject_late(now):
            arriving = self._arrive(now) or arriving
        arriving = router.decided() or arriving
        self._decide(events=bool(ending or arriving or touched))
        repaced = system.pace.settle(now) | touched
        system.local_load.note(repaced, now)
        for site in system.sites_of(repaced):
            system.views[site].changed()
        self._count_in_vain(bool(ending or arriving))

    def _arrive(self, now: float) -> bool:
        arriving = self._releases.take(now)
        for position in arriving:
            self._router.arrive(self._system.ledger.announce(position, now))
            if self._system.rules.longest_stay < math.inf:
                heappush(self._stays, (now + self._system.rules.longest_stay, position))
        return bool(arriving)

    def _reject_late(self, now: float) -> bool:
        """Reject jobs that have stayed too long, an end for their dependents; return whether any were."""
        rejected = False
        while self._stays and self._stays[0][0] <= now:
            _, position = heappop(self._stays)
            if self._router.waits(position):
                self._router.drop(self._system.ledger.jobs[position])
                reason = f"a stay of {self._system.rules.longest_stay:g} s in queues (the longest allowed)"
                self._system.record.rejected.setdefault(reason, []).append(position)
                self._releases.ended(position, now)
                rejected = True
        return rejected

    def _decide(self, *, events: bool) -> None:
        """Let the global queue dispatch and the clusters decide until no event is left."""
        system, router = self._system, self._router
        last = not self._is_left and not system.global_queue.jobs
        while True:
            before = router.starts
            handed = router.dispatch()
            sites, router.concerned = sorted(router.concerned), set()
            for site in sites:
                system.machines[site].watch(event=events or handed, last=last)
                # A queue that was empty until now has ignored planned ends.
                system.machines[site].correct()
                system.machines[site].decide()
                # Its queue may be in another order now.
                system.views[site].changed()
            if router.starts == before and (not system.rules.two_phase or not router.second_phase()):
                return

    def _count_in_vain(self, event: bool) -> None:
        pace, owners = self._system.pace, self._system.local_load
        idle = not event and (self._router.is_waiting or pace.running)
        idle = idle and pace.next_time(math.inf) == math.inf
        self._in_vain = self._in_vain + 1 if idle else 0
        # After the last change of owners, jobs that stand still never end, and reservations that could not be
        # kept again and again can be kept only under a policy that wakes up.
        last = idle and owners.next_time() == math.inf
        wakes = any(machine.cluster.wakes for machine in self._system.machines)
        most = MOST_RESERVATIONS if last and not wakes else MOST_IN_VAIN
        lost = (last and pace.running) or self._in_vain > most
        if lost and not self._is_left:
            self._raise_deadlock()

    def _raise_deadlock(self) -> NoReturn:
        system = self._system
        raise_deadlock(
            system.rules.upper_queue.name,
            upper=system.global_queue.jobs.values(),
            still=[progress.job for _, progress in sorted(system.pace.running.items())],
            machines=system.machines,
            nodes=system.nodes,
        )

    def _report_progress(self) -> None:
        self._instants += 1
        if self._progress is not None and self._instants % _PROGRESS_EVERY == 0:
            self._progress(self._system.ledger.ended, len(self._system.ledger.jobs))
