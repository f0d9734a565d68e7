"""Misfits: jobs that no node, or not even all nodes together, can ever hold."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.machines.capacity import holds
from echelon.quantities import figure, tally

if TYPE_CHECKING:
    from collections.abc import Collection

    from echelon.model.jobs.columns import IntColumn
    from echelon.model.jobs.demands import Demand, Demands
    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.platform import Platform

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


def misfits_among(
    demands: Demands,
    size: IntColumn,
    platform: Platform,
    tasks_per_core: int = 1,
    *,
    spanning: bool | Collection[str] = False,
) -> IntColumn:
    """Return the positions of the jobs that no site of an empty platform can hold, ascending.

    Parameters
    ----------
    demands : Demands
        Of the jobs' tasks, for sites whose nodes are modeled individually; see `misfits_of`.
    size : IntColumn, shape (n_jobs,)
        Processors of the jobs, for sites of other kinds: each holds up to its largest job.
    platform : Platform
        The sites.
    tasks_per_core : int, default 1
        How many tasks of a job may share a core at most; only of nodes.
    spanning : bool or collection of str, default False
        The inner sites at which a job may have its tasks at several sites of shared nodes; True is all.
    """
    from echelon.model.machines.hardware import Hardware

    others = [site.largest_job for site in platform.sites if not isinstance(site.resource, Hardware)]
    left = np.flatnonzero(size > max([platform.largest_joint_job(spanning), *others]))
    # Kinds of nodes that several sites have are looked at once.
    for hardware in dict.fromkeys(platform.node_level.values()):
        if not len(left):
            break
        left = left[misfits_of(demands.take(left), hardware, tasks_per_core)]
    return left


def misfit_sentence(labels: list[str], demands: list[Demand], machine: Hardware | Platform) -> str:
    """Return one sentence on jobs that fit nowhere: their demands, and the machine, or the sites."""
    reasons = [f"job {label} {_asks(demand)}" for label, demand in zip(labels, demands, strict=True)]
    more = f"; and {len(reasons) - _MOST_NAMED} more" if len(reasons) > _MOST_NAMED else ""
    jobs = tally(len(reasons), "job")
    named = "; ".join(reasons[:_MOST_NAMED])
    return f"{jobs} can never start: {named}{more}; {_has(machine)}"


def _has(machine: Hardware | Platform) -> str:
    """Return what a machine has for a job, or the largest site of each kind."""
    from echelon.model.machines.hardware import Hardware

    if isinstance(machine, Hardware):
        memory, cores = float(machine.node_memory.max()), int(machine.node_cores.max())
        has = f" and {figure(memory)} B" if np.isfinite(memory) else ""
        nodes = tally(len(machine.nodes), "node")
        there = f"{nodes} of up to {tally(cores, 'core')}{has}, {tally(machine.cores, 'core')} in all"
        return f"{machine.name} has {there}"
    largest, every = tally(machine.largest_job(), "processor"), len(machine.all_nodes.nodes)
    there = f"{tally(len(machine), 'site')} of up to {largest}, {tally(every, 'node')} in all"
    return f"{machine.name} has {there}"


def _asks(demand: Demand) -> str:
    each = f", each with {figure(demand.memory)} B of memory" if demand.memory else ""
    if demand.sequential:
        return f"needs {tally(demand.tasks, 'core')} of one node{each}"
    if demand.nodes:
        return f"needs {tally(demand.nodes, 'node')} for {tally(demand.tasks, 'task')}{each}"
    most = f", at most {demand.tasks_per_node} a node" if demand.tasks_per_node else ""
    return f"needs {tally(demand.tasks, 'core')}{most}{each}"
