"""Cores as arrays: a machine in a resource order for kernels, and from the cores of each job to holdings."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.nodes.rows import DEAL_TYPE, arrange
from echelon.engine.compiled.nodes.state import CORE_TYPE, NODE_TYPE, RUN_TYPE, Ranked
from echelon.model import Holdings

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.nodes.state import State
    from echelon.model import Hardware, Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def rank_cores(hardware: Hardware, ranks: IntColumn, rates: FloatColumn) -> Ranked:
    """Return the idle machine.

    Parameters
    ----------
    hardware : Hardware
        The machine.
    ranks : IntColumn, shape (n_cores,)
        Place of each core in the resource order.
    rates : FloatColumn, shape (n_cores,)
        Operations a second of each.
    """
    runs, run_of_core = _runs(hardware, ranks)
    nodes = np.zeros(len(hardware.nodes), dtype=NODE_TYPE)
    nodes["memory"] = hardware.node_memory
    _, first = np.unique(runs["node"], return_index=True)
    nodes["ranked"] = np.argsort(first)
    node_runs = np.argsort(runs["node"], kind="stable")
    counts = np.bincount(runs["node"], minlength=len(nodes))
    nodes["stop_run"] = np.cumsum(counts)
    nodes["first_run"] = nodes["stop_run"] - counts
    table = np.zeros(hardware.cores, dtype=CORE_TYPE)
    table["run"], table["rate"] = run_of_core, rates
    within = np.arange(hardware.cores) - runs["first"][run_of_core]
    # The lowest is last, where it is taken from.
    table["idle"] = runs["first"][run_of_core] + runs["length"][run_of_core] - 1 - within
    return Ranked(nodes, runs, node_runs, table)


def _runs(hardware: Hardware, ranks: IntColumn) -> tuple[NDArray[Any], IntColumn]:
    """Return the runs of cores that are neighbors in a node and in the order, and that of each core."""
    begins = np.ones(hardware.cores, dtype=np.bool_)
    node = hardware.node_of_core
    begins[1:] = (node[1:] != node[:-1]) | (ranks[1:] != ranks[:-1] + 1)
    first = np.flatnonzero(begins)
    order = np.argsort(ranks[first])
    runs = np.zeros(len(first), dtype=RUN_TYPE)
    runs["first"], runs["node"] = first[order], node[first[order]]
    runs["length"] = runs["idle"] = np.diff(np.append(first, hardware.cores))[order]
    place = np.empty(len(first), dtype=np.int64)
    place[order] = np.arange(len(first))
    return runs, place[np.cumsum(begins) - 1]


def holdings_of(state: State, jobs: NDArray[Any], instance: Instance, level: NDArray[Any]) -> Holdings:
    """Return what all jobs held. Cost: O(c log c) a job of c cores.

    Parameters
    ----------
    state : State
        At the end of the run; its `held` and `ended` are sorted here.
    jobs : ndarray of JOB_TYPE
        As they have run.
    instance : Instance
        Of the run.
    level : IntColumn, shape (n_cores,)
        Frequency level at which each core runs.
    """
    hardware, demands = instance.node_level.hardware, instance.node_level.demands
    held, fixed = state.held, bool(state.machine["fixed"][0])
    grouped = bool((jobs["stop_group"] - jobs["first_group"] > 1).any())
    groups = np.zeros(len(held) if grouped else 1, dtype=np.int64)
    begins = np.zeros(len(held), dtype=np.bool_)
    rows = np.zeros(len(jobs), dtype=np.int64)
    most = int(jobs["size"].max(initial=1))
    deals = np.empty((2, most), dtype=DEAL_TYPE)
    arrange(jobs, state, hardware.processor_of_core, groups, begins, rows, deals)
    first = np.flatnonzero(begins)
    job = np.repeat(np.arange(len(jobs)), rows)
    group = groups[first] if grouped else np.broadcast_to(groups, len(first))
    core = held[first]
    start = jobs["start"][job]
    release = jobs["end"][job]
    end = release if fixed else state.ended[first]
    if not fixed:
        release = np.where(demands.sequential[job], end, release)
    work = demands.first_group[:-1][job] + group
    rate = np.broadcast_to(1.0, len(first)) if fixed else state.table["rate"][core]
    operations = instance.run_time[job] if fixed else demands.operations[work]
    return Holdings(
        job=job,
        group=group,
        processor=hardware.processor_of_core[core],
        tasks=np.diff(first, append=len(held)),
        first_core=np.append(first, len(held)),
        cores=held,
        start=start,
        begin=start,
        end=end,
        release=release,
        level=level[core],
        speed=rate,
        bandwidth=_bandwidth(demands.memory_volume, work, operations, rate),
    )


def _bandwidth(
    volume: FloatColumn, work: NDArray[Any], operations: FloatColumn, rate: FloatColumn
) -> FloatColumn:
    if not volume.any():
        return np.broadcast_to(0.0, len(work))
    bandwidth: FloatColumn = volume[work] / (operations / rate)
    return bandwidth
