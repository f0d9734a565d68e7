"""One run on a multicluster: an upper queue, clusters of shared nodes below it, owners, and estimators."""

from __future__ import annotations

import math
from dataclasses import replace
from heapq import heappop, heappush
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from echelon.engine.ledger import Ledger
from echelon.engine.multicluster.admission import able_sites, admitted
from echelon.engine.multicluster.books import Books
from echelon.engine.multicluster.broker_view import SharedView
from echelon.engine.multicluster.cluster import SlotCluster, scenario_of
from echelon.engine.multicluster.forecasts import ForecastBook
from echelon.engine.multicluster.machine import SlotMachine
from echelon.engine.multicluster.nodes import SharedNodes, program_of
from echelon.engine.multicluster.owners import Owners
from echelon.engine.multicluster.pace import Pace
from echelon.engine.multicluster.rates import Rate
from echelon.engine.multicluster.record import Joined, Record
from echelon.engine.multicluster.site_view import SiteView
from echelon.engine.multicluster.upper import UpperHall
from echelon.engine.multicluster.virtual import VirtualClusters
from echelon.errors import EchelonError, PolicyError, StuckError
from echelon.model import Demands
from echelon.model.streams import stream
from echelon.policies import Broker, Exact, Request, estimator_words
from echelon.policies.upper_queue.contract import Copy, Deliver, Spread

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.multicluster.rules import MulticlusterRules
    from echelon.engine.multicluster.site_view import Projector
    from echelon.model import Instance, Job, Platform, Schedule

_PROGRESS_EVERY = 256

_MOST_IN_VAIN = 100_000
"""Changes of owners in a row, with jobs waiting and none running, after which a run is given up."""


def simulate(scenario: Scenario, project: Projector, progress: Progress | None = None) -> Schedule:
    """Run `scenario` on its multicluster.

    At an instant: jobs end, by position; owners come and go; jobs are submitted to the upper queue, in the
    workload's order; those that have stayed too long are rejected. Then, in turn until nothing more happens,
    the upper queue hands jobs out and the clusters concerned decide, by number; with two phases, jobs that
    wait in clusters are offered nodes of several when that comes to rest.

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
        If jobs wait for ever.

    Notes
    -----
    Cost: O(jobs beside it) a start, an end or a change of owner, besides estimators and policies.
    """
    rules, broker, platform = scenario.multicluster, scenario.broker, scenario.instance.platform
    assert rules is not None
    assert platform is not None
    assert isinstance(broker, Broker)
    spanning = rules.co_allocation is not None
    instance = admitted(scenario.instance, platform, spanning=spanning)
    admission = replace(scenario, instance=instance)
    return _Run(admission, rules, broker, platform, project=project, progress=progress).schedule()


class _Run:
    """The clock, and who is told of what."""

    def __init__(
        self,
        scenario: Scenario,
        rules: MulticlusterRules,
        broker: Broker,
        platform: Platform,
        *,
        project: Projector,
        progress: Progress | None,
    ) -> None:
        self._rules, self._progress = rules, progress
        instance = scenario.instance
        self.nodes = SharedNodes(platform)
        alone: list[float] = instance.run_time.tolist()
        noise = _noise(scenario.seed, rules.execution.noise, len(instance))
        self.pace = Pace(self.nodes, rules.execution, alone, noise)
        demands = _demands(instance)
        inner = [scenario_of(scenario, site, self.nodes, demands) for site in range(len(platform))]
        # Planned times are forecast when jobs are handed to clusters, not predicted when they are submitted.
        self.ledger = Ledger(replace(inner[0], estimator=Request()))
        self.machines = [
            SlotMachine(
                self.ledger, SlotCluster(inner[site], self.ledger, self.nodes, site), platform.names[site],
                pace=self.pace, started=self._started,
            )
            for site in range(len(platform))
        ]  # fmt: skip
        self.views = [
            SiteView(machine, self.nodes, self.pace, run_time=alone, project=project)
            for machine in self.machines
        ]
        estimators: list[Any] = [scenario.estimator, *rules.watched]
        words = [estimator_words(estimator) for estimator in estimators]
        self.forecasts = ForecastBook(estimators, words, rules.past, self.views)
        self.books = Books(self.machines, self.views, self.nodes)
        self._joined, self._left = [Rate() for _ in platform.sites], [Rate() for _ in platform.sites]
        self._view = SharedView(scenario, broker, self.books, self.forecasts)
        self.upper = UpperHall(
            self.machines, [able_sites(job, platform) for job in self.ledger.jobs], broker, view=self._view,
            forecasts=self.forecasts, limit=rules.limit, rates=(self._joined, self._left),
        )  # fmt: skip
        self.record = Record(instance, self.nodes)
        self.owners = Owners(
            self.nodes, rules.local_users.changes(platform, scenario.seed), self.pace, rules.execution.paging
        )
        self._virtual = VirtualClusters(rules, self.machines, self.nodes, self.pace, self.ledger.dispatches)
        self._replans = not isinstance(scenario.estimator, Request | Exact)
        self._arrivals: list[int] = np.argsort(instance.submit_time, kind="stable").tolist()
        self._submit_times: list[float] = instance.submit_time[self._arrivals].tolist()
        self._next_arrival = 0
        self._stays: list[tuple[float, int]] = []
        self._waiting_in: dict[int, tuple[int, ...]] = {}
        self._concerned: set[int] = set()
        self._starts = self._instants = self._in_vain = 0
        self._now = 0.0

    def schedule(self) -> Schedule:
        first = self._submit_times[0]
        self.owners.take_changes(first)
        self.owners.begin(first)
        while (now := self._next_time()) < math.inf:
            self._instant(now)
            self._report_progress()
        if self._is_waiting:
            self._raise_stuck()
        counts = {
            "events": 2 * len(self.ledger.jobs),
            "passes": self.ledger.passes,
            "decisions": self.ledger.decisions,
            "forecasts": self.forecasts.asked,
        }
        delays = self.owners.delays(self._now)
        return self.record.schedule(self.ledger.dispatches, self.forecasts, delays, counts)

    @property
    def _is_waiting(self) -> bool:
        return bool(self.upper.jobs or self._waiting_in)

    def _next_time(self) -> float:
        left = self._next_arrival < len(self._arrivals)
        if not (left or self._is_waiting or self.pace.running):
            return math.inf
        times = [machine.next_time() for machine in self.machines]
        times.append(self.owners.next_time())
        if left:
            times.append(self._submit_times[self._next_arrival])
        while self._stays and not self._still_waits(self._stays[0][1]):
            heappop(self._stays)
        if self._stays:
            times.append(self._stays[0][0])
        return self.pace.next_time(min(times))

    def _instant(self, now: float) -> None:
        self._now = self.upper.now = self._view.now = now
        for machine, view in zip(self.machines, self.views, strict=True):
            machine.cluster.now = view.now = now
        ending = self.pace.due(now)
        for position in ending:
            self._end(position)
        touched = self.owners.take_changes(now)
        self.pace.touch(touched)
        for site in {self.nodes.site_of[node] for node in touched}:
            self.machines[site].cluster.owners_changed()
            self._stir(site)
        arriving = self._arrive(now)
        self._reject_late(now)
        self._concerned |= {site for site, machine in enumerate(self.machines) if machine.next_time() <= now}
        self._count_in_vain(bool(ending or arriving))
        for site in sorted(self._concerned):
            self.machines[site].correct()
        self._decide(events=bool(ending or arriving or touched))
        repaced = self.pace.settle(now) | touched
        self.owners.note(repaced, now)
        for site in {self.nodes.site_of[node] for node in repaced}:
            self.views[site].changed()

    def _stir(self, site: int) -> None:
        """Note that something changes in cluster `site` now."""
        self._concerned.add(site)
        self.forecasts.changed(site)
        self.upper.version += 1

    def _end(self, position: int) -> None:
        job, now = self.ledger.jobs[position], self._now
        progress = self.pace.leave(position)
        start = self.ledger.dispatches.first_start(job)
        site = self.record.site_of(position)
        for place, part in self._virtual.parts_of(job, progress.nodes).items():
            self.machines[place].end(part)
            self.books.ended(job, place, start, now)
            self._stir(place)
        self._virtual.dissolve(position)
        self.ledger.dispatches.serial[position] += 1
        self.ledger.ended += 1
        self.forecasts.learn(self.record.ended(job, site, start, now), job)
        for observer in self.ledger.observers:
            observer.ended(now, job)

    def _arrive(self, now: float) -> bool:
        first = self._next_arrival
        while self._next_arrival < len(self._arrivals) and self._submit_times[self._next_arrival] == now:
            job = self.ledger.jobs[self._arrivals[self._next_arrival]]
            self.upper.jobs[job.position] = job
            self.ledger.dispatches.planned_left[job.position] = job.planned_time
            if self._rules.longest_stay < math.inf:
                heappush(self._stays, (now + self._rules.longest_stay, job.position))
            for observer in self.ledger.observers:
                observer.submitted(now, job)
            self._next_arrival += 1
        self.upper.version += self._next_arrival - first
        return self._next_arrival > first

    def _still_waits(self, position: int) -> bool:
        return position in self.upper.jobs or position in self._waiting_in

    def _reject_late(self, now: float) -> None:
        while self._stays and self._stays[0][0] <= now:
            _, position = heappop(self._stays)
            if self._still_waits(position):
                self._drop(self.ledger.jobs[position])
                reason = f"a stay of {self._rules.longest_stay:g} s in queues (the longest allowed)"
                self.record.rejected.setdefault(reason, []).append(position)

    def _drop(self, job: Job) -> None:
        """Take a waiting job out of every queue it is in."""
        self.upper.jobs.pop(job.position, None)
        self.upper.notes.pop(job.position, None)
        for site in self._waiting_in.pop(job.position, ()):
            self.machines[site].cluster.drop(job)
            self.books.leave(job, site)
            self._stir(site)
        self.forecasts.forget(job)

    def _decide(self, *, events: bool) -> None:
        """Let the upper queue hand out and the clusters decide until nothing more happens."""
        last = self._next_arrival == len(self._arrivals) and not self.upper.jobs
        while True:
            before = self._starts
            handed = self._hand_out()
            sites, self._concerned = sorted(self._concerned), set()
            for site in sites:
                self.machines[site].watch(event=events or handed, last=last)
                self.machines[site].decide()
                # Its queue may be in another order now.
                self.views[site].changed()
            if self._starts == before and (not self._rules.two_phase or not self._second_phase()):
                return

    def _hand_out(self) -> bool:
        """Let the rule of the upper queue hand out jobs; return whether it did."""
        if not self.upper.jobs:
            return False
        rule, handed = self._rules.upper_queue, False
        try:
            for handing in rule.hand_out(self.upper):
                handed = self._apply(handing) or handed
        except EchelonError:
            raise
        except (Exception, SystemExit) as error:
            self._refuse(None, f"fails with {type(error).__name__}: {error}; hand_out(view) yields handings")
        return handed

    def _apply(self, handing: object) -> bool:
        if not isinstance(handing, Deliver | Spread | Copy):
            self._refuse(
                None, f"gave {handing!r:.60}; expected Deliver(job, site), Spread(job) or Copy(job, sites)"
            )
        job = handing.job
        if self.upper.jobs.get(job.position) != job:
            self._refuse(job, "was handed out, but does not wait in the upper queue")
        if isinstance(handing, Spread):
            return self._spread(job)
        sites = (handing.site,) if isinstance(handing, Deliver) else tuple(handing.sites)
        able = self.upper.able(job)
        if not sites or len(set(sites)) < len(sites) or not set(sites) <= set(able):
            told = ", ".join(map(str, able)) or "none"
            self._refuse(job, f"was handed to {sites!r:.40}; the clusters that can hold it are {told}")
        self._deliver(job, sites)
        return True

    def _deliver(self, job: Job, sites: tuple[int, ...]) -> None:
        now = self._now
        del self.upper.jobs[job.position]
        said = self.forecasts.deliver(job, sites[0])
        if self._replans and said is not None:
            # What policies plan with; a prediction of nothing would let them think that it is over at once.
            job = self.ledger.jobs[job.position] = job._replace(planned_time=max(said.run, 1.0))
            self.record.planned[job.position] = job.planned_time
        self.record.delivered[job.position] = now
        self._waiting_in[job.position] = sites
        self._view.last_site = sites[-1]
        for site in sites:
            cluster = self.machines[site].cluster
            joined = Joined(len(cluster.waiting), self.views[site].waiting_work)
            self.record.joined[job.position, site] = joined
            cluster.submit(job)
            self.books.join(job, site)
            self._joined[site].note(now)
            self._stir(site)

    def _started(self, job: Job, site: int) -> None:
        """Hear that `job` has started in cluster `site`, from whose queue it comes."""
        for other in self._waiting_in.pop(job.position):
            if other != site:
                self.machines[other].cluster.drop(job)
                self.books.leave(job, other)
                self.record.joined.pop((job.position, other), None)
                self._stir(other)
        self._left[site].note(self._now)
        self._begun(job)

    def _begun(self, job: Job) -> None:
        nodes = self.pace.running[job.position].nodes
        self.record.started(job, nodes)
        self._starts += 1
        self.upper.notes.pop(job.position, None)
        self.forecasts.forget(job)
        for site in {self.nodes.site_of[node] for node in nodes}:
            self.forecasts.changed(site)
        self.upper.version += 1
        for observer in self.ledger.observers:
            observer.started(self._now, job)

    def _spread(self, job: Job) -> bool:
        """Start `job` on nodes of several clusters, if there are; return whether there were."""
        where = self._virtual.find(job, self._now)
        if where is None:
            return False
        if job.position in self.upper.jobs:
            del self.upper.jobs[job.position]
            self.record.delivered[job.position] = self._now
        for site in self._waiting_in.pop(job.position, ()):
            self.machines[site].cluster.drop(job)
            self.books.leave(job, site)
            self._left[site].note(self._now)
            self._stir(site)
        for site in self._virtual.start(job, where, self._now):
            self.books.join(job, site)
            self._stir(site)
        self._begun(job)
        return True

    def _second_phase(self) -> bool:
        """Offer nodes of several clusters to jobs that wait in one, in order of delivery (algorithm 4.5)."""
        waiting = [self.ledger.jobs[position] for position in self._waiting_in]
        started = [self._spread(job) for job in waiting]
        return any(started)

    def _count_in_vain(self, event: bool) -> None:
        idle = not event and not self.pace.running and self._is_waiting
        self._in_vain = self._in_vain + 1 if idle else 0
        if self._in_vain > _MOST_IN_VAIN and self._next_arrival == len(self._arrivals):
            self._raise_stuck()

    def _raise_stuck(self) -> NoReturn:
        for machine in self.machines:
            if machine.cluster.waiting:
                machine.raise_stuck()
        jobs = list(self.upper.jobs.values())
        shown = ", ".join(f"{job.job_id} ({job.processors} nodes)" for job in jobs[:5])
        more = " ..." if len(jobs) > 5 else ""
        raise StuckError(
            f"upper queue {self._rules.upper_queue.name!r} leaves {len(jobs)} jobs waiting for ever with "
            f"nothing left to happen: {shown}{more}; hand out the head when all is empty"
        )

    def _refuse(self, job: Job | None, rule: str) -> NoReturn:
        name, job_id = self._rules.upper_queue.name, None if job is None else job.job_id
        raise PolicyError(name, time=self._now, job_id=job_id, broken_rule=rule)

    def _report_progress(self) -> None:
        self._instants += 1
        if self._progress is not None and self._instants % _PROGRESS_EVERY == 0:
            self._progress(self.ledger.ended, len(self._arrivals))


def _noise(seed: int, deviation: float, count: int) -> list[float]:
    """Return the factor of each job: lognormal of mean 1."""
    if not deviation:
        return [1.0] * count
    drawn = stream(seed, "execution/noise").normal(-deviation * deviation / 2, deviation, count)
    found: list[float] = np.exp(drawn).tolist()
    return found


def _demands(instance: Instance) -> Demands:
    """Return what jobs ask of slots: one in each of their nodes, with the memory of a task."""
    n, none = len(instance), np.zeros(len(instance))
    memory: Sequence[float] = [program_of(job).memory for job in instance.jobs()]
    return Demands(
        sequential=np.zeros(n, dtype=np.bool_),
        nodes=np.zeros(n, dtype=np.int64),
        tasks_per_node=np.ones(n, dtype=np.int64),
        communication_volume=none,
        compute_share=np.ones(n),
        first_group=np.arange(n + 1),
        tasks=instance.size.copy(),
        operations=np.ones(n),
        memory=np.array(memory, dtype=np.float64),
        memory_volume=none.copy(),
    )
