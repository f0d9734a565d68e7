"""SharedDeliveries: forecasts, records and co-allocation of jobs on their way to shared nodes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.multicluster.record import QueueAtArrival
from echelon.engine.multicluster.sharing.slots import slot_demand
from echelon.engine.tree.queues.deliveries import Deliveries

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.multicluster.parts import Parts
    from echelon.model import Job


class SharedDeliveries(Deliveries):
    """`Deliveries` to sites among which are clusters of shared nodes.

    Parameters
    ----------
    parts : Parts
        The parts of the run.
    clusters : sequence of int, optional
        The cluster that each site is, -1 if none.
    """

    def __init__(self, parts: Parts, clusters: Sequence[int]) -> None:
        self._parts, self._clusters = parts, clusters
        self._own = [cluster for cluster in clusters if cluster >= 0]
        self.delivered = parts.record.delivered

    def deliver(self, job: Job, sites: tuple[int, ...], now: float, *, again: bool = False) -> Job:
        """See `Deliveries.deliver`: the estimator's forecast may become the planned time."""
        parts, cluster = self._parts, self._clusters[sites[0]]
        forecast = parts.forecasts.deliver(job, cluster, again=again) if cluster >= 0 else None
        if parts.replans and forecast is not None:
            # Policies plan with it; at a prediction of 0 s they would take the job for ended at once.
            longest = math.inf if parts.longest is None else parts.longest[job.position]
            job = job._replace(planned_time=min(max(forecast.run, 1.0), longest))
            parts.record.plan(job.position, job.planned_time)
        return super().deliver(job, sites, now, again=again)

    def note_joining(self, job: Job, site: int) -> None:
        """See `Deliveries.note_joining`."""
        if (cluster := self._clusters[site]) >= 0:
            waiting = len(self._parts.machines[cluster].waiting)
            joined = QueueAtArrival(waiting, self._parts.views[cluster].waiting_work)
            self._parts.record.joined[job.position, cluster] = joined

    def note_change(self, site: int) -> None:
        """See `Deliveries.note_change`."""
        if (cluster := self._clusters[site]) >= 0:
            self._parts.forecasts.note_change(cluster)

    def note_withdrawal(self, job: Job, site: int) -> None:
        """See `Deliveries.note_withdrawal`."""
        self._parts.record.joined.pop((job.position, self._clusters[site]), None)

    def note_start(self, job: Job, site: int) -> None:
        """See `Deliveries.note_start`; observers hear of it.

        A cluster that is not right below has said so itself.
        """
        parts = self._parts
        is_below = site >= 0 and self._clusters[site] < 0
        if is_below or job.position not in parts.pace.running:
            return
        nodes = parts.pace.running[job.position].nodes
        parts.record.note_start(job, nodes, parts.ledger.now)
        for cluster in parts.sites_of(set(nodes)):
            parts.forecasts.note_change(cluster)
        for observer in parts.ledger.observers:
            observer.started(parts.ledger.now, job, parts.place_of(job.position))

    def forget(self, job: Job) -> None:
        """See `Deliveries.forget`."""
        self._parts.forecasts.forget(job)

    def find(self, job: Job, now: float) -> tuple[int, ...] | None:
        """See `Deliveries.find`: nodes of several of these clusters."""
        return self._parts.virtual.find(self._with_demand(job), now, self._own)

    def spread(self, job: Job, where: tuple[int, ...], now: float) -> tuple[int, ...]:
        """See `Deliveries.spread`."""
        site_of = {cluster: site for site, cluster in enumerate(self._clusters)}
        job = self._with_demand(job)
        if (predictions := self._parts.ledger.predictions) is not None:
            predictions.note_start(job.position)
        return tuple(site_of[cluster] for cluster in self._parts.virtual.start(job, where, now))

    def _with_demand(self, job: Job) -> Job:
        """Return `job` with what its tasks demand of slots, which it lacks beside other sites."""
        if self._own and self._parts.machines[self._own[0]].adds_demands:
            job = self._parts.ledger.jobs[job.position] = job._replace(demand=slot_demand(job))
        return job
