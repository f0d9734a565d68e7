"""CoreAssignment: the cores on which a job starts; placements choose them, and their choice is checked."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

from echelon.engine.nodes.profile import REFUSES
from echelon.engine.nodes.room import NodeRoom
from echelon.errors import PolicyError
from echelon.model import Demand, TaskGroup
from echelon.model.machines.capacity import capacity, crowded, turns
from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from echelon.engine.nodes.cluster import NodeCluster
    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.contract import Where
    from echelon.policies.placement import Placement


class CoreAssignment(NamedTuple):
    """The cores of a job in the order in which its tasks are dealt, their sharing and their clock.

    Attributes
    ----------
    cores : tuple of int
        Core numbers.
    where : mapping of int to int
        Number of them in each node.
    share : int
        Largest number of tasks on one core, >= 1.
    level : int
        Frequency level of their processors.
    """

    cores: tuple[int, ...]
    where: Where
    share: int = 1
    level: int = 0


class CoreAssigner:
    """Gets cores from the placement, now or as planned, and checks them: it may be a user's own rule.

    Parameters
    ----------
    cluster : NodeCluster
        The nodes.
    placement : Placement, optional
        Chooses the cores; default: the placement of the cluster's rules.
    """

    def __init__(self, cluster: NodeCluster, placement: Placement | None = None) -> None:
        self._cluster = cluster
        self._placement = cluster.rules.placement if placement is None else placement
        self._node_of: list[int] = cluster.hardware.node_of_core.tolist()
        self._draws_of: tuple[int, NDArray[np.float64]] | None = None

    def by_node(self, cores: Sequence[int]) -> dict[int, list[int]]:
        """Return these cores by their nodes, in their order."""
        cores_by_node: dict[int, list[int]] = defaultdict(list)
        for core in cores:
            cores_by_node[self._node_of[core]].append(core)
        return cores_by_node

    def among(
        self, job: Job, cores: IntColumn, memory: FloatColumn, *, shared: bool = True
    ) -> CoreAssignment | None:
        """Return where `job` would start now in this room, on as many cores as possible, or None."""
        cluster = self._cluster
        room = NodeRoom(cluster, cores, memory)
        for share, wanted, asked in self._ways(job, cluster.rules.tasks_per_core if shared else 1):
            if wanted > cluster.free:
                continue
            placed = self._placed(asked, wanted, room)
            if placed is not None and (level := cluster.power.level_for(placed)) is not None:
                chosen = tuple(int(core) for core in placed)
                where = Counter(self._node_of[core] for core in chosen)
                self._check_cores(asked, chosen, where, room)
                return CoreAssignment(chosen, where, share, level)
        return None

    def planned(self, job: Job, cores: IntColumn, memory: FloatColumn) -> Where | None:
        """Return the nodes `job` would take at a later time, as planned, or None."""
        job = self._cluster.as_left(job)
        if cores.sum() < job.processors:
            return None
        room = NodeRoom(self._cluster, cores, memory, planned=True)
        placed = self._placed(job, job.processors, room)
        return None if placed is None else Counter(self._node_of[core] for core in placed)

    def power_alone(self, job: Job) -> float:
        """Return the largest power of the machine while `job` runs alone at its lowest level, in W.

        Every node is on, and tasks share cores only if they must.
        """
        cluster = self._cluster
        room = NodeRoom(cluster, cluster.hardware.node_cores, cluster.hardware.node_memory)
        for _, wanted, asked in self._ways(job, cluster.rules.tasks_per_core):
            placed = self._placed(asked, wanted, room)
            if placed is not None:
                return cluster.power.needed(placed)
        return 0.0

    def check(self) -> None:
        """Refuse a placement that leaves a waiting job out of the empty machine, if no job runs.

        Raises
        ------
        PolicyError
            If it does.
        """
        cluster = self._cluster
        for job in cluster.waiting.jobs if not cluster.running else ():
            refused = self.planned(job, cluster.cores, cluster.memory) is None
            # A job that must share its cores even then has no plan.
            if refused and cluster.room_for(job) is None:
                raise self._error(job, REFUSES)

    def draws(self, job: Job) -> NDArray[np.float64]:
        """Return a random number of `job` for each core: stream ``"placement/POSITION"`` of the seed."""
        cluster = self._cluster
        if self._draws_of is None or self._draws_of[0] != job.position:
            numbers = stream(cluster.scenario.seed, f"placement/{job.position}").random(cluster.processors)
            self._draws_of = (job.position, numbers)
        return self._draws_of[1]

    @staticmethod
    def _ways(job: Job, tasks_per_core: int) -> Iterator[tuple[int, int, Job]]:
        """Yield the tasks per core, the fewest cores for that, and the job with this demand."""
        demand = job.demand or Demand((TaskGroup(job.processors, 1.0),))
        for share, wanted in turns(demand, tasks_per_core):
            yield share, wanted, job._replace(demand=crowded(demand, share))

    def _placed(self, job: Job, cores: int, room: NodeRoom) -> Sequence[int] | None:
        try:
            return self._placement.place(job, cores, room)
        except PolicyError as error:
            raise self._error(job, error.broken_rule) from error

    def _check_cores(self, job: Job, cores: tuple[int, ...], where: Where, room: NodeRoom) -> None:
        """Refuse a placement, perhaps a user's own, that takes unavailable resources."""
        demand = job.demand
        by_node = self.by_node(cores)
        for node, count in where.items():
            chosen = set(by_node[node])
            if len(chosen) < count:
                raise self._error(job, f"names a core of node {node} twice")
            if busy := chosen.difference(self._cluster.idle[node]):
                raise self._error(job, f"names core {min(busy)}, which is not idle")
            if count > room.cores[node]:
                raise self._error(job, f"takes {count} cores of node {node}, too many")
        if demand is not None:
            if demand.sequential and len(where) > 1:
                raise self._error(job, f"spreads a sequential job over {len(where)} nodes")
            if demand.memory:
                fit = capacity(room.cores, room.memory, demand)
                over = [node for node, count in where.items() if count > fit[node]]
                if over:
                    raise self._error(job, f"takes more memory than is free in node {over[0]}")

    def _error(self, job: Job, rule: str) -> PolicyError:
        name = f"placement {self._placement.name}"
        return PolicyError(name, time=self._cluster.now, job_id=job.job_id, broken_rule=rule)
