"""SlotCluster: one cluster of shared nodes as its local scheduler sees it: slots for tasks in each node."""

from __future__ import annotations

from bisect import insort
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.multicluster.nodes import program_of
from echelon.engine.multicluster.placement import ContractPlacement
from echelon.engine.multicluster.slot_profile import SlotProfile
from echelon.engine.nodes.cluster import NodeCluster
from echelon.engine.nodes.core_assignment import CoreAssigner, CoreAssignment
from echelon.engine.nodes.rules import NodeRules
from echelon.execution import Execution
from echelon.model import Demand, TaskGroup
from echelon.policies import Running, placement_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.engine.ledger import Ledger
    from echelon.engine.multicluster.nodes import SharedNodes
    from echelon.model import Job
    from echelon.policies.contract import Where


class SlotCluster(NodeCluster):
    """`NodeCluster` of nodes with a slot for each task that the contract allows.

    In addition to jobs of its queue, parts of jobs that run in several clusters may hold slots.

    Parameters
    ----------
    ledger : Ledger
        The ledger of the run.
    nodes : SharedNodes
        The nodes of all clusters.
    site : int
        Index of the cluster.
    scenario : Scenario
        The run, with the estimator whose forecasts become planned times.
    """

    def __init__(self, ledger: Ledger, nodes: SharedNodes, site: int, scenario: Scenario) -> None:
        rules = slot_rules()
        self._ledger = ledger
        super().__init__(ledger, nodes.clusters[site].slot_hardware, rules, scenario)
        self.site = site
        self.first_node = nodes.first[site]
        self.contract = ContractPlacement(nodes, site)
        self.places = CoreAssigner(self, self.contract)
        self._left_by_owners = self.contract.left()
        self.places_left_alone = CoreAssigner(self, ContractPlacement(nodes, site, owners=False))

    @property
    def now(self) -> float:
        """Simulation time, in seconds: that of all clusters, which see each other's nodes."""
        return self._ledger.now

    @now.setter
    def now(self, time: float) -> None:
        """Change nothing: the run keeps the time."""

    def fits(self, job: Job, where: Where | None = None) -> bool:
        """See `NodeCluster.fits`: nodes are counted; the nodes of the job are chosen when it starts."""
        asked = where is not None or job.position in self.reservations or job.position in self._found
        if asked or job.processors > self.free:
            return super().fits(job, where)
        if self.contract.count(job, self.cores, self.memory) >= job.processors:
            return True
        self._found[job.position] = None
        return False

    def owners_changed(self) -> None:
        """Look for room again after a change of owners; withdraw all reservations if it changes the room."""
        self._found.clear()
        left = self.contract.left()
        if left == self._left_by_owners:
            return
        self._left_by_owners = left
        self.reservations.clear()
        self._reserved_nodes.clear()
        self._kept = None

    def open_nodes(self, job: Job, until: float) -> list[int]:
        """Return the nodes that may take one task of `job` now until `until`, beside all reservations."""
        cores, memory = self.cores, self.memory
        if self._kept is not None:
            reserved = self._kept_nodes().window(self.now, until)
            cores, memory = np.minimum(cores, reserved[0]), np.minimum(memory, reserved[1])
        return sorted(self.contract.able(job, cores, memory))

    def nodes_for(self, job: Job) -> list[int]:
        """Return the nodes that `job` would get now; if it does not fit, those it would get with no tasks."""
        now = self.contract.chosen(job, job.processors, self.cores, self.memory)
        if now is not None:
            return now
        empty = self.hardware.node_cores, self.hardware.node_memory
        nodes = self.contract.chosen(job, job.processors, *empty)
        return list(range(job.processors)) if nodes is None else nodes

    def _profile_of(self, *, kept: bool = False) -> SlotProfile:
        return SlotProfile(self, kept=kept)

    def in_state_of(self, nodes: SharedNodes) -> SlotCluster:
        """Return an independent copy that knows its nodes as they are in `nodes`."""
        twin = self.copy()
        assert isinstance(twin, SlotCluster)
        twin.contract = ContractPlacement(nodes, self.site)
        return twin

    def seize(self, part: Job, nodes: Sequence[int], end: float) -> None:
        """Let tasks of a job of several clusters hold a slot in each of `nodes`, as planned until `end`."""
        where = dict.fromkeys(nodes, 1)
        self._take(part, CoreAssignment(tuple(self.idle[node][0] for node in nodes), where))
        if self._kept is not None:
            self._kept.take_where(part, where, self.now, end)
        self._planned_ends[part.position] = end
        insort(self.running, Running(end, part.position, part))


def slot_rules() -> NodeRules:
    """Return the rules by which a local scheduler takes the slots of a cluster."""
    return NodeRules(placement_of("first-fit"), Execution(fixed=True))


def slot_demand(job: Job) -> Demand:
    """Return what the tasks of `job` demand of slots: one in each of its nodes, with the memory of a task."""
    return Demand((TaskGroup(job.processors, 1.0, program_of(job).memory),), tasks_per_node=1)
