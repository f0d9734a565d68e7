"""A schedule on a grid site by site, with further columns of time-shared machines and of shared clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.job_places import held_core_time
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.tables.code_table import groups_of, summarize_groups
from echelon.model.schedules.attempts import EndReason
from echelon.model.schedules.features import Feature, sites_with, sites_with_power, there
from echelon.model.schedules.holdings import held_nodes

if TYPE_CHECKING:
    from collections.abc import Callable

    import polars as pl

    from echelon.metrics.columns.shared_nodes import SharedNodes
    from echelon.model import Schedule
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


def machine_columns(measured: Measured) -> dict[str, Any]:
    """Return the columns of ``sites.csv`` that only time-shared machines have, shape (n_sites,) each.

    A site of another kind has null in each, but in ``canceled_copies`` where jobs are replicated.

    ``speed``; ``mean_execution``: mean of end - start of the jobs that ended there, in seconds, null if none
    did; ``mean_processes``: mean number of processes while there was one, null if there never was;
    ``max_processes``; ``canceled_copies``: copies of jobs that ended elsewhere.
    """
    # A heavy library that only tables need.
    import polars as pl

    schedule = measured.schedule
    platform, site = schedule.instance.sites, there(schedule.site)
    count = len(platform)
    took = np.bincount(site, weights=schedule.end_time - schedule.start_time, minlength=count)
    with np.errstate(divide="ignore", invalid="ignore"):
        execution = took / np.bincount(site, minlength=count)
    mean, most = measured.processes
    canceled = np.zeros(count, dtype=np.int64)
    if Feature.COPIES in measured.has:
        replicas = there(schedule.replicas)
        canceled += np.bincount(replicas.site[~replicas.finished], minlength=count)
    columns = {
        "speed": pl.Series(measured.speeds),
        "mean_execution": pl.Series(execution).fill_nan(None),
        "mean_processes": pl.Series(mean).fill_nan(None),
        "max_processes": pl.Series(most),
        "canceled_copies": pl.Series(canceled),
    }
    other = pl.Series(~sites_with(platform, Feature.TIME_SHARING))
    own_columns = {name: column.set(other, None) for name, column in columns.items()}
    # Copies may be canceled at any site.
    return own_columns | (
        {"canceled_copies": columns["canceled_copies"]} if Feature.COPIES in measured.has else {}
    )


def core_time(measured: Measured) -> FloatColumn:
    """Return the core-seconds that jobs held at each site with nodes, 0 at the others, shape (n_sites,)."""
    held, site = held_nodes(measured.schedule), there(measured.schedule.site)
    time = held_core_time(held.holdings)
    count = len(measured.schedule.instance.sites)
    return np.bincount(site[held.holdings.job], weights=time, minlength=count).astype(np.float64)


def energy_column(measured: Measured) -> dict[str, Any]:
    """Return the energy of each site, in J; null where there are no nodes, or their power is unknown."""
    import polars as pl

    platform = measured.schedule.instance.sites
    site = np.repeat(np.arange(len(platform)), np.diff(platform.first_node))
    energy = np.bincount(site, weights=there(measured.energy).per_node, minlength=len(platform))
    return {"energy": pl.Series(energy).set(pl.Series(~sites_with_power(platform)), None)}


def _held_at_sites(measured: Measured, sites: int) -> FloatColumn:
    """Return what was held of each site, that was lost, too, in processor-seconds, shape (n_sites,)."""
    attempts = measured.schedule.attempts
    length = np.where(attempts.ended_by(EndReason.CANCELED), 0.0, attempts.end - attempts.start)
    held = length * measured.attempt_share
    return np.bincount(attempts.site, weights=held, minlength=sites).astype(np.float64)


FURTHER: tuple[tuple[Feature, Callable[[Measured], dict[str, Any]]], ...] = (
    (Feature.POWER, energy_column),
    (Feature.TIME_SHARING, machine_columns),
    (Feature.PLACES, cluster_columns),
)
"""Columns that only some sites have, by what a schedule must have for them."""


def per_site(schedule: Schedule) -> pl.DataFrame:
    """Return one row a site: what it ran, how long its jobs waited, and how many came from elsewhere.

    Parameters
    ----------
    schedule : Schedule
        On a grid, of at least one job.

    Returns
    -------
    polars.DataFrame
        ``site`` (name), ``processors``; ``jobs``, ``area`` (run * size, processor-seconds), ``area_share``
        (of all jobs' area); ``utilization``: area / (processors * makespan of the whole schedule), of nodes
        core-seconds held / (cores * that makespan);
        ``mean_wait, median_wait, max_wait, mean_turnaround`` (s), ``mean_bounded_slowdown``; and
        ``jobs_from_elsewhere``: jobs run here that were submitted at another site, where the sites of jobs
        are known. Means of a site that ran no job, and counts of jobs whose homes are unknown, are null. Then
        come the columns that only some sites have (`FURTHER`), null at the others. Of nodes whose power is
        known ``energy`` (J), idle nodes included: all together that of the run. Of time-shared machines
        those of `echelon.metrics.tables.site_table.machine_columns`; a job's area is its part of the
        processors that it shared. Of clusters with shared nodes those of
        `echelon.metrics.tables.site_table.cluster_columns`: a job counts where most of its tasks ran, its
        area where each of them did.

    Raises
    ------
    InputError
        If the schedule is on one machine, has no job, or a job starts before its submission.

    Notes
    -----
    Ties: rows are in the platform's order. Utilizations weighted by processors
    have the grid's as their mean. Cost: O(n log n).
    """
    # A heavy library that only tables need.
    import polars as pl

    measured = Measured(schedule)
    if Feature.SITES not in measured.has:
        raise InputError("a table by site needs a schedule on a grid, got one on a single machine")
    platform, site = schedule.instance.sites, there(schedule.site)
    sites = pl.DataFrame(
        {
            "code": np.arange(len(platform)),
            "site": list(platform.names),
            "processors": platform.sizes,
            "jobs_from_elsewhere": _from_elsewhere(schedule),
        }
    )
    table = sites.join(
        summarize_groups(measured, groups_of({"code": site})), on="code", how="left", maintain_order="left"
    )
    filled = table.with_columns(
        pl.col("jobs").fill_null(0), pl.col("area").fill_null(0.0), pl.col("area_share").fill_null(0.0)
    )
    first = ["site", "processors", "jobs", "area", "area_share"]
    if Feature.PLACES in measured.has:
        nodes = there(measured.shared_nodes)
        area = np.where(nodes.shared, cluster_areas(nodes), filled["area"])
        filled = filled.with_columns(area=area, area_share=area / area.sum())
    held = filled["area"]
    if Feature.ATTEMPTS in measured.has and Feature.PLACES not in measured.has:
        held = pl.Series(_held_at_sites(measured, len(platform)))
    if Feature.CORES in measured.has:
        held = pl.Series(np.where(np.diff(platform.first_node) > 0, core_time(measured), held))
    used = (held / (filled["processors"] * measured.makespan)).alias("utilization")
    inside: dict[str, Any] = {}
    for needs, columns in FURTHER:
        if needs in measured.has:
            inside |= columns(measured)
    return filled.select(
        *first, used, pl.exclude(*first, "code", "jobs_from_elsewhere"), pl.col("jobs_from_elsewhere")
    ).with_columns(**inside)


def _from_elsewhere(schedule: Schedule) -> pl.Series:
    """Return how many jobs each site ran that were submitted at another one; null if no home is known."""
    import polars as pl

    sites, site, home = len(schedule.instance.sites), there(schedule.site), there(schedule.home_site)
    if not (home >= 0).any():
        return pl.Series([None] * sites, dtype=pl.Int64)
    return pl.Series(np.bincount(site[(home >= 0) & (home != site)], minlength=sites))
