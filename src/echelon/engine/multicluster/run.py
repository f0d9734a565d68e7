"""One run on a multicluster: an upper queue, clusters of shared nodes below it, owners, and estimators."""

from __future__ import annotations

import math
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NoReturn

from echelon.engine.multicluster.admission import admitted
from echelon.engine.multicluster.passage import Passage
from echelon.engine.multicluster.stuck import LATEST, MOST_IN_VAIN, MOST_PROMISES, raise_endless, raise_stuck
from echelon.engine.multicluster.system import System
from echelon.engine.releases import Releases

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.multicluster.site_view import Projector
    from echelon.model import Schedule

_PROGRESS_EVERY = 256


def simulate(scenario: Scenario, project: Projector, progress: Progress | None = None) -> Schedule:
    """Run `scenario` on its multicluster.

    At an instant: jobs end, in the order of dispatch; owners come and go; jobs are submitted to the upper
    queue, in the workload's order; those that have stayed too long are rejected. Then, in turn until nothing
    more happens, the upper queue hands jobs out and the clusters concerned decide, by number; with two
    phases, jobs that wait in clusters are offered nodes of several when that comes to rest.

    Parameters
    ----------
    scenario : Scenario
        With `MulticlusterRules`, a broker, and a platform of shared nodes.
    project : Projector
        Who simulates clusters' queues for estimators.
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
        If a rule decides what is not allowed, or fails.
    StuckError
        If jobs wait forever, or run for longer than times can tell.

    Notes
    -----
    Cost: O(jobs beside it) a start, an end or a change of owner, besides estimators and policies.
    """
    rules, platform = scenario.multicluster, scenario.instance.platform
    assert rules is not None
    assert platform is not None
    spanning = rules.co_allocation is not None
    instance = admitted(scenario.instance, platform, spanning=spanning, co_allocation=rules.co_allocation)
    return _Run(replace(scenario, instance=instance), project, progress).schedule()


class _Run:
    """The clock of one run."""

    def __init__(self, scenario: Scenario, project: Projector, progress: Progress | None) -> None:
        self._system = System(scenario, project)
        self._passage = Passage(self._system)
        self._progress = progress
        self._releases = Releases(scenario.instance)
        self._stays: list[tuple[float, int]] = []
        self._instants = self._in_vain = 0

    def schedule(self) -> Schedule:
        system = self._system
        first = self._releases.next_time
        system.owners.take_changes(first)
        system.owners.begin(first)
        while (now := self._next_time()) < math.inf:
            if now > LATEST:
                raise_endless(progress.job for _, progress in sorted(system.pace.running.items()))
            self._instant(now)
            self._report_progress()
        if self._passage.is_waiting or system.pace.running:
            self._raise_stuck()
        counts = {
            "events": 2 * len(system.ledger.jobs),
            "passes": system.ledger.passes,
            "decisions": system.ledger.decisions,
            "forecasts": system.forecasts.asked,
        }
        delays = system.owners.delays(self._passage.now)
        return system.record.schedule(system.ledger, system.forecasts, delays, counts)

    def _next_time(self) -> float:
        if not (self._is_left or self._passage.is_waiting or self._system.pace.running):
            return math.inf
        system = self._system
        times = [machine.next_time() for machine in system.machines]
        times += [system.owners.next_time(), self._releases.next_time, system.desk.next_time()]
        while self._stays and not self._passage.waits(self._stays[0][1]):
            heappop(self._stays)
        if self._stays:
            times.append(self._stays[0][0])
        return self._system.pace.next_time(min(times))

    @property
    def _is_left(self) -> bool:
        """Whether jobs are known to come into the upper queue."""
        return self._releases.next_time < math.inf or bool(self._system.desk.waiting)

    def _instant(self, now: float) -> None:
        system, passage = self._system, self._passage
        # Asked before the clusters know the time: then it is still to come.
        passage.concerned |= {
            site for site, machine in enumerate(system.machines) if machine.next_time() <= now
        }
        passage.now = system.upper.now = system.view.now = now
        for machine, view in zip(system.machines, system.views, strict=True):
            machine.cluster.now = view.now = now
        ending = sorted(system.pace.due(now), key=system.ledger.dispatches.serial.__getitem__)
        for position in ending:
            passage.end(position)
            self._releases.ended(position, now)
        touched = system.owners.take_changes(now)
        system.pace.touch(touched)
        for site in system.sites_of(touched):
            system.machines[site].cluster.owners_changed()
            passage.stir(site)
        arriving = self._arrive(now)
        if self._reject_late(now):
            arriving = self._arrive(now) or arriving
        arriving = passage.decided() or arriving
        self._decide(events=bool(ending or arriving or touched))
        repaced = system.pace.settle(now) | touched
        system.owners.note(repaced, now)
        for site in system.sites_of(repaced):
            system.views[site].changed()
        self._count_in_vain(bool(ending or arriving))

    def _arrive(self, now: float) -> bool:
        arriving = self._releases.take(now)
        for position in arriving:
            self._passage.arrive(self._system.ledger.announce(position, now))
            if self._system.rules.longest_stay < math.inf:
                heappush(self._stays, (now + self._system.rules.longest_stay, position))
        return bool(arriving)

    def _reject_late(self, now: float) -> bool:
        """Reject who has stayed too long, an end to those that wait for it; return whether anybody has."""
        rejected = False
        while self._stays and self._stays[0][0] <= now:
            _, position = heappop(self._stays)
            if self._passage.waits(position):
                self._passage.drop(self._system.ledger.jobs[position])
                reason = f"a stay of {self._system.rules.longest_stay:g} s in queues (the longest allowed)"
                self._system.record.rejected.setdefault(reason, []).append(position)
                self._releases.ended(position, now)
                rejected = True
        return rejected

    def _decide(self, *, events: bool) -> None:
        """Let the upper queue hand out and the clusters decide until nothing more happens."""
        system, passage = self._system, self._passage
        last = not self._is_left and not system.upper.jobs
        while True:
            before = passage.starts
            handed = passage.hand_out()
            sites, passage.concerned = sorted(passage.concerned), set()
            for site in sites:
                system.machines[site].watch(event=events or handed, last=last)
                # A queue that was empty until now did not care for planned ends.
                system.machines[site].correct()
                system.machines[site].decide()
                # Its queue may be in another order now.
                system.views[site].changed()
            if passage.starts == before and (not system.rules.two_phase or not passage.second_phase()):
                return

    def _count_in_vain(self, event: bool) -> None:
        pace, owners = self._system.pace, self._system.owners
        idle = not event and (self._passage.is_waiting or pace.running)
        idle = idle and pace.next_time(math.inf) == math.inf
        self._in_vain = self._in_vain + 1 if idle else 0
        # When owners have changed for the last time jobs that stand still never end, and nothing but a policy
        # that wakes up makes promises come true that could not be kept again and again.
        last = idle and owners.next_time() == math.inf
        wakes = any(machine.cluster.wakes for machine in self._system.machines)
        most = MOST_PROMISES if last and not wakes else MOST_IN_VAIN
        lost = (last and pace.running) or self._in_vain > most
        if lost and not self._is_left:
            self._raise_stuck()

    def _raise_stuck(self) -> NoReturn:
        system = self._system
        raise_stuck(
            system.rules.upper_queue.name,
            upper=system.upper.jobs.values(),
            still=[progress.job for _, progress in sorted(system.pace.running.items())],
            machines=system.machines,
            nodes=system.nodes,
        )

    def _report_progress(self) -> None:
        self._instants += 1
        if self._progress is not None and self._instants % _PROGRESS_EVERY == 0:
            self._progress(self._system.ledger.ended, len(self._system.ledger.jobs))
