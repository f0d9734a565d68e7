"""SiteView: one cluster as estimators see it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from echelon.engine.multicluster.forecasting.snapshot import SnapshotCache
from echelon.engine.multicluster.sharing.nodes import program_of
from echelon.model import Forecast

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.multicluster.forecasting.queue_prediction import QueuePrediction
    from echelon.engine.multicluster.forecasting.snapshot import Snapshot
    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.shared_rates import SharedRates
    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.model import Job
    from echelon.policies.estimators.forecast import Slowdown


class QueuePredictor(Protocol):
    """Simulates a cluster's queue: the reference engine or its compiled twin."""

    def __call__(self, snapshot: Snapshot, *, to_the_end: bool = False) -> QueuePrediction:
        """Return when the jobs of `snapshot` start and end, at least the last of them."""


class SiteView:
    """Implements `echelon.policies.estimators.forecast.ClusterView` on top of a `SlotMachine`.

    What jobs have done so far is measured, so the share of its work that is left of a running job is right;
    slowdowns other than by the occupation of nodes and links are unknown.

    Parameters
    ----------
    machine : SlotMachine
        The cluster.
    nodes : SharedNodes
        The nodes of all clusters.
    pace : SharedRates
        The pace of all jobs.
    run_time : sequence of float
        Of each job alone on dedicated nodes, in seconds, by position.
    predict_queue : QueuePredictor
        Simulates the queue.
    """

    def __init__(
        self,
        machine: SlotMachine,
        nodes: SharedNodes,
        pace: SharedRates,
        *,
        run_time: Sequence[float],
        predict_queue: QueuePredictor,
    ) -> None:
        self._machine, self._nodes, self._pace = machine, nodes, pace
        self._run_time, self._predict_queue = run_time, predict_queue
        self.site = machine.slots.site
        self.nodes = len(nodes.clusters[self.site])
        self.mpl = nodes.clusters[self.site].contract.mpl
        self._snapshots = SnapshotCache(machine, nodes, pace, run_time)

    @property
    def now(self) -> float:
        """See `ClusterView.now`."""
        return self._machine.cluster.now

    @now.setter
    def now(self, time: float) -> None:
        """Change nothing: the run keeps the time."""

    @property
    def waiting(self) -> Sequence[Job]:
        """See `ClusterView.waiting`."""
        return tuple(self._machine.cluster.waiting.jobs)

    @property
    def waiting_work(self) -> float:
        """See `ClusterView.waiting_work`."""
        return sum(map(self._work, self._machine.cluster.waiting.jobs))

    def dedicated_time(self, job: Job) -> float:
        """See `ClusterView.dedicated_time`."""
        return self._run_time[job.position]

    def note_change(self) -> None:
        """Note that the cluster has changed."""
        self._snapshots.forget()

    def forecast_one_by_one(self, job: Job) -> Forecast:
        """Return the forecast of `job` alone, at once if it fits, otherwise after all others one by one."""
        cluster, alone = self._machine.cluster, self.dedicated_time(job)
        if cluster.fits(job):
            return Forecast(0.0, alone)
        before = (*self._running, *cluster.waiting.jobs)
        return Forecast(sum(self.dedicated_time(other) for other in before), alone)

    def mpl_of(self, job: Job) -> int:
        """See `ClusterView.mpl_of`."""
        slots = self._machine.slots
        if not self._machine.cluster.fits(job):
            return 1
        return 1 + max(self._nodes.tasks(slots.first_node + node) for node in slots.nodes_for(job, self.now))

    def simulate(self, job: Job, slowdown: Slowdown | None = None) -> Forecast | None:
        """See `ClusterView.simulate`."""
        if not self._machine.slots.changes:
            prediction = self._predict_queue(self._snapshots.take(self.now, job, slowdown))
            start, end = float(prediction.start[-1]), float(prediction.end[-1])
        else:
            times = self._predict_around_closures(job, slowdown, to_the_end=False)
            start, end = float(times.start[-1]), float(times.end[-1])
        return None if np.isnan(end) else Forecast(start - self.now, end - start)

    def predict_all(self, job: Job | None) -> tuple[list[Job], QueuePrediction]:
        """Return the running and waiting jobs, `job` last if there is one, and when all start and end."""
        jobs = [*self._running, *self._machine.cluster.waiting.jobs, *([job] if job else [])]
        if not self._machine.slots.changes:
            return jobs, self._predict_queue(self._snapshots.take(self.now, job), to_the_end=True)
        return jobs, self._predict_around_closures(job, None, to_the_end=True)

    def _predict_around_closures(
        self, job: Job | None, slowdown: Slowdown | None, *, to_the_end: bool
    ) -> QueuePrediction:
        """Return when the jobs would start and end around what is down or closed, as is known now.

        The analytic model has no calendar. So the queue is simulated from now on without the nodes that are
        down or closed to `job` now, then from each time at which more may be open, without those that are
        then: before that what runs continues as now, and nothing starts. Each job has its earliest end.
        """
        slots = self._machine.slots

        def predict(time: float) -> QueuePrediction:
            barred = slots.barred_nodes(job, time, self.now)
            snapshot = self._snapshots.take(time, job, slowdown, barred=barred)
            return self._predict_queue(snapshot, to_the_end=to_the_end)

        times = predict(self.now)
        wanted = len(self._machine.cluster.waiting.jobs) + (job is not None) if to_the_end else 1
        for time in slots.openings(job, self.now):
            if (times.start[len(times.start) - wanted :] <= time).all():
                # No start can be earlier than these.
                break
            later = predict(time)
            better = np.isnan(times.end) | (later.end < times.end)
            times = later._replace(
                start=np.where(better, later.start, times.start), end=np.where(better, later.end, times.end)
            )
        return times

    @property
    def _running(self) -> list[Job]:
        # In the order of snapshots.
        running = (running.job for running in self._machine.cluster.running)
        return sorted(running, key=lambda job: job.position)

    def _work(self, job: Job) -> float:
        work = job.processors * self._run_time[job.position] * program_of(job).compute_share
        return work * self._pace.share_left(job)
