"""NodeOutlook: one node, or a machine without a node-level model as its only one, and when it has room."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.policies import Start

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.queue.cluster import Cluster
    from echelon.model import Job


class Held(NamedTuple):
    """What a job, or an outage, holds of a node until a time: cores, and bytes of memory."""

    end: float
    cores: int
    memory: float = 0.0


class NodeOutlook:
    """What implementations of `echelon.policies.contract.NodeView` have in common.

    Parameters
    ----------
    cluster : Cluster
        The cluster in which the job waits.
    head : Job
        The job that should start, with what it has left.
    total : int
        Cores of the node.
    """

    __slots__ = ("_cluster", "_head", "_total")

    def __init__(self, cluster: Cluster, head: Job, total: int) -> None:
        self._cluster, self._head, self._total = cluster, head, total

    def _idle(self) -> tuple[int, float]:
        """Return the idle cores and the free memory of the node, in bytes."""
        raise NotImplementedError

    def _list_held(self) -> Sequence[Held]:
        """Return what is held of the node, by end, then position."""
        raise NotImplementedError

    def _holds(self, cores: int, memory: float) -> bool:
        """Return whether the head has room with so many cores and bytes."""
        return cores >= self._head.processors

    @property
    def time(self) -> float:
        """See `NodeView.time`. Cost: O(running log running)."""
        cores, memory = self._idle()
        for held in self._list_held():
            if self._holds(cores, memory):
                break
            cores, memory = cores + held.cores, memory + held.memory
            if self._holds(cores, memory):
                return held.end
        return self._cluster.now

    @property
    def is_idle(self) -> bool:
        """See `NodeView.is_idle`."""
        return self._idle()[0] == self._total

    @property
    def outlook(self) -> tuple[float, int]:
        """See `NodeView.outlook`. Cost: O(running log running)."""
        (idle, _), rows = self._idle(), self._list_held()
        spare = self._total - self._head.processors
        for place, held in enumerate(rows):
            idle += held.cores
            if idle >= self._head.processors:
                return held.end, spare - sum(later.cores for later in rows[place + 1 :])
        return (rows[-1].end if rows else self._cluster.now), spare


class WholeMachine(NodeOutlook):
    """Implements `echelon.policies.contract.NodeView`, of all processors of a machine."""

    __slots__ = ()

    def _idle(self) -> tuple[int, float]:
        return self._cluster.free, 0.0

    def _list_held(self) -> list[Held]:
        return [Held(end, job.processors) for end, job in self._cluster.requested]

    def start(self, job: Job) -> Start | None:
        """See `NodeView.start`."""
        return Start(job) if self._cluster.fits(job) else None
