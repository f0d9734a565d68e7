"""Passage: jobs on their way through the queues; where each waits or runs changes here alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

from echelon.engine.multicluster.record import Joined
from echelon.engine.observer import Place
from echelon.errors import PolicyError
from echelon.policies.upper_queue.contract import Copy, Deliver, Spread
from echelon.rules.own_rule import Guard

if TYPE_CHECKING:
    from echelon.engine.multicluster.system import System
    from echelon.model import Job

_MOST_HANDINGS = 100
"""Handings a waiting job in one pass: one makes sense, so a hundred are a loop without end."""


class Passage:
    """From the upper queue to a cluster's, or to nodes of several, to the end.

    Parameters
    ----------
    system : System
        Of the run.

    Attributes
    ----------
    now : float
        In seconds.
    waiting_in : dict of int to tuple of int
        Clusters in whose queue each job waits, by position, in the order in which they were handed out.
    concerned : set of int
        Clusters in which something has happened since they last decided.
    starts : int
        Starts so far.
    """

    def __init__(self, system: System) -> None:
        self._system = system
        self.now = 0.0
        self.waiting_in: dict[int, tuple[int, ...]] = {}
        self.concerned: set[int] = set()
        self.starts = 0
        for machine in system.machines:
            machine.told = self._started

    def stir(self, site: int) -> None:
        """Note that something changes in cluster `site` now."""
        self.concerned.add(site)
        self._system.forecasts.changed(site)
        self._system.upper.version += 1

    def end(self, position: int) -> None:
        """Let the running job at `position` end now."""
        job, now = self._system.ledger.jobs[position], self.now
        where = self._place_of(position) if self._system.ledger.observers else Place()
        progress = self._system.pace.leave(position)
        start = self._system.ledger.dispatches.first_start(job)
        site = self._system.record.site_of(position)
        for place, part in self._system.virtual.parts_of(job, progress.nodes).items():
            self._system.machines[place].end(part)
            self._system.books.ended(job, place, start, now)
            self.stir(place)
        self._system.virtual.dissolve(position)
        self._system.ledger.dispatches.ended(position)
        self._system.ledger.ended += 1
        self._system.forecasts.learn(self._system.record.ended(job, site, start, now), job)
        for observer in self._system.ledger.observers:
            observer.ended(now, job, where)

    def arrive(self, job: Job) -> None:
        """Let `job` wait for the broker's decision: it is submitted now."""
        self._system.desk.submit(job, self.now)
        self._system.ledger.dispatches.planned_left[job.position] = job.planned_time
        for observer in self._system.ledger.observers:
            observer.submitted(self.now, job, Place())

    def decided(self) -> bool:
        """Let the jobs whose decisions are done now join the upper queue; return whether there are any."""
        decided = self._system.desk.take(self.now)
        for job in decided:
            self._system.upper.jobs[job.position] = job
            self._system.upper.version += 1
        return bool(decided)

    def waits(self, position: int) -> bool:
        """Return whether the job at `position` waits for a decision or in some queue."""
        upper = position in self._system.desk.waiting or position in self._system.upper.jobs
        return upper or position in self.waiting_in

    @property
    def is_waiting(self) -> bool:
        """Whether some job waits for a decision or in some queue."""
        return bool(self._system.desk.waiting or self._system.upper.jobs or self.waiting_in)

    def drop(self, job: Job) -> None:
        """Take a waiting job out of every queue it is in."""
        self._system.desk.drop(job.position, self.now)
        self._system.upper.jobs.pop(job.position, None)
        self._system.upper.notes.pop(job.position, None)
        for site in self.waiting_in.pop(job.position, ()):
            self._system.machines[site].cluster.drop(job)
            self._system.books.leave(job, site)
            self.stir(site)
        self._system.forecasts.forget(job)

    def hand_out(self) -> bool:
        """Let the rule of the upper queue hand out jobs; return whether it did."""
        if not self._system.upper.jobs:
            return False
        rule, handed = self._system.rules.upper_queue, False
        with Guard(lambda said: self._refuse(None, f"fails with {said}; hand_out(view) yields handings")):
            most = _MOST_HANDINGS * len(self._system.upper.jobs)
            for count, handing in enumerate(rule.hand_out(self._system.upper)):
                if count >= most:
                    self._refuse(None, f"gives more than {_MOST_HANDINGS} handings a job in one pass")
                handed = self._apply(handing) or handed
        return handed

    def _apply(self, handing: object) -> bool:
        if not isinstance(handing, Deliver | Spread | Copy):
            self._refuse(
                None, f"gave {handing!r:.60}; expected Deliver(job, site), Spread(job) or Copy(job, sites)"
            )
        job = handing.job
        if self._system.upper.jobs.get(job.position) != job:
            self._refuse(job, "was handed out, but does not wait in the upper queue")
        if isinstance(handing, Spread):
            return self._spread(job)
        sites = (handing.site,) if isinstance(handing, Deliver) else tuple(handing.sites)
        able = self._system.upper.able(job)
        if not sites or len(set(sites)) < len(sites) or not set(sites) <= set(able):
            told = ", ".join(map(str, able)) or "none"
            self._refuse(job, f"was handed to {sites!r:.40}; the clusters that can hold it are {told}")
        self._deliver(job, sites)
        return True

    def _deliver(self, job: Job, sites: tuple[int, ...]) -> None:
        now = self.now
        del self._system.upper.jobs[job.position]
        said = self._system.forecasts.deliver(job, sites[0])
        if self._system.replans and said is not None:
            # What policies plan with; a prediction of nothing would let them think that it is over at once.
            job = self._system.ledger.jobs[job.position] = job._replace(planned_time=max(said.run, 1.0))
            self._system.record.planned[job.position] = job.planned_time
        self._system.record.delivered[job.position] = now
        self.waiting_in[job.position] = sites
        self._system.view.last_site = sites[-1]
        for site in sites:
            cluster = self._system.machines[site].cluster
            joined = Joined(len(cluster.waiting), self._system.views[site].waiting_work)
            self._system.record.joined[job.position, site] = joined
            cluster.submit(job)
            self._system.books.join(job, site)
            self._system.joined[site].note(now)
            self.stir(site)

    def _started(self, job: Job, site: int) -> None:
        """Hear that `job` has started in cluster `site`, from whose queue it comes."""
        for other in self.waiting_in.pop(job.position):
            if other != site:
                self._system.machines[other].cluster.drop(job)
                self._system.books.leave(job, other)
                self._system.record.joined.pop((job.position, other), None)
                self.stir(other)
        self._system.left[site].note(self.now)
        self._begun(job)

    def _begun(self, job: Job) -> None:
        nodes = self._system.pace.running[job.position].nodes
        self._system.record.started(job, nodes)
        self.starts += 1
        self._system.upper.notes.pop(job.position, None)
        self._system.forecasts.forget(job)
        for site in {self._system.nodes.site_of[node] for node in nodes}:
            self._system.forecasts.changed(site)
        self._system.upper.version += 1
        for observer in self._system.ledger.observers:
            observer.started(self.now, job, self._place_of(job.position))

    def _place_of(self, position: int) -> Place:
        """Return the cluster of the running job at `position`; of several the one with most of its tasks."""
        nodes = self._system.nodes
        by_site: dict[int, dict[int, int]] = {}
        for node in self._system.pace.running[position].nodes:
            site = nodes.site_of[node]
            by_site.setdefault(site, {})[node - nodes.first[site]] = 1
        first = self._system.record.site_of(position)
        places = {
            site: Place(site, self._system.machines[site].name, where) for site, where in by_site.items()
        }
        others = tuple(places[site] for site in sorted(places) if site != first)
        return places[first]._replace(others=others)

    def _spread(self, job: Job) -> bool:
        """Start `job` on nodes of several clusters, if there are; return whether there were."""
        where = self._system.virtual.find(job, self.now)
        if where is None:
            return False
        if job.position in self._system.upper.jobs:
            del self._system.upper.jobs[job.position]
            self._system.record.delivered[job.position] = self.now
        for site in self.waiting_in.pop(job.position, ()):
            self._system.machines[site].cluster.drop(job)
            self._system.books.leave(job, site)
            self._system.left[site].note(self.now)
            self.stir(site)
        for site in self._system.virtual.start(job, where, self.now):
            self._system.books.join(job, site)
            self.stir(site)
        self._begun(job)
        return True

    def second_phase(self) -> bool:
        """Offer nodes of several clusters to jobs that wait in one, in order of delivery (algorithm 4.5)."""
        waiting = [self._system.ledger.jobs[position] for position in self.waiting_in]
        started = [self._spread(job) for job in waiting]
        return any(started)

    def _refuse(self, job: Job | None, rule: str) -> NoReturn:
        name, job_id = self._system.rules.upper_queue.name, None if job is None else job.job_id
        raise PolicyError(name, time=self.now, job_id=job_id, broken_rule=rule)
