"""Capacity: the number of tasks of a job that each node can hold, and whether the job fits."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.demands import Demand
    from echelon.model.machines.hardware import Hardware


MOST_PROCESSORS = 2**31 - 1
"""The largest machine, and the largest grid: far above any built, far below where sums of sizes overflow."""


SLACK = 1 + 1e-9
"""Memory left where fractions of bytes were taken and given back is right except for rounding."""


DECIDED = 2**53
"""Tasks per node of a job whose nodes are already decided, so its spread is not restricted."""


def capacity(cores: IntColumn, memory: FloatColumn, demand: Demand) -> IntColumn:
    """Return the number of tasks of a job that each node can hold, shape (n_nodes,).

    Each task takes a core and the memory of the job's largest task; a part in 1e9 too little is enough.

    Parameters
    ----------
    cores : IntColumn, shape (n_nodes,)
        Cores of each node that are free.
    memory : FloatColumn, shape (n_nodes,)
        Bytes of each node that are free.
    demand : Demand
        Of the job. Its nodes and tasks per node count only in `enough`.

    Notes
    -----
    Cost: O(nodes).
    """
    each = demand.memory
    if each == 0:
        return cores
    # Not floor division, which gives nan for infinite memory.
    with np.errstate(over="ignore"):
        tasks = np.floor(np.minimum(memory / each * SLACK, 2.0**53))
    # By rounding a full node can have slightly less than 0 left.
    return np.minimum(cores, np.maximum(tasks, 0.0)).astype(np.int64)


def per_node(demand: Demand, tasks: int) -> int:
    """Return the largest number of tasks in a node that must hold its share of the job's `tasks`."""
    return -(-tasks // demand.nodes) if demand.nodes else demand.tasks_per_node


def enough(capacity: IntColumn, demand: Demand, tasks: int) -> bool:
    """Return whether nodes of this capacity can hold the tasks of a job with its spread.

    A sequential job needs them all in one node; an MPI job that names its nodes needs so many that each can
    hold an equal share, rounded up; one that limits its tasks per node counts no more than these in each.
    """
    if demand.sequential:
        return bool(capacity.max(initial=0) >= tasks)
    if demand.nodes:
        return bool(np.count_nonzero(capacity >= per_node(demand, tasks)) >= demand.nodes)
    if demand.tasks_per_node:
        capacity = np.minimum(capacity, demand.tasks_per_node)
    return bool(capacity.sum() >= tasks)


def turns(demand: Demand, tasks_per_core: int) -> Iterator[tuple[int, int]]:
    """Yield the largest number of tasks per core, from 1, and the fewest cores for it.

    Parameters
    ----------
    demand : Demand
        Of the job; tasks of several kinds take no turns. One that names its nodes has a core in each.
    tasks_per_core : int
        Largest number allowed, >= 1. A number that needs as many cores as its predecessor is skipped.
    """
    most = min(tasks_per_core, demand.tasks) if len(demand.groups) == 1 else 1
    before = 0
    for share in range(1, most + 1):
        cores = max(-(-demand.tasks // share), min(demand.nodes, demand.tasks))
        if cores != before:
            yield share, cores
        before = cores


def crowd(demand: Demand, share: int) -> Demand:
    """Return the demand of a job whose tasks share cores: each core needs the memory of all its tasks."""
    if share == 1 or not demand.memory:
        return demand
    groups = tuple(group._replace(memory=group.memory * share) for group in demand.groups)
    return demand._replace(groups=groups)


def holds(hardware: Hardware, demand: Demand, tasks_per_core: int = 1) -> bool:
    """Return whether the empty machine can hold the job with at most this number of tasks per core."""
    cores, memory = hardware.node_cores, hardware.node_memory
    return any(
        enough(capacity(cores, memory, crowd(demand, share)), demand, wanted)
        for share, wanted in turns(demand, tasks_per_core)
    )
