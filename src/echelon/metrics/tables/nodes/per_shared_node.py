"""A schedule on a multicluster, node by node."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.measured_schedule import Measured
from echelon.model.schedules.features import Feature, there

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Schedule


def per_shared_node(schedule: Schedule | Measured) -> pl.DataFrame:
    """Return one row a node: what it is, how busy parallel tasks kept it, and what its owner paid for that.

    Parameters
    ----------
    schedule : Schedule or Measured
        On a multicluster, of at least one job.

    Returns
    -------
    polars.DataFrame
        ``site`` (name), ``node`` (number in it, from 0), ``type`` (name, null without one), ``power``
        (relative), ``processors``, ``slots`` (tasks it may hold at once); ``tasks`` that ran there,
        ``busy_time`` (s, with at least one task), ``utilization``: busy_time / makespan of the whole
        schedule; ``mean_mpl``: tasks while busy on average, null if it never was; ``max_mpl``: at most;
        ``owner_active_time`` (s): how long its owner was at work while jobs were in the system;
        ``owner_slowdown``: mean slowdown of the owner's system calls in that time, null if there was none.

    Raises
    ------
    InputError
        If the schedule is not on a multicluster.

    Notes
    -----
    Ties: rows are by site, in the platform's order, then node. Cost: O(k log k) for k tasks.
    """
    # A heavy library that only tables need.
    import polars as pl

    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    if Feature.PLACES not in measured.has:
        raise InputError("a table by shared node needs a schedule on a multicluster")
    nodes = there(measured.shared_nodes)
    clusters = nodes.platform.clusters
    stations = [station for cluster in clusters for station in cluster.nodes]
    active = nodes.owner_active_time
    with np.errstate(divide="ignore", invalid="ignore"):
        mpl = nodes.task_time / nodes.busy_time
        slowdown = nodes.owner_delayed_time / active
    return pl.DataFrame(
        {
            "site": pl.Series(list(nodes.platform.names), dtype=pl.String).gather(nodes.site),
            "node": nodes.number,
            "type": pl.Series([station.name or None for station in stations], dtype=pl.String),
            "power": np.array([station.power for station in stations]),
            "processors": np.array([station.processors for station in stations], dtype=np.int64),
            "slots": np.array([cluster.contract.mpl for cluster in clusters for _ in cluster.nodes]),
            "tasks": nodes.tasks,
            "busy_time": nodes.busy_time,
            "utilization": nodes.busy_time / measured.makespan,
            "mean_mpl": pl.Series(mpl).fill_nan(None),
            "max_mpl": nodes.most_tasks,
            "owner_active_time": active,
            "owner_slowdown": pl.Series(slowdown).fill_nan(None),
        }
    )
