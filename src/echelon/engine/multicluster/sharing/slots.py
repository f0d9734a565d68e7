"""Slots: the nodes of a cluster that jobs share: a slot for each task that the contract allows."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.sharing.nodes import program_of
from echelon.engine.multicluster.sharing.placement import ContractPlacement
from echelon.engine.nodes.core_assignment import CoreAssigner, CoreAssignment
from echelon.engine.nodes.nodes import Nodes
from echelon.engine.nodes.rules import NodeRules
from echelon.engine.resources.closures import ANYBODY, open_cores
from echelon.execution import Execution
from echelon.model import Demand, Job, TaskGroup
from echelon.policies import placement_of

if TYPE_CHECKING:
    from collections.abc import Container, Sequence

    from numpy.typing import NDArray

    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.engine.queue.cluster import Cluster
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.contract import Where


class Slots(Nodes):
    """`Nodes` whose cores are slots for tasks; which of them is best depends on owners and other tasks.

    Parameters
    ----------
    nodes : SharedNodes
        The nodes of all clusters.
    site : int
        Index of the cluster.
    seed : int
        Of the run.
    """

    def __init__(self, nodes: SharedNodes, site: int, *, seed: int) -> None:
        super().__init__(nodes.clusters[site].slot_hardware, slot_rules(), seed=seed, begin=0.0)
        self.site, self._nodes = site, nodes
        # What tasks ask of links in a copy that jobs leave and join to see what runs beside each other.
        self._asked: FloatColumn | None = None
        self.first_node = nodes.first[site]
        self.contract = ContractPlacement(nodes, site)
        self.places = CoreAssigner(self, self.contract)
        self._left_by_owners = self.contract.left_key()
        # Local load is assumed to stay as it is; if a job then never fits, to be away. It starts when the
        # owners actually leave room.
        left_alone = CoreAssigner(self, ContractPlacement(nodes, site, owners=False))
        self.planners = self.places, left_alone

    def fits(self, job: Job, where: Where | None = None, now: float = 0.0) -> bool:
        """See `PlannedResource.fits`: nodes are counted; the nodes of the job are chosen when it starts."""
        if where is not None or job.position in self._rooms or job.processors > self.free:
            return super().fits(job, where, now)
        if self.closures is not None:
            return self.room(job, now) is not None
        if self.contract.count(job, self.cores, self.memory) >= job.processors:
            return True
        self._rooms[job.position] = None
        return False

    def copy(self) -> Slots:
        """See `Nodes.copy`."""
        twin = super().copy()
        assert isinstance(twin, Slots)
        if self._asked is not None:
            twin.suppose(self._asked.copy())
        return twin

    def suppose(self, asked: FloatColumn) -> None:
        """Follow what tasks ask of the links here, in bytes a second, as jobs leave and join this copy."""
        self._asked = asked
        self.contract = ContractPlacement(self._nodes, self.site, asked=asked)
        self.places = CoreAssigner(self, self.contract)
        self.planners = self.places, *self.planners[1:]

    def with_only(self, kept: Container[int], cluster: Cluster) -> Slots:
        """See `Nodes.with_only`: those that leave ask nothing of links."""
        if self._asked is None:
            supposed = self.copy()
            supposed.suppose(self._nodes.asked[self._nodes.of(self.site)].copy())
            return supposed.with_only(kept, cluster)
        return super().with_only(kept, cluster)

    def take(self, job: Job, holding: CoreAssignment, now: float) -> None:
        """See `Resource.take`."""
        super().take(job, holding, now)
        self._ask(job, holding.where, 1.0)

    def give(self, job: Job, now: float, part: Sequence[int] | None = None) -> Where:
        """See `Resource.give`."""
        where = super().give(job, now, part)
        self._ask(job, where, -1.0)
        return where

    def _ask(self, job: Job, where: Where, sign: float) -> None:
        if self._asked is None:
            return
        # A job may have its other tasks in other clusters.
        running = self._nodes.jobs[self.first_node + next(iter(where))]
        if running.get(job.position, job).processors > 1:
            self._asked[list(where)] += sign * program_of(job).bandwidth

    def owners_changed(self) -> bool:
        """Look for room again after a change of owners; return whether it changes the room in some node."""
        self._rooms.clear()
        left = self.contract.left_key()
        changed = left != self._left_by_owners
        self._left_by_owners = left
        return changed

    def open_nodes(self, job: Job, window: tuple[IntColumn, FloatColumn] | None, now: float) -> list[int]:
        """Return the nodes that may take one task of `job` now, perhaps in what a window leaves."""
        cores, memory = self.cores, self.memory
        if self.closures is not None:
            cores = open_cores(cores, self.closures.mask_closed_to(job, now, now + job.planned_time, now))
        if window is not None:
            cores, memory = np.minimum(cores, window[0]), np.minimum(memory, window[1])
        return sorted(self.contract.able(job, cores, memory))

    @property
    def changes(self) -> bool:
        """Whether some of its nodes are down now, or are ever closed."""
        return bool(self.out) or self.closures is not None

    def openings(self, job: Job | None, now: float) -> list[float]:
        """Return the times after `now` from which more nodes may be open to `job`, or to all, as known now.

        Ascending, in seconds.
        """
        times = {holder.planned_end for holder in self.out.values() if now < holder.planned_end < math.inf}
        if self.closures is not None:
            times.update(self.closures.openings(job or ANYBODY, now, now))
        return sorted(times)

    def barred_nodes(self, job: Job | None, time: float, now: float) -> NDArray[np.bool_]:
        """Return the nodes that are down or closed to `job`, or to some, if it starts at `time`.

        Closed for some of its planned time, as known now; shape (n_nodes,).
        """
        barred_nodes = np.zeros(len(self.cores), dtype=np.bool_)
        for node, outage in self._holder.items():
            barred_nodes[node] = self.out[outage].planned_end > time
        if self.closures is not None:
            one = job or ANYBODY
            end = max(time + one.planned_time, math.nextafter(time, math.inf))
            closed = self.closures.mask_closed_to(one, time, end, now)
            barred_nodes = barred_nodes if closed is None else barred_nodes | closed
        return barred_nodes

    def opening(self, job: Job, now: float) -> float:
        """Return when enough nodes are first open to `job` for its planned time, if it had them all.

        In seconds, as known now; infinity if never.
        """
        for time in (now, *self.openings(job, now)):
            if len(self.cores) - np.count_nonzero(self.barred_nodes(job, time, now)) >= job.processors:
                return time
        return math.inf

    def nodes_for(self, job: Job, now: float) -> list[int]:
        """Return the nodes that `job` would get now; if it does not fit, those it would get with no tasks."""
        cores = (
            self.cores if self.closures is None else open_cores(self.cores, self.barred_nodes(job, now, now))
        )
        chosen = self.contract.choose_nodes(job, job.processors, cores, self.memory)
        if chosen is not None:
            return chosen
        empty = self.hardware.node_cores, self.hardware.node_memory
        nodes = self.contract.choose_nodes(job, job.processors, *empty)
        return list(range(job.processors)) if nodes is None else nodes

    def know(self, nodes: SharedNodes) -> None:
        """Know tasks and owners as they are in `nodes`, not as they become."""
        self.contract = ContractPlacement(nodes, self.site)

    def assign_one_each(self, nodes: Sequence[int]) -> CoreAssignment:
        """Return what a task in each of `nodes` would hold."""
        return CoreAssignment(tuple(self.idle[node][0] for node in nodes), dict.fromkeys(nodes, 1))


def slot_rules() -> NodeRules:
    """Return the rules by which a local scheduler takes the slots of a cluster."""
    return NodeRules(placement_of("first-fit"), Execution(fixed=True))


def slot_demand(job: Job) -> Demand:
    """Return what the tasks of `job` demand of slots: one in each of its nodes, with the memory of a task."""
    return Demand((TaskGroup(job.processors, 1.0, program_of(job).memory),), tasks_per_node=1)
