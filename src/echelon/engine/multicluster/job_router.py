"""JobRouter: moves jobs through the queues; where each waits or runs changes here alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from echelon.engine.multicluster.record import QueueAtArrival
from echelon.engine.observer import Place
from echelon.errors import PolicyError
from echelon.policies.upper_queue.contract import Copy, Deliver, Spread
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from echelon.engine.multicluster.parts import Parts
    from echelon.model import Job

_MOST_HANDINGS = 100
"""Most dispatches per waiting job in one cycle: one makes sense, so a hundred are an endless loop."""


class JobRouter:
    """Routes each job from the global queue to the queue of a cluster or to nodes of several, until it ends.

    Parameters
    ----------
    parts : Parts
        The parts of the run.

    Attributes
    ----------
    now : float
        Simulation time, in seconds.
    waiting_in : dict of int to tuple of int
        Clusters in whose queues each job waits, by the job's position, in order of dispatch.
    concerned : set of int
        Clusters whose state has changed since they last decided.
    starts : int
        Number of starts so far.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.now = 0.0
        self.waiting_in: dict[int, tuple[int, ...]] = {}
        self.concerned: set[int] = set()
        self.starts = 0
        for machine in parts.machines:
            machine.on_start = self._started

    def mark_dirty(self, site: int) -> None:
        """Note that the state of cluster `site` changes now."""
        self.concerned.add(site)
        self._parts.forecasts.changed(site)
        self._parts.global_queue.version += 1

    def end(self, position: int) -> None:
        """End the running job at `position` now."""
        job, now = self._parts.ledger.jobs[position], self.now
        where = self._place_of(position) if self._parts.ledger.observers else Place()
        progress = self._parts.pace.leave(position)
        start = self._parts.ledger.dispatches.first_start(job)
        site = self._parts.record.site_of(position)
        for place, part in self._parts.virtual.parts_of(job, progress.nodes).items():
            self._parts.machines[place].end(part)
            self._parts.accounting.ended(job, place, start, now)
            self.mark_dirty(place)
        self._parts.virtual.dissolve(position)
        self._parts.ledger.dispatches.ended(position)
        self._parts.ledger.ended += 1
        self._parts.forecasts.learn(self._parts.record.ended(job, site, start, now), job)
        for observer in self._parts.ledger.observers:
            observer.ended(now, job, where)

    def arrive(self, job: Job) -> None:
        """Queue `job`, submitted now, for the broker's decision."""
        self._parts.decisions.submit(job, self.now)
        self._parts.ledger.dispatches.planned_left[job.position] = job.planned_time
        for observer in self._parts.ledger.observers:
            observer.submitted(self.now, job, Place())

    def decided(self) -> bool:
        """Move the jobs whose decisions are complete to the global queue; return whether there are any."""
        decided = self._parts.decisions.take(self.now)
        for job in decided:
            self._parts.global_queue.jobs[job.position] = job
            self._parts.global_queue.version += 1
        return bool(decided)

    def waits(self, position: int) -> bool:
        """Return whether the job at `position` waits for a decision or in some queue."""
        upper = position in self._parts.decisions.waiting or position in self._parts.global_queue.jobs
        return upper or position in self.waiting_in

    @property
    def is_waiting(self) -> bool:
        """Whether some job waits for a decision or in some queue."""
        return bool(self._parts.decisions.waiting or self._parts.global_queue.jobs or self.waiting_in)

    def drop(self, job: Job) -> None:
        """Remove a waiting job from every queue."""
        self._parts.decisions.drop(job.position, self.now)
        self._parts.global_queue.jobs.pop(job.position, None)
        self._parts.global_queue.notes.pop(job.position, None)
        for site in self.waiting_in.pop(job.position, ()):
            self._parts.machines[site].cluster.drop(job)
            self._parts.accounting.leave(job, site)
            self.mark_dirty(site)
        self._parts.forecasts.forget(job)

    def dispatch(self) -> bool:
        """Let the rule of the global queue dispatch jobs; return whether it dispatched any."""
        if not self._parts.global_queue.jobs:
            return False
        rule, handed = self._parts.rules.upper_queue, False
        with Guard(
            lambda failure: self._refuse(None, f"fails with {failure}; dispatch(view) yields dispatches")
        ):
            most = _MOST_HANDINGS * len(self._parts.global_queue.jobs)
            for count, handing in enumerate(rule.dispatch(self._parts.global_queue)):
                if count >= most:
                    self._refuse(None, f"gives more than {_MOST_HANDINGS} dispatches per job in one cycle")
                handed = self._apply(handing) or handed
        return handed

    def _apply(self, handing: object) -> bool:
        if not isinstance(handing, Deliver | Spread | Copy):
            self._refuse(
                None, f"gave {handing!r:.60}; expected Deliver(job, site), Spread(job) or Copy(job, sites)"
            )
        job = handing.job
        if self._parts.global_queue.jobs.get(job.position) != job:
            self._refuse(job, "was dispatched, but does not wait in the global queue")
        if isinstance(handing, Spread):
            return self._spread(job)
        sites = (handing.site,) if isinstance(handing, Deliver) else tuple(handing.sites)
        able = self._parts.global_queue.able(job)
        if not sites or len(set(sites)) < len(sites) or not set(sites) <= set(able):
            expected = ", ".join(map(str, able)) or "none"
            self._refuse(
                job, f"was dispatched to {sites!r:.40}; the clusters that can hold it are {expected}"
            )
        self._deliver(job, sites)
        return True

    def _deliver(self, job: Job, sites: tuple[int, ...]) -> None:
        now = self.now
        del self._parts.global_queue.jobs[job.position]
        forecast = self._parts.forecasts.deliver(job, sites[0])
        if self._parts.replans and forecast is not None:
            # Policies plan with it; at a prediction of 0 s they would take the job for ended at once.
            job = self._parts.ledger.jobs[job.position] = job._replace(planned_time=max(forecast.run, 1.0))
            self._parts.record.planned[job.position] = job.planned_time
        self._parts.record.delivered[job.position] = now
        self.waiting_in[job.position] = sites
        self._parts.view.last_site = sites[-1]
        for site in sites:
            cluster = self._parts.machines[site].cluster
            joined = QueueAtArrival(len(cluster.waiting), self._parts.views[site].waiting_work)
            self._parts.record.joined[job.position, site] = joined
            cluster.submit(job)
            self._parts.accounting.join(job, site)
            self._parts.joined[site].note(now)
            self.mark_dirty(site)

    def _started(self, job: Job, site: int) -> None:
        """Remove `job`, which has started in cluster `site`, from all other queues."""
        for other in self.waiting_in.pop(job.position):
            if other != site:
                self._parts.machines[other].cluster.drop(job)
                self._parts.accounting.leave(job, other)
                self._parts.record.joined.pop((job.position, other), None)
                self.mark_dirty(other)
        self._parts.left[site].note(self.now)
        self._begun(job)

    def _begun(self, job: Job) -> None:
        nodes = self._parts.pace.running[job.position].nodes
        self._parts.record.started(job, nodes)
        self.starts += 1
        self._parts.global_queue.notes.pop(job.position, None)
        self._parts.forecasts.forget(job)
        for site in {self._parts.nodes.site_of[node] for node in nodes}:
            self._parts.forecasts.changed(site)
        self._parts.global_queue.version += 1
        for observer in self._parts.ledger.observers:
            observer.started(self.now, job, self._place_of(job.position))

    def _place_of(self, position: int) -> Place:
        """Return the cluster of the running job at `position`: the one with most of its tasks."""
        nodes = self._parts.nodes
        by_site: dict[int, dict[int, int]] = {}
        for node in self._parts.pace.running[position].nodes:
            site = nodes.site_of[node]
            by_site.setdefault(site, {})[node - nodes.first[site]] = 1
        first = self._parts.record.site_of(position)
        places = {
            site: Place(site, self._parts.machines[site].name, where) for site, where in by_site.items()
        }
        others = tuple(places[site] for site in sorted(places) if site != first)
        return places[first]._replace(others=others)

    def _spread(self, job: Job) -> bool:
        """Start `job` on nodes of several clusters if enough are free; return whether it started."""
        where = self._parts.virtual.find(job, self.now)
        if where is None:
            return False
        if job.position in self._parts.global_queue.jobs:
            del self._parts.global_queue.jobs[job.position]
            self._parts.record.delivered[job.position] = self.now
        for site in self.waiting_in.pop(job.position, ()):
            self._parts.machines[site].cluster.drop(job)
            self._parts.accounting.leave(job, site)
            self._parts.left[site].note(self.now)
            self.mark_dirty(site)
        for site in self._parts.virtual.start(job, where, self.now):
            self._parts.accounting.join(job, site)
            self.mark_dirty(site)
        self._begun(job)
        return True

    def second_phase(self) -> bool:
        """Offer nodes of several clusters to jobs that wait in one, in order of delivery (algorithm 4.5)."""
        waiting = [self._parts.ledger.jobs[position] for position in self.waiting_in]
        started = [self._spread(job) for job in waiting]
        return any(started)

    def _refuse(self, job: Job | None, rule: str) -> NoReturn:
        name, job_id = self._parts.rules.upper_queue.name, None if job is None else job.job_id
        raise PolicyError(name, time=self.now, job_id=job_id, broken_rule=rule)
