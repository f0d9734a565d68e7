"""SharedDeliveries: forecasts, records and co-allocation of jobs on their way to shared nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.multicluster.record import QueueAtArrival
from echelon.engine.tree.deliveries import Deliveries

if TYPE_CHECKING:
    from echelon.engine.multicluster.parts import Parts
    from echelon.model import Job


class SharedDeliveries(Deliveries):
    """`Deliveries` to clusters of shared nodes.

    Parameters
    ----------
    parts : Parts
        The parts of the run.
    """

    def __init__(self, parts: Parts) -> None:
        self._parts = parts
        self.delivered = parts.record.delivered

    def deliver(self, job: Job, sites: tuple[int, ...], now: float) -> Job:
        """See `Deliveries.deliver`: the estimator's forecast may become the planned time."""
        parts = self._parts
        forecast = parts.forecasts.deliver(job, sites[0])
        if parts.replans and forecast is not None:
            # Policies plan with it; at a prediction of 0 s they would take the job for ended at once.
            job = job._replace(planned_time=max(forecast.run, 1.0))
            parts.record.planned[job.position] = job.planned_time
        return super().deliver(job, sites, now)

    def joining(self, job: Job, site: int) -> None:
        """See `Deliveries.joining`."""
        waiting = len(self._parts.machines[site].waiting)
        joined = QueueAtArrival(waiting, self._parts.views[site].waiting_work)
        self._parts.record.joined[job.position, site] = joined

    def changed(self, site: int) -> None:
        """See `Deliveries.changed`."""
        self._parts.forecasts.changed(site)

    def withdrawn(self, job: Job, site: int) -> None:
        """See `Deliveries.withdrawn`."""
        self._parts.record.joined.pop((job.position, site), None)

    def started(self, job: Job, site: int) -> None:
        """See `Deliveries.started`; observers hear of it."""
        parts = self._parts
        nodes = parts.pace.running[job.position].nodes
        parts.record.started(job, nodes)
        for cluster in parts.sites_of(set(nodes)):
            parts.forecasts.changed(cluster)
        for observer in parts.ledger.observers:
            observer.started(parts.ledger.now, job, parts.place_of(job.position))

    def forget(self, job: Job) -> None:
        """See `Deliveries.forget`."""
        self._parts.forecasts.forget(job)

    def find(self, job: Job, now: float) -> tuple[int, ...] | None:
        """See `Deliveries.find`: nodes of several clusters."""
        return self._parts.virtual.find(job, now)

    def spread(self, job: Job, where: tuple[int, ...], now: float) -> tuple[int, ...]:
        """See `Deliveries.spread`."""
        return self._parts.virtual.start(job, where, now)
