"""WholeMachine: a machine without a node-level model, as a single node."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.node_outlook import Cores, node_outlook
from echelon.policies import Start

if TYPE_CHECKING:
    from echelon.engine.cluster import Cluster
    from echelon.model import Job


class WholeMachine:
    """Implements `echelon.policies.contract.NodeView`, of all processors of a machine.

    Parameters
    ----------
    cluster : Cluster
        The cluster in which the job waits.
    head : Job
        The job that should start.
    """

    __slots__ = ("_cluster", "_head")

    def __init__(self, cluster: Cluster, head: Job) -> None:
        self._cluster, self._head = cluster, head

    @property
    def time(self) -> float:
        """See `NodeView.time`. Cost: O(running log running)."""
        cluster = self._cluster
        free = cluster.free
        for end, job in cluster.requested:
            if free >= self._head.processors:
                break
            free += job.processors
            if free >= self._head.processors:
                return end
        return cluster.now

    @property
    def is_idle(self) -> bool:
        """See `NodeView.is_idle`."""
        return self._cluster.free == self._cluster.processors

    @property
    def outlook(self) -> tuple[float, int]:
        """See `NodeView.outlook`. Cost: O(running log running)."""
        cluster = self._cluster
        cores = Cores(cluster.processors, cluster.free, self._head.processors)
        ends = [(end, job.processors) for end, job in cluster.requested]
        return node_outlook(cores, ends, cluster.now)

    def start(self, job: Job) -> Start | None:
        """See `NodeView.start`."""
        return Start(job) if self._cluster.fits(job) else None
