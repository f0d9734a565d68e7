"""CoreAssignment: the cores on which a job starts, chosen by placements in what is free, and checked."""

from __future__ import annotations

from collections import Counter, defaultdict
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.nodes.placed_profile import REFUSES
from echelon.errors import PolicyError
from echelon.model import Demand, TaskGroup
from echelon.model.machines.capacity import capacity, crowd, turns
from echelon.model.streams import stream

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from numpy.typing import NDArray

    from echelon.engine.nodes.nodes import Nodes
    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.contract import Where
    from echelon.policies.placement import Placement


class NodeRoom:
    """Implements `echelon.policies.placement.Room`.

    Parameters
    ----------
    nodes : Nodes
        The nodes.
    cores : IntColumn, shape (n_nodes,)
        Free cores of each node.
    memory : FloatColumn, shape (n_nodes,)
        Free memory of each node, in bytes.
    now : float
        Simulation time, in seconds.
    planned : bool, default False
        Whether this is room at a later time, when it is not known which cores will be idle.
    """

    __slots__ = ("_nodes", "cores", "hardware", "memory", "now", "planned")

    def __init__(
        self, nodes: Nodes, cores: IntColumn, memory: FloatColumn, now: float, *, planned: bool = False
    ) -> None:
        self._nodes, self.now = nodes, now
        self.planned = planned
        self.hardware: Hardware = nodes.hardware
        self.cores = cores
        self.memory = memory

    @property
    def asleep(self) -> NDArray[np.bool_]:
        """Whether each node is switched off now.

        Under a power cap no node counts as off while no job runs: otherwise a job that is placed on nodes
        that are on, but takes too much power there, would wait forever.
        """
        nodes = self._nodes
        if nodes.power.is_capped and not nodes.assignments:
            return np.zeros(len(self.cores), dtype=np.bool_)
        return nodes.sleep.asleep(self.now)

    @property
    def running(self) -> IntColumn:
        """Jobs that run in each node now."""
        return self._nodes.jobs_in_node

    @property
    def memory_in_use(self) -> FloatColumn:
        """Bytes of memory held in each node now."""
        return self._nodes.memory_in_use

    @property
    def bandwidth_asked(self) -> FloatColumn:
        """Memory traffic of the tasks on each processor now, in bytes a second."""
        return self._nodes.bandwidth_asked()

    def idle(self, node: int) -> Sequence[int]:
        """Return the idle cores of a node; see `Room.idle`."""
        if self.planned:
            first = self.hardware.first_core
            return range(int(first[node]), int(first[node + 1]))
        return self._nodes.idle[node]

    def draws(self, job: Job) -> NDArray[np.float64]:
        """Return one random number of `job` for each core; see `Room.draws`."""
        return self._nodes.places.draws(job)


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
    nodes : Nodes
        The nodes.
    placement : Placement, optional
        Chooses the cores; default: the placement of the nodes' rules.
    """

    def __init__(self, nodes: Nodes, placement: Placement | None = None) -> None:
        self._nodes = nodes
        self._placement = nodes.rules.placement if placement is None else placement
        self._node_of: list[int] = nodes.hardware.node_of_core.tolist()
        self._draws_of: tuple[int, NDArray[np.float64]] | None = None

    def copy(self, nodes: Nodes) -> CoreAssigner:
        """Return one that chooses among `nodes`, which are a copy of these."""
        return CoreAssigner(nodes, self._placement)

    def by_node(self, cores: Sequence[int]) -> dict[int, list[int]]:
        """Return these cores by their nodes, in their order."""
        cores_by_node: dict[int, list[int]] = defaultdict(list)
        for core in cores:
            cores_by_node[self._node_of[core]].append(core)
        return cores_by_node

    def among(
        self, job: Job, cores: IntColumn, memory: FloatColumn, now: float, *, shared: bool = True
    ) -> CoreAssignment | None:
        """Return where `job` would start now in this room, on as many cores as possible, or None."""
        nodes = self._nodes
        room = NodeRoom(nodes, cores, memory, now)
        for share, wanted, asked in self._list_ways(job, nodes.rules.tasks_per_core if shared else 1):
            if wanted > nodes.free:
                continue
            placed = self._place_job(asked, wanted, room)
            if placed is not None and (level := nodes.power.level_for(placed, now)) is not None:
                chosen = tuple(int(core) for core in placed)
                where = Counter(self._node_of[core] for core in chosen)
                self._check_cores(asked, chosen, where, room)
                return CoreAssignment(chosen, where, share, level)
        return None

    def plan_nodes(self, job: Job, cores: IntColumn, memory: FloatColumn, now: float) -> Where | None:
        """Return the nodes `job` would take at a later time, as planned now, or None."""
        if cores.sum() < job.processors:
            return None
        room = NodeRoom(self._nodes, cores, memory, now, planned=True)
        placed = self._place_job(job, job.processors, room)
        return None if placed is None else Counter(self._node_of[core] for core in placed)

    def power_alone(self, job: Job) -> float:
        """Return the largest power of the machine while `job` runs alone at its lowest level, in W.

        Every node is on, and tasks share cores only if they must.
        """
        nodes = self._nodes
        room = NodeRoom(nodes, nodes.hardware.node_cores, nodes.hardware.node_memory, 0.0)
        for _, wanted, asked in self._list_ways(job, nodes.rules.tasks_per_core):
            placed = self._place_job(asked, wanted, room)
            if placed is not None:
                return nodes.power.peak_power(placed)
        return 0.0

    def check(self, waiting: Iterable[Job], now: float) -> None:
        """Refuse a placement that leaves one of the `waiting` jobs out of the empty machine.

        Raises
        ------
        PolicyError
            If it does.
        """
        cores, memory = self._nodes.cores, self._nodes.memory
        for job in waiting:
            refused = self.plan_nodes(job, cores, memory, now) is None
            # A job that must share its cores even then has no plan.
            if refused and self.among(job, cores, memory, now) is None:
                raise self._error(job, REFUSES, now)

    def draws(self, job: Job) -> NDArray[np.float64]:
        """Return a random number of `job` for each core: stream ``"placement/POSITION"`` of the seed."""
        if self._draws_of is None or self._draws_of[0] != job.position:
            cores = self._nodes.hardware.cores
            numbers = stream(self._nodes.seed, f"placement/{job.position}").random(cores)
            self._draws_of = (job.position, numbers)
        return self._draws_of[1]

    @staticmethod
    def _list_ways(job: Job, tasks_per_core: int) -> Iterator[tuple[int, int, Job]]:
        """Yield the tasks per core, the fewest cores for that, and the job with this demand."""
        demand = job.demand or Demand((TaskGroup(job.processors, 1.0),))
        for share, wanted in turns(demand, tasks_per_core):
            yield share, wanted, job._replace(demand=crowd(demand, share))

    def _place_job(self, job: Job, cores: int, room: NodeRoom) -> Sequence[int] | None:
        try:
            return self._placement.place(job, cores, room)
        except PolicyError as error:
            raise self._error(job, error.broken_rule, room.now) from error

    def _check_cores(self, job: Job, cores: tuple[int, ...], where: Where, room: NodeRoom) -> None:
        """Refuse a placement, perhaps a user's own, that takes unavailable resources."""
        demand = job.demand
        by_node = self.by_node(cores)
        for node, count in where.items():
            chosen = set(by_node[node])
            if len(chosen) < count:
                raise self._error(job, f"names a core of node {node} twice", room.now)
            if busy := chosen.difference(self._nodes.idle[node]):
                raise self._error(job, f"names core {min(busy)}, which is not idle", room.now)
            if count > room.cores[node]:
                raise self._error(job, f"takes {count} cores of node {node}, too many", room.now)
        if demand is not None:
            if demand.sequential and len(where) > 1:
                raise self._error(job, f"spreads a sequential job over {len(where)} nodes", room.now)
            if demand.memory:
                fit = capacity(room.cores, room.memory, demand)
                over = [node for node, count in where.items() if count > fit[node]]
                if over:
                    raise self._error(job, f"takes more memory than is free in node {over[0]}", room.now)

    def _error(self, job: Job, rule: str, now: float) -> PolicyError:
        name = f"placement {self._placement.name}"
        return PolicyError(name, time=now, job_id=job.job_id, broken_rule=rule)
