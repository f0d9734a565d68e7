"""Ranked: the cores of a machine in a resource order, as arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.compiled.nodes.state import CORE_TYPE, NODE_TYPE, RUN_TYPE, Ranked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Hardware
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
