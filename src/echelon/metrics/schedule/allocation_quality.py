"""AllocationQuality: how near to each other the cores of each job were."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.job_places import last_stays
from echelon.model.machines.capacity import capacity
from echelon.model.schedules.holdings import held_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from echelon.model import Hardware, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.demands import Demand
    from echelon.model.topology import Topology


@dataclass(frozen=True, eq=False)
class AllocationQuality:
    """Where in the machine each job was, and how far apart its parts were.

    Columns have shape (n_jobs,), in the instance's order, and are NaN for a job that they say nothing of. A
    job that was suspended counts where it was after its last resumption.

    Parameters
    ----------
    hardware : Hardware
        The machine.
    job : IntColumn, shape (n,)
        Job of each pair of a job and a node in which it held cores, ascending.
    node : IntColumn, shape (n,)
        The node, ascending in each job.
    tasks : IntColumn, shape (n,)
        Tasks of the job there.
    fewest : IntColumn, shape (n_jobs,)
        Nodes that the job needs at least.

    References
    ----------
    Mache and Lo, The effects of dispersal on message-passing contention in processor allocation strategies,
    JCIS 1997; Leung et al., Processor allocation on Cplant, CLUSTER 2002: pairwise hops as the measure of
    an allocation.
    """

    hardware: Hardware
    job: IntColumn
    node: IntColumn
    tasks: IntColumn
    fewest: IntColumn

    @classmethod
    def of(cls, schedule: Schedule) -> AllocationQuality:
        """Return the qualities of a schedule's allocations. Cost: O(k log k) for k holdings.

        Raises
        ------
        InputError
            If the schedule does not say which cores jobs held.
        """
        held = held_nodes(schedule, "needs a schedule on hardware, with holdings")
        nodes, holdings = len(held.hardware.nodes), held.holdings
        last = last_stays(holdings)
        pair = (holdings.job * nodes + held.node)[last]
        pairs, place = np.unique(pair, return_inverse=True)
        tasks = np.zeros(len(pairs), dtype=np.int64)
        np.add.at(tasks, place.reshape(-1), holdings.tasks[last])
        return cls(held.hardware, pairs // nodes, pairs % nodes, tasks, fewest_nodes(schedule))

    @cached_property
    def nodes(self) -> IntColumn:
        """Nodes in which each job held cores; 0 of a job that ran elsewhere."""
        return np.bincount(self.job, minlength=len(self.fewest))

    @cached_property
    def wide(self) -> NDArray[np.bool_]:
        """Whether each job held cores in more than one node."""
        return self.nodes > 1

    @cached_property
    def spread(self) -> FloatColumn:
        """Nodes in which each job held cores / nodes that it needs at least on the empty machine, >= 1."""
        # Where tasks share cores, a job can do with fewer nodes than it has room for otherwise.
        return self.nodes / np.maximum(1, np.minimum(self.nodes, self.fewest))

    @cached_property
    def fragments(self) -> IntColumn:
        """Runs of consecutive node numbers that each job held; 1: contiguous."""
        begins = np.ones(len(self.job), dtype=np.bool_)
        begins[1:] = (np.diff(self.job) != 0) | (np.diff(self.node) != 1)
        return np.bincount(self.job[begins], minlength=len(self.fewest))

    @cached_property
    def same_node_share(self) -> FloatColumn:
        """Share of the pairs of each job's tasks that were in one node, 0 to 1; NaN for a single task."""
        return self._share_of_pairs(self.node)

    @cached_property
    def same_switch_share(self) -> FloatColumn | None:
        """Share of the pairs of each job's tasks below one lowest switch; NaN for a single task.

        None without a topology.
        """
        topology = self.hardware.topology
        return None if topology is None else self._share_of_pairs(topology.switch[self.node])

    @cached_property
    def pairwise_hops(self) -> FloatColumn | None:
        """Mean hops over all pairs of each job's nodes; NaN in a single node. None without a topology."""
        topology = self.hardware.topology
        if topology is None:
            return None
        return self._of_wide_jobs(lambda nodes: _mean_hops(topology, nodes))

    @cached_property
    def diameter(self) -> FloatColumn | None:
        """Most hops between two of each job's nodes; NaN in a single node. None without a topology."""
        topology = self.hardware.topology
        return None if topology is None else self._of_wide_jobs(topology.diameter)

    @cached_property
    def pieces(self) -> IntColumn | None:
        """Pieces of the network that each job held; None without a topology.

        A piece is a set of nodes whose switches are joined by links over switches of the job's nodes alone:
        in a mesh neighbors, in a tree the nodes of one lowest switch. Cost: O(k d log k) for k pairs of a
        job and a switch, and d links of a switch.
        """
        topology = self.hardware.topology
        if topology is None:
            return None
        switches = int(topology.ends.max(initial=int(topology.switch[self.node].max(initial=0)))) + 1
        held = np.unique(self.job * switches + topology.switch[self.node])
        here, there = _links_inside(held, topology.ends, switches)
        label, before = np.arange(len(held)), np.full(len(held), -1)
        while not np.array_equal(label, before):
            before = label
            label = label.copy()
            np.minimum.at(label, here, before[there])
            label = label[label]
        first = held[label == np.arange(len(held))] // switches
        return np.bincount(first, minlength=len(self.fewest))

    def _share_of_pairs(self, part: IntColumn) -> FloatColumn:
        """Return the share of pairs of a job's tasks in one part of the machine."""
        jobs = len(self.fewest)
        order = np.lexsort((part, self.job))
        begins = np.ones(len(order), dtype=np.bool_)
        begins[1:] = (np.diff(self.job[order]) != 0) | (np.diff(part[order]) != 0)
        first = np.flatnonzero(begins)
        together = np.add.reduceat(self.tasks[order], first) if len(first) else self.tasks
        inside = np.bincount(self.job[order][first], weights=together * (together - 1.0), minlength=jobs)
        tasks = np.bincount(self.job, weights=self.tasks, minlength=jobs)
        pairs = tasks * (tasks - 1)
        share = np.full(jobs, np.nan)
        np.divide(inside, pairs, out=share, where=pairs > 0)
        return share

    def _of_wide_jobs(self, function: Callable[[IntColumn], float]) -> FloatColumn:
        """Return a function of the nodes of each job in more than one, NaN for the others."""
        last = np.cumsum(self.nodes)
        column = np.full(len(self.fewest), np.nan)
        for job in np.flatnonzero(self.wide).tolist():
            column[job] = function(self.node[last[job] - self.nodes[job] : last[job]])
        return column


def _links_inside(held: IntColumn, ends: IntColumn, switches: int) -> tuple[IntColumn, IntColumn]:
    """Return the links between switches of one job, by the places in `held` of both.

    Parameters
    ----------
    held : IntColumn, shape (k,)
        Job times `switches` plus switch, ascending.
    ends : IntColumn, shape (links, 2)
        Switches that each link joins.
    switches : int
        How many there are.
    """
    ends = ends[np.argsort(ends[:, 0], kind="stable")]
    first = np.searchsorted(ends[:, 0], np.arange(switches + 1))
    job, switch = np.divmod(held, switches)
    count = np.diff(first)[switch]
    here = np.repeat(np.arange(len(held)), count)
    link = np.arange(len(here)) - np.repeat(np.cumsum(count) - count - first[switch], count)
    wanted = job[here] * switches + ends[link, 1]
    there = np.minimum(np.searchsorted(held, wanted), max(len(held) - 1, 0))
    inside = held[there] == wanted
    return here[inside], there[inside]


def fewest_nodes(schedule: Schedule) -> IntColumn:
    """Return how many nodes each job needs at least if the machine is empty, shape (n_jobs,).

    Cost: O(n + k x nodes log nodes) for k different combinations of size, memory and kind.
    """
    hardware, demands, _ = held_nodes(schedule)
    columns = (demands.sequential, demands.nodes, demands.tasks_per_node, demands.size, demands.largest)
    kinds = np.stack([column.astype(np.float64) for column in columns], axis=1)
    _, first, kind = np.unique(kinds, axis=0, return_index=True, return_inverse=True)
    each = [_fewest(hardware, demands[int(k)]) for k in first]
    return np.array(each, dtype=np.int64)[kind.reshape(-1)]


def _fewest(hardware: Hardware, demand: Demand) -> int:
    if demand.sequential or demand.nodes > 0:
        return max(1, demand.nodes)
    holds = capacity(hardware.node_cores, hardware.node_memory, demand)
    if demand.tasks_per_node:
        holds = np.minimum(holds, demand.tasks_per_node)
    together = np.cumsum(np.sort(holds)[::-1])
    return int(np.searchsorted(together, demand.tasks)) + 1


def _mean_hops(topology: Topology, nodes: IntColumn) -> float:
    pairs = len(nodes) * (len(nodes) - 1) / 2
    return topology.total_hops(nodes, np.ones(len(nodes), dtype=np.int64)) / pairs
