"""A schedule node by node, of whatever kinds the nodes are."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.job_places import held_core_time
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.schedule.schedule_values import makespan
from echelon.model.schedules.features import Feature, there
from echelon.model.schedules.holdings import held_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from echelon.model import Hardware, Schedule, Sleeps
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def per_node(schedule: Schedule | Measured) -> pl.DataFrame:
    """Return one row a node: what it is made of, how busy it was, and how often it was off.

    Parameters
    ----------
    schedule : Schedule or Measured
        On hardware, of at least one job.

    Returns
    -------
    polars.DataFrame
        Of several sites first ``site`` (name). ``node`` (number), ``type`` (name, null without one),
        ``cores``, ``first_core`` (number), ``processor_cores`` (cores of each of its processors, as
        ``"8 8"``); ``jobs`` (with tasks in it), ``busy_core_time``: core-seconds held, also while blocked or
        waking up; ``utilization``: busy_core_time / (cores * makespan of the whole schedule); ``energy``
        (J), where the machine's power is known, null in nodes of sites where it is not; ``times_off`` and
        ``off_time`` (s): how often and how long
        it was switched off, until the end of the schedule at most.

    Raises
    ------
    InputError
        If the schedule is not on hardware.

    Notes
    -----
    Utilizations weighted by cores have the machine's share of core-seconds held as their mean.
    Cost: O(k log k) for k holdings, and O(nodes).
    """
    # A heavy library that only tables need.
    import polars as pl

    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    schedule = measured.schedule
    held = held_nodes(
        schedule, "a table by node needs a schedule on nodes, got one on a machine without nodes"
    )
    hardware, holdings, node = held.hardware, held.holdings, held.node
    nodes = len(hardware.nodes)
    busy = np.bincount(node, weights=held_core_time(holdings), minlength=nodes)
    span = makespan(schedule.instance.submit_time, schedule.end_time)
    pairs = np.unique(np.stack((node, holdings.job)), axis=1)
    times_off, off_time = _off(schedule.sleeps, nodes, float(schedule.end_time.max()))
    energy_column = {"energy": _energy(measured)} if Feature.POWER in measured.has else {}
    sites = {}
    if Feature.SITES in measured.has:
        platform = schedule.instance.sites
        sites["site"] = np.repeat(platform.names, np.diff(platform.first_node)).tolist()
    return pl.DataFrame(
        {
            **sites,
            "node": np.arange(nodes),
            "type": pl.Series([one.name or None for one in hardware.nodes], dtype=pl.String),
            "cores": hardware.node_cores,
            "first_core": hardware.first_core[:-1],
            "processor_cores": _processor_cores(hardware),
            "jobs": np.bincount(pairs[0], minlength=nodes),
            "busy_core_time": busy,
            "utilization": busy / (hardware.node_cores * span),
            **energy_column,
            "times_off": times_off,
            "off_time": off_time,
        }
    )


def _energy(measured: Measured) -> pl.Series:
    """Return the energy of each node, in J; null where its power is unknown."""
    import polars as pl

    return pl.Series(there(measured.energy).per_node).set(pl.Series(~measured.powered_nodes), None)


def _processor_cores(hardware: Hardware) -> list[str]:
    # Equal nodes are mostly one object, which is described once.
    cores_by_node = {id(n): " ".join(str(len(p.cores)) for p in n.processors) for n in hardware.nodes}
    return [cores_by_node[id(node)] for node in hardware.nodes]


def _off(sleeps: Sleeps | None, nodes: int, end: float) -> tuple[IntColumn, FloatColumn]:
    if sleeps is None:
        return np.zeros(nodes, dtype=np.int64), np.zeros(nodes)
    length = np.maximum(np.minimum(sleeps.wake, end) - sleeps.start, 0.0)
    counts = np.bincount(sleeps.node, minlength=nodes)
    return counts, np.bincount(sleeps.node, weights=length, minlength=nodes).astype(np.float64)


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


NODE_TABLES: tuple[tuple[Feature, Callable[[Measured], pl.DataFrame]], ...] = (
    (Feature.CORES, per_node),
    (Feature.PLACES, per_shared_node),
)
"""Tables of nodes of a kind, by what a schedule must have for them."""


def node_table(schedule: Schedule | Measured) -> pl.DataFrame | None:
    """Return one row a node: the columns of `NODE_TABLES` that apply, null where a node of a kind has none.

    Parameters
    ----------
    schedule : Schedule or Measured
        Of at least one job.

    Returns
    -------
    polars.DataFrame or None
        Nodes that are modeled individually, then those that have owners; None if no nodes are known.
    """
    # A heavy library that only tables need.
    import polars as pl

    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    tables = [table(measured) for needs, table in NODE_TABLES if needs in measured.has]
    return pl.concat(tables, how="diagonal") if tables else None
