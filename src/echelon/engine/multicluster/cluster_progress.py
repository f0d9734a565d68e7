"""ClusterProgress: how the jobs of one cluster progress, whose ends all clusters have in common."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.progress.progress_model import ProgressModel

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.multicluster.shared_rates import SharedRates
    from echelon.engine.multicluster.sharing.slots import Slots
    from echelon.engine.queue.cluster import Cluster
    from echelon.model import Job


class ClusterProgress(ProgressModel):
    """Jobs start here, and end where all of them do: see `echelon.engine.multicluster.shared_group`.

    Parameters
    ----------
    pace : SharedRates
        Of the jobs of all clusters.
    cluster : Cluster
        The queue and the jobs here.
    slots : Slots
        What they hold.
    """

    def __init__(self, pace: SharedRates, cluster: Cluster, slots: Slots) -> None:
        self._pace, self._cluster, self._slots = pace, cluster, slots

    def start(self, job: Job, end: float, switch: float) -> None:
        """See `ProgressModel.start`."""
        slots = self._slots
        nodes = sorted(slots.first_node + node for node in slots.assignments[job.position].where)
        self._pace.enter(job, tuple(nodes), self._cluster.now, switch)

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `ProgressModel.next_time`."""
        return min(other, *planned) if planned else other

    def due(self, now: float) -> list[int]:
        """See `ProgressModel.due`: none here."""
        return []

    def outlook(self, position: int) -> float:
        """See `ProgressModel.outlook`."""
        return self._pace.outlook(position)

    def is_over(self, position: int, now: float) -> bool:
        """See `ProgressModel.is_over`."""
        return self._pace.is_over(position, now)

    def suspend(self, job: Job, now: float) -> tuple[Job | None, float | None]:
        """See `ProgressModel.suspend`: its tasks leave their nodes, and the share of its work is kept."""
        left = job._replace(planned_time=self.time_left(job))
        self._pace.set_aside(job.position, now)
        return left, None

    def time_left(self, job: Job) -> float:
        """Return what running `job` has left of its planned time, by its work, in seconds."""
        return self._pace.time_left(job, self._cluster.now)
