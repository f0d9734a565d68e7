"""Further columns of sites whose nodes have owners: nodes, which tasks and owners share."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.model.schedules.features import there

if TYPE_CHECKING:
    from echelon.metrics.columns.measured_schedule import Measured
    from echelon.metrics.columns.shared_nodes import SharedNodes
    from echelon.model.jobs.columns import FloatColumn


def cluster_areas(nodes: SharedNodes) -> FloatColumn:
    """Return processor-seconds that jobs held of each cluster, shape (n_sites,): each task where it ran."""
    return _by_site(nodes, nodes.task_time)


def cluster_columns(measured: Measured) -> dict[str, Any]:
    """Return the columns of ``sites.csv`` that only clusters of shared nodes have, shape (n_sites,) each.

    A site of another kind has null in each.

    ``nodes``; ``tasks`` that ran there; ``spanning_jobs``: jobs with tasks here and in another cluster;
    ``node_utilization``: sum of the nodes' busy times / (nodes * makespan); ``mean_mpl``: tasks of a busy
    node on average, null if none was; ``owner_active_time`` (s): of all nodes together;
    ``owner_slowdown``: its mean, null if no owner was at work.
    """
    # A heavy library that only tables need.
    import polars as pl

    nodes = there(measured.shared_nodes)
    counts = np.diff(nodes.first_node)
    busy, active = _by_site(nodes, nodes.busy_time), _by_site(nodes, nodes.owner_active_time)
    spanning = (nodes.site_tasks > 0) & (nodes.sites_per_job > 1)[:, None]
    with np.errstate(divide="ignore", invalid="ignore"):
        mpl = cluster_areas(nodes) / busy
        slowdown = _by_site(nodes, nodes.owner_delayed_time) / active
        used = busy / (counts * measured.makespan)
    columns = {
        "nodes": pl.Series(counts),
        "tasks": pl.Series(nodes.site_tasks.sum(axis=0)),
        "spanning_jobs": pl.Series(np.count_nonzero(spanning, axis=0)),
        "node_utilization": pl.Series(used),
        "mean_mpl": pl.Series(mpl).fill_nan(None),
        "owner_active_time": pl.Series(active),
        "owner_slowdown": pl.Series(slowdown).fill_nan(None),
    }
    other = pl.Series(~nodes.shared)
    return {name: column.set(other, None) for name, column in columns.items()}


def _by_site(nodes: SharedNodes, column: FloatColumn) -> FloatColumn:
    return np.bincount(nodes.site, weights=column, minlength=len(nodes.platform)).astype(np.float64)
