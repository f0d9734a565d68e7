"""OneNode: a single node, for a rule that backfills node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.resources.node_outlook import Held, NodeOutlook
from echelon.model.machines.capacity import capacity
from echelon.policies import Start, spread_violation

if TYPE_CHECKING:
    from echelon.engine.nodes.nodes import Nodes
    from echelon.engine.queue.cluster import Cluster
    from echelon.model import Job


class OneNode(NodeOutlook):
    """Implements `echelon.policies.contract.NodeView`, of one node of several.

    Parameters
    ----------
    nodes : Nodes
        All nodes.
    cluster, head
        See `NodeOutlook`.
    node : int
        Its number.
    """

    __slots__ = ("_node", "_nodes")

    def __init__(self, nodes: Nodes, cluster: Cluster, head: Job, node: int) -> None:
        super().__init__(cluster, cluster.as_left(head), int(nodes.hardware.node_cores[node]))
        self._nodes, self._node = nodes, node

    @property
    def could_hold(self) -> bool:
        """Whether the empty node has room for the whole head, which does not need several nodes."""
        memory = float(self._nodes.hardware.node_memory[self._node])
        return not self._is_for_several(self._head) and self._holds(self._total, memory)

    @property
    def time(self) -> float:
        """See `NodeView.time`: infinity if the node is never known to be open to the head for so long."""
        return self._open_from(super().time)

    @property
    def outlook(self) -> tuple[float, int]:
        """See `NodeView.outlook`."""
        time, extra = super().outlook
        return self._open_from(time), extra

    def _open_from(self, time: float) -> float:
        """Return when the node is open to the head, from `time` on, in seconds."""
        closures = self._nodes.closures
        if closures is None:
            return time
        return closures.first_open(self._head, self._node, time, self._cluster.now)

    def start(self, job: Job) -> Start | None:
        """See `NodeView.start`."""
        if self._is_for_several(job):
            return None
        where = {self._node: self._cluster.as_left(job).processors}
        return Start(job, where=where) if self._cluster.fits(job, where) else None

    def _idle(self) -> tuple[int, float]:
        return int(self._nodes.cores[self._node]), float(self._nodes.memory[self._node])

    def _list_held(self) -> list[Held]:
        held, node = self._nodes.held, self._node
        rows = self._cluster.requested
        return [Held(end, *held[job.position][node]) for end, job in rows if node in held[job.position]]

    @staticmethod
    def _is_for_several(job: Job) -> bool:
        return job.demand is not None and spread_violation(np.array([job.processors]), job.demand) is not None

    def _holds(self, cores: int, memory: float) -> bool:
        demand = self._head.demand
        if demand is None:
            return super()._holds(cores, memory)
        held = capacity(np.array([cores]), np.array([memory]), demand)
        return bool(held[0] >= self._head.processors)
