"""Metrics of how near to each other the cores of each job were; see `AllocationQuality`."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.registry.metric import Metric
from echelon.model.schedules.features import there

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.metrics.columns.measured_schedule import Measured
    from echelon.metrics.schedule.allocation_quality import AllocationQuality
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_COUNT = "a count"
_LEUNG = "Leung et al., CLUSTER 2002"
_MACHE = "Mache and Lo, JCIS 1997"


def _over_wide_jobs(
    column: Callable[[AllocationQuality], FloatColumn | IntColumn | None],
) -> Callable[[Measured], float | None]:
    """Return the mean of a column over the jobs in more than one node; None where there are none."""

    def mean(measured: Measured) -> float | None:
        allocation = there(measured.allocation)
        values = column(allocation) if allocation.wide.any() else None
        return None if values is None else float(values[allocation.wide].mean())

    return mean


def _mean_nodes(measured: Measured) -> float | None:
    """Return the mean number of nodes of the jobs that held cores of some; None if none did."""
    nodes = there(measured.allocation).nodes
    return float(np.mean(nodes[nodes > 0])) if nodes.any() else None


ALLOCATION_METRICS: tuple[Metric, ...] = (
    Metric(
        "multi_node_jobs",
        "jobs",
        "number of jobs in more than one node",
        _COUNT,
        None,
        lambda m: int(np.count_nonzero(there(m.allocation).wide)),
    ),
    Metric("mean_nodes", "nodes", "mean(nodes)", _COUNT, None, _mean_nodes),
    Metric(
        "mean_node_spread",
        "1",
        "mean(nodes / minimum nodes), of multi-node jobs",
        _COUNT,
        "low",
        _over_wide_jobs(lambda a: a.spread),
    ),
    Metric(
        "mean_fragments",
        "1",
        "mean(ranges of consecutive node numbers), of multi-node jobs",
        _LEUNG,
        "low",
        _over_wide_jobs(lambda a: a.fragments),
    ),
    Metric(
        "mean_same_node_share",
        "1",
        "mean(pairs of tasks in one node / pairs of tasks), of multi-node jobs",
        _COUNT,
        "high",
        _over_wide_jobs(lambda a: a.same_node_share),
        most=1.0,
    ),
    Metric(
        "mean_same_switch_share",
        "1",
        "mean(pairs of tasks below one switch / pairs of tasks), of multi-node jobs",
        _COUNT,
        "high",
        _over_wide_jobs(lambda a: a.same_switch_share),
        most=1.0,
    ),
    Metric(
        "mean_pieces",
        "1",
        "mean(connected parts of the network that its switches form), of multi-node jobs",
        _COUNT,
        "low",
        _over_wide_jobs(lambda a: a.pieces),
    ),
    Metric(
        "mean_pairwise_hops",
        "hops",
        "mean(mean hops between two of its nodes), of multi-node jobs",
        f"{_MACHE}; {_LEUNG}",
        "low",
        _over_wide_jobs(lambda a: a.pairwise_hops),
    ),
    Metric(
        "mean_diameter",
        "hops",
        "mean(most hops between two of its nodes), of multi-node jobs",
        _MACHE,
        "low",
        _over_wide_jobs(lambda a: a.diameter),
    ),
)
"""In the order of `METRICS`. Of jobs in one node there is nothing to say but that they are."""
