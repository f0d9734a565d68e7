"""Numbered: processors that have numbers, which matter where single ones go down."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.nodes.core_assignment import CoreAssigner, CoreAssignment
from echelon.engine.nodes.nodes import Nodes
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.resources.counted import counted_shadow
from echelon.engine.resources.node_outlook import WholeMachine
from echelon.engine.resources.shadow import CountShadow
from echelon.execution import Execution
from echelon.model import Cluster as ClusterOfNodes
from echelon.model import Core, Hardware, Node, Processor
from echelon.policies import Start, placement_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.ledger.held_record import HeldRecord
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.capacity import Outage
    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.contract import NodeView, Shadow, Where


class Numbered(Nodes):
    """`Nodes` of one core each, of which a job takes the lowest-numbered that are free.

    Parameters
    ----------
    processors : int
        At least 1.
    record : HeldRecord, optional
        Keeps which processors each job held, and when; copies keep nothing.
    site : int, default -1
        Index of the site in the platform; -1 on one machine.
    """

    # Every plan is of single processors, so what is planned can be kept.
    keeps_reservations = True

    def __init__(self, processors: int, record: HeldRecord | None = None, *, site: int = -1) -> None:
        node = Node((Processor((Core(1.0),)),))
        rules = NodeRules(placement_of("first-fit"), Execution(fixed=True))
        super().__init__(Hardware((ClusterOfNodes((node,) * processors),)), rules, seed=0, begin=0.0)
        self.places = LowestNumbers(self)
        self.planners = (self.places,)
        self._record, self._site = record, site
        # The job on each processor, by position; -1 without.
        self._user = [-1] * processors

    def copy(self) -> Numbered:
        """See `PlannedResource.copy`."""
        twin = super().copy()
        assert isinstance(twin, Numbered)
        twin.__dict__.update(_record=None, _user=list(self._user))
        return twin

    def fits(self, job: Job, where: Where | None = None, now: float = 0.0) -> bool:
        """See `PlannedResource.fits`: any processors will do."""
        if where is None and self.closures is None:
            return job.processors <= self.free
        return super().fits(job, where, now)

    def take(self, job: Job, holding: CoreAssignment, now: float) -> None:
        """See `Resource.take`: what `Nodes` does, of nodes with neither memory nor power."""
        nodes = list(holding.where)
        self.cores[nodes] = 0
        self.free -= len(nodes)
        self.held[job.position] = dict.fromkeys(nodes, (1, 0.0))
        self.assignments[job.position] = holding
        for node in nodes:
            self._user[node] = job.position
        self._found.clear()

    def holders(self, outage: Outage, running: Callable[[], Sequence[Job]]) -> list[Job]:
        """See `Resource.holders`. Cost: O(processors of the outage), and O(jobs) only if it hits some."""
        hit = {self._user[node] for node in outage.nodes} - {-1}
        return [job for job in running() if job.position in hit] if hit else []

    def give(self, job: Job, now: float, part: Sequence[int] | None = None) -> Where:
        """See `Resource.give`."""
        where = self.assignments.pop(job.position).where
        del self.held[job.position]
        nodes = list(where)
        self.cores[nodes] = 1
        self.free += len(nodes)
        for node in nodes:
            self._user[node] = -1
        self._found.clear()
        if self._record is not None:
            self._record.keep(job, now, where, self._site)
        return where

    def shadow(self, size: int, cluster: Cluster) -> tuple[float, int]:
        """See `PlannedResource.shadow`."""
        if self.closures is not None:
            return super().shadow(size, cluster)
        return counted_shadow(self.free, size, cluster)

    def head_start(self, head: Job, cluster: Cluster) -> Shadow:
        """See `PlannedResource.head_start`: counting will do unless some processors are closed to some."""
        if self.closures is not None:
            return super().head_start(head, cluster)
        return LeftShadow(cluster, self.shadow(head.processors, cluster))

    def by_node(self, head: Job, cluster: Cluster, *, small: bool) -> Sequence[NodeView]:
        """See `PlannedResource.by_node`: the machine is its only node."""
        return [WholeMachine(cluster, head, self.processors)]

    def misplaced(self, job: Job, where: Where) -> str | None:
        """See `PlannedResource.misplaced`: its users know no nodes."""
        beyond = [node for node in where if not 0 <= node < self.processors]
        if beyond or len(where) != job.processors or set(where.values()) - {1}:
            return "was started in nodes by name, but this machine has no node-level model"
        return None


class LeftShadow(CountShadow):
    """`CountShadow` of jobs that may be planned with what they have left.

    Parameters
    ----------
    cluster : Cluster
        Whose jobs wait.
    outlook : (float, int)
        As there.
    """

    __slots__ = ("_cluster",)

    def __init__(self, cluster: Cluster, outlook: tuple[float, int]) -> None:
        super().__init__(cluster.now, outlook)
        self._cluster = cluster

    def admits(self, job: Job) -> Start | None:
        """See `Shadow.admits`. Cost: O(1)."""
        left = self._cluster.as_left(job)
        return Start(job) if self._in_time(left) or left.processors <= self._extra else None

    def take(self, job: Job) -> None:
        """See `Shadow.take`."""
        if self._cluster.planned_end(job) > self.time:
            self._extra -= job.processors


class LowestNumbers(CoreAssigner):
    """Gives each job the lowest-numbered free processors. Cost: O(processors) in numpy."""

    def copy(self, nodes: Nodes) -> LowestNumbers:
        """See `CoreAssigner.copy`."""
        return LowestNumbers(nodes)

    def among(
        self, job: Job, cores: IntColumn, memory: FloatColumn, now: float, *, shared: bool = True
    ) -> CoreAssignment | None:
        """See `CoreAssigner.among`."""
        chosen = self._lowest(job.processors, cores)
        return None if chosen is None else CoreAssignment(tuple(chosen), dict.fromkeys(chosen, 1))

    def planned(self, job: Job, cores: IntColumn, memory: FloatColumn, now: float) -> Where | None:
        """See `CoreAssigner.planned`."""
        chosen = self._lowest(job.processors, cores)
        return None if chosen is None else dict.fromkeys(chosen, 1)

    @staticmethod
    def _lowest(size: int, cores: IntColumn) -> list[int] | None:
        free = np.flatnonzero(cores > 0)
        return free[:size].tolist() if len(free) >= size else None
