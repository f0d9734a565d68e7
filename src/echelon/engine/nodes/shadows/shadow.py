"""NodeShadow: when a blocked job could start in its nodes, and which jobs may run beside it then."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.policies import Start

if TYPE_CHECKING:
    from echelon.engine.nodes.core_assignment import CoreAssignment
    from echelon.engine.nodes.nodes import Nodes
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.resource import Holding, PlacedResource
    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.contract import Where


class HeadShadow:
    """Implements `echelon.policies.contract.Shadow` where jobs have places; what delays the head is open.

    A job that runs beyond the shadow time is admitted where it would go if it leaves the head room, else in
    what the head leaves over in its own nodes.

    Parameters
    ----------
    nodes : PlacedResource
        The nodes.
    cluster : Cluster
        The cluster in which the job waits.

    Attributes
    ----------
    time : float
        See `Shadow.time`.
    """

    __slots__ = ("_cluster", "_nodes", "time")

    time: float
    _nodes: PlacedResource

    def __init__(self, nodes: PlacedResource, cluster: Cluster) -> None:
        self._nodes, self._cluster = nodes, cluster

    def admits(self, job: Job) -> Start | None:
        """See `Shadow.admits`. Cost: up to three placements."""
        cluster, nodes = self._cluster, self._nodes
        left, holding = cluster.as_left(job), cluster.room(job)
        if holding is None:
            return None
        in_time = cluster.now + nodes.planned_time_on(left, holding) <= self.time
        if in_time or self._leaves_room(job, holding):
            return Start(job)
        where = self._place_beside(left)
        if where is None or (holding := nodes.room(left, cluster.now, where)) is None:
            return None
        # A head that must be spread evenly may need more room than it takes.
        return Start(job, where=where) if self._leaves_room(job, holding) else None

    def _leaves_room(self, job: Job, holding: Holding) -> bool:
        """Return whether the head starts no later if `job` starts there now."""
        raise NotImplementedError

    def _place_beside(self, job: Job) -> Where | None:
        """Return where `job`, as it is left, would start now in what the head leaves over in its nodes."""
        raise NotImplementedError


class NodeShadow(HeadShadow):
    """`HeadShadow` by what each node has free.

    The shadow time is the earliest time at which the head's placement finds room if every running job ends as
    planned; all jobs planned to end by then have left. A job that runs beyond it is admitted if the head can
    be placed beside it, wherever that is; else it is tried in what the head leaves over in the nodes that its
    placement gave it.

    Parameters
    ----------
    nodes, cluster
        See `HeadShadow`.
    head : Job
        The blocked job.

    Notes
    -----
    Cost: O(running x nodes) and a placement for each planned end at which enough cores are free.
    """

    __slots__ = ("_cores", "_head", "_head_where", "_memory")

    _nodes: Nodes

    def __init__(self, nodes: Nodes, cluster: Cluster, head: Job) -> None:
        super().__init__(nodes, cluster)
        self._head = cluster.as_left(head)
        self._cores, self._memory = nodes.cores.copy(), nodes.memory.copy()
        self.time = cluster.now
        self._head_where: Where = {}
        self._find()

    def _find(self) -> None:
        cluster, nodes, head = self._cluster, self._nodes, self._head
        free = int(self._cores.sum())
        ends = [*cluster.holders]
        for index, (end, position, _) in enumerate(ends):
            for node, (cores, memory) in nodes.held[position].items():
                self._cores[node] += cores
                self._memory[node] += memory
                free += cores
            self.time = max(end, self.time)
            last_of_its_time = index + 1 == len(ends) or ends[index + 1].planned_end > self.time
            if last_of_its_time and free >= head.processors:
                where = self._plan_nodes(head, self._cores, self._memory)
                if where is not None and nodes.power.suffices(head, ends[: index + 1], cluster.now):
                    self._head_where = where
                    return

    def take(self, job: Job) -> None:
        """See `Shadow.take`."""
        if self._cluster.planned_end(job) > self.time:
            for node, (cores, memory) in self._nodes.held[job.position].items():
                self._cores[node] -= cores
                self._memory[node] -= memory
            where = self._plan_nodes(self._head, self._cores, self._memory)
            self._head_where = self._head_where if where is None else where

    def _leaves_room(self, job: Job, holding: CoreAssignment) -> bool:
        """See `HeadShadow._leaves_room`: the head can be placed beside it, wherever that is."""
        cores, memory = self._cores.copy(), self._memory.copy()
        each = self._nodes.memory_of(job) * holding.share
        for node, count in holding.where.items():
            cores[node] -= count
            memory[node] -= count * each
        return self._plan_nodes(self._head, cores, memory) is not None

    def _place_beside(self, job: Job) -> Where | None:
        """See `HeadShadow._place_beside`."""
        (cores, memory), nodes = self._resources_left(), self._nodes
        return self._plan_nodes(job, np.minimum(nodes.cores, cores), np.minimum(nodes.memory, memory))

    def _plan_nodes(self, job: Job, cores: IntColumn, memory: FloatColumn) -> Where | None:
        return self._nodes.places.plan_nodes(job, cores, memory, self._cluster.now)

    def _resources_left(self) -> tuple[IntColumn, FloatColumn]:
        """Return the resources that the head leaves at its shadow time."""
        cores, memory = self._cores.copy(), self._memory.copy()
        each = self._nodes.memory_of(self._head)
        for node, count in self._head_where.items():
            cores[node] -= count
            memory[node] -= count * each
        return cores, memory
