"""Misfits: jobs that no node, or not even all nodes together, can ever hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.machines.capacity import holds
from echelon.quantities import counted, figure

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.jobs.demands import Demand, Demands
    from echelon.model.machines.hardware import Hardware

_MOST_NAMED = 20


def misfits_of(demands: Demands, hardware: Hardware, tasks_per_core: int = 1) -> IntColumn:
    """Return the positions of the jobs that do not fit on the empty machine, ascending.

    `tasks_per_core` is how many tasks of a job may share a core at most.

    Cost: O(n + k x nodes) for k different combinations of size, memory and kind.
    """
    columns = (
        *(demands.sequential, demands.nodes, demands.tasks_per_node, demands.size, demands.largest),
        # Only tasks of one kind may share cores.
        np.diff(demands.first_group) == 1,
    )
    # Jobs with equal demands are checked once.
    table = np.stack([column.astype(np.float64) for column in columns], axis=1)
    _, first, kind = np.unique(table, axis=0, return_index=True, return_inverse=True)
    fits = np.array(
        [holds(hardware, demands[int(position)], tasks_per_core) for position in first], dtype=np.bool_
    )
    return np.flatnonzero(~fits[kind.reshape(-1)])


def misfit_sentence(labels: list[str], demands: list[Demand], hardware: Hardware) -> str:
    """Return one sentence on jobs that fit nowhere: their demands, and the machine."""
    reasons = [f"job {label} {_asks(demand)}" for label, demand in zip(labels, demands, strict=True)]
    more = f"; and {len(reasons) - _MOST_NAMED} more" if len(reasons) > _MOST_NAMED else ""
    memory, cores = float(hardware.node_memory.max()), int(hardware.node_cores.max())
    has = f" and {figure(memory)} B" if np.isfinite(memory) else ""
    nodes = counted(len(hardware.nodes), "node")
    there = f"{nodes} of up to {counted(cores, 'core')}{has}, {counted(hardware.cores, 'core')} in all"
    jobs = counted(len(reasons), "job")
    named = "; ".join(reasons[:_MOST_NAMED])
    return f"{jobs} can never start: {named}{more}; {hardware.name} has {there}"


def _asks(demand: Demand) -> str:
    each = f", each with {figure(demand.memory)} B of memory" if demand.memory else ""
    if demand.sequential:
        return f"needs {counted(demand.tasks, 'core')} of one node{each}"
    if demand.nodes:
        return f"needs {counted(demand.nodes, 'node')} for {counted(demand.tasks, 'task')}{each}"
    most = f", at most {demand.tasks_per_node} a node" if demand.tasks_per_node else ""
    return f"needs {counted(demand.tasks, 'core')}{most}{each}"
