"""OneNode: a single node, for a rule that backfills node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.node_outlook import Cores, node_outlook
from echelon.model.machines.capacity import capacity
from echelon.policies import Start, misspread

if TYPE_CHECKING:
    from echelon.engine.cluster import Cluster
    from echelon.engine.nodes.nodes import Nodes
    from echelon.model import Job


class OneNode:
    """Implements `echelon.policies.contract.NodeView`, of one node of several.

    Parameters
    ----------
    nodes : Nodes
        All nodes.
    cluster : Cluster
        The cluster in which the job waits.
    head : Job
        The job that should start.
    node : int
        Its number.
    """

    __slots__ = ("_cluster", "_head", "_node", "_nodes")

    def __init__(self, nodes: Nodes, cluster: Cluster, head: Job, node: int) -> None:
        self._nodes, self._cluster, self._head, self._node = nodes, cluster, cluster.as_left(head), node

    @property
    def could_hold(self) -> bool:
        """Whether the empty node has room for the whole head, which does not need several nodes."""
        if self._is_for_several(self._head):
            return False
        hardware = self._nodes.hardware
        return self._holds(int(hardware.node_cores[self._node]), float(hardware.node_memory[self._node]))

    @property
    def time(self) -> float:
        """See `NodeView.time`. Cost: O(running log running)."""
        nodes, node = self._nodes, self._node
        cores, memory = int(nodes.cores[node]), float(nodes.memory[node])
        for end, position in self._ends():
            if self._holds(cores, memory):
                break
            held, bytes_held = nodes.held[position][node]
            cores, memory = cores + held, memory + bytes_held
            if self._holds(cores, memory):
                return end
        return self._cluster.now

    @property
    def is_idle(self) -> bool:
        """See `NodeView.is_idle`."""
        return int(self._nodes.cores[self._node]) == int(self._nodes.hardware.node_cores[self._node])

    @property
    def outlook(self) -> tuple[float, int]:
        """See `NodeView.outlook`. Cost: O(running log running)."""
        nodes, node = self._nodes, self._node
        cores = Cores(int(nodes.hardware.node_cores[node]), int(nodes.cores[node]), self._head.processors)
        ends = [(end, nodes.held[position][node][0]) for end, position in self._ends()]
        return node_outlook(cores, ends, self._cluster.now)

    def _ends(self) -> list[tuple[float, int]]:
        """Return the planned end, in seconds, and the position of each job that runs here, in that order."""
        held = self._nodes.held
        return [
            (end, job.position) for end, job in self._cluster.requested if self._node in held[job.position]
        ]

    def start(self, job: Job) -> Start | None:
        """See `NodeView.start`."""
        where = {self._node: self._cluster.as_left(job).processors}
        if self._is_for_several(job):
            return None
        return Start(job, where=where) if self._cluster.fits(job, where) else None

    @staticmethod
    def _is_for_several(job: Job) -> bool:
        return job.demand is not None and misspread(np.array([job.processors]), job.demand) is not None

    def _holds(self, cores: int, memory: float) -> bool:
        demand = self._head.demand
        if demand is None:
            return cores >= self._head.processors
        held = capacity(np.array([cores]), np.array([memory]), demand)
        return bool(held[0] >= self._head.processors)
