"""node-order: whole nodes in an order, with the tasks of a job dealt to them in turn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.demands import Demand, TaskGroup
from echelon.model.machines.capacity import DECIDED, capacity
from echelon.policies.placement.contract import Allocator
from echelon.policies.placement.node_search import NodeSearch

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.placement.contract import Placement, Room


@dataclass(frozen=True, slots=True)
class NodeOrder(Allocator):
    """Nodes in an order, each with room for its share of the job; tasks are dealt to them in turn.

    A sequential job takes one node. An MPI job takes the nodes it names; one that limits its tasks per node
    takes as many nodes as that needs. The first so many nodes in this order that have an idle core for each
    task of a share, rounded up, take the job: the first task goes to the first node, the second to the
    second, and after the last node the first comes again. Fewer such nodes: the job waits.

    Parameters
    ----------
    by : str, default "first"
        The order. ``first``: as the platform lists them. ``random``: drawn again for each job.
        ``high-gigaflops``: the fastest cores first, by those of a node's first processor. ``high-cores`` and
        ``low-cores``: most and fewest idle cores first. ``total-cores``: most cores first, idle or not, as
        the public program's manager Backfill has it. ``high-memory``: most memory in use first.
        ``high-memory-bandwidth``: the node whose first processor has the least memory demand first.
        ``low-power``: least power with all cores busy first; a stored version of the program has the most.
    tasks_per_node : int, default 1
        Tasks per node of an MPI job that specifies neither, >= 1.

    Raises
    ------
    InputError
        If `tasks_per_node` < 1.

    Notes
    -----
    Ties: the platform's order; the program sorts ids of nodes as text, ``node10`` before ``node2``.
    Within a node cores are taken lowest first. Nodes that are switched off come last. ``high-memory`` and
    ``high-memory-bandwidth`` are not the resource orders of these names, which look at what nodes have,
    not at what is used of it.

    Cost: O(nodes), and O(tasks that run) for ``high-memory-bandwidth``.

    References
    ----------
    The public program of IRMASim, manager Heuristic, GitHub 2019.
    """

    name: ClassVar[str] = "node-order"
    source: ClassVar[str] = "IRMASim, GitHub 2019, manager Heuristic"
    by: Literal[
        "first",
        "random",
        "high-gigaflops",
        "high-cores",
        "low-cores",
        "total-cores",
        "high-memory",
        "high-memory-bandwidth",
        "low-power",
    ] = "first"
    tasks_per_node: int = 1

    def __post_init__(self) -> None:
        if self.tasks_per_node < 1:
            raise InputError(
                f"must be at least 1, got {self.tasks_per_node}", field="node-order, tasks-per-node"
            )

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """See `echelon.policies.placement.Placement`."""
        demand = job.demand or Demand((TaskGroup(job.processors, 1.0),))
        fit = capacity(room.cores, room.memory, demand)
        if demand.tasks_per_node == DECIDED and not demand.sequential:
            return self._all_of(fit, job, cores, room)
        wanted = self._count_nodes(demand, cores)
        holds = fit >= -(-cores // wanted)
        chosen = [node for node in self.nodes(job, room).tolist() if holds[node]][:wanted]
        if len(chosen) < wanted:
            return None
        idle = [list(room.idle(node)) for node in chosen]
        return [idle[task % wanted][task // wanted] for task in range(cores)]

    def _all_of(self, fit: IntColumn, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """Return the cores that nodes chosen before have for the job, dealt in turn while they have any."""
        nodes = [node for node in self.nodes(job, room).tolist() if fit[node]]
        turns = range(int(fit.max(initial=0)))
        dealt = [room.idle(node)[turn] for turn in turns for node in nodes if turn < fit[node]]
        return dealt[:cores] if len(dealt) >= cores else None

    def nodes(self, job: Job, room: Room) -> IntColumn:
        """Return all nodes in this order."""
        asleep: NDArray[np.bool_] = room.asleep
        return np.lexsort((self._keys(job, room), asleep))

    def _count_nodes(self, demand: Demand, cores: int) -> int:
        """Return how many nodes take the job."""
        if demand.sequential:
            return 1
        if demand.nodes:
            return min(demand.nodes, cores)
        return -(-cores // (demand.tasks_per_node or self.tasks_per_node))

    def _keys(self, job: Job, room: Room) -> FloatColumn:  # noqa: PLR0911  (one line an order)
        """Return a number of each node, the lowest first."""
        hardware = room.hardware
        processor, core = first_processors(hardware), hardware.first_core[:-1]
        match self.by:
            case "first":
                return np.zeros(len(core))
            case "random":
                return room.draws(job)[core]
            case "high-gigaflops":
                return -hardware.core_speed[core]
            case "high-cores":
                return -room.cores.astype(np.float64)
            case "low-cores":
                return room.cores.astype(np.float64)
            case "total-cores":
                return -hardware.node_cores.astype(np.float64)
            case "high-memory":
                return -room.memory_in_use
            case "high-memory-bandwidth":
                return room.bandwidth_asked[processor]
        return most_power(hardware)


def first_processors(hardware: Hardware) -> IntColumn:
    """Return the first processor of each node, shape (n_nodes,)."""
    return np.searchsorted(hardware.node_of_processor, np.arange(len(hardware.nodes)))


def most_power(hardware: Hardware) -> FloatColumn:
    """Return the power of each node's processors with all cores busy, in W, shape (n_nodes,)."""
    static = np.array([processor.static_power for processor in hardware.processors])
    nodes = len(hardware.nodes)
    of_processors = np.bincount(hardware.node_of_processor, weights=static, minlength=nodes)
    of_cores = np.bincount(hardware.node_of_core, weights=hardware.core_power, minlength=nodes)
    return of_processors.astype(np.float64) + of_cores.astype(np.float64)


def node_sequence(placement: Placement, job: Job, room: Room) -> IntColumn:
    """Return all nodes in the order of `placement` for `job`.

    Those of `node-order` and of a node search come in their order, those without an idle core last; any other
    placement chooses whole sets of nodes, so its nodes come as the platform lists them.
    """
    if isinstance(placement, NodeOrder):
        return placement.nodes(job, room)
    everything = np.arange(len(room.cores))
    if not isinstance(placement, NodeSearch):
        return everything
    order = np.fromiter(placement.nodes(job, room), dtype=np.int64)
    return np.concatenate((order, np.setdiff1d(everything, order)))
