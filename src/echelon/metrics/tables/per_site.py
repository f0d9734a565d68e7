"""A schedule on a grid site by site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.shared_nodes import SharedNodes
from echelon.metrics.schedule.per_schedule import makespan
from echelon.metrics.tables.group_table import groups_of, summarize_groups
from echelon.metrics.tables.per_cluster import cluster_areas, cluster_columns
from echelon.metrics.tables.per_machine import machine_columns

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Schedule


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
        (of all jobs' area); ``utilization``: area / (processors * makespan of the whole schedule);
        ``mean_wait, median_wait, max_wait, mean_turnaround`` (s), ``mean_bounded_slowdown``; and
        ``jobs_from_elsewhere``: jobs run here that were submitted at another site, where the sites of jobs
        are known. Means of a site that ran no job, and counts of jobs whose homes are unknown, are null. On a
        multicluster then the columns of `echelon.metrics.tables.per_cluster.cluster_columns`: a job counts
        where most of its tasks ran, its area where each of them did. On time-shared machines then those of
        `echelon.metrics.tables.per_machine.machine_columns`; a job's area is its part of the processors that
        it shared.

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

    platform, site = schedule.instance.platform, schedule.site
    if platform is None or site is None:
        raise InputError("a table by site needs a schedule on a grid, got one on a single machine")
    sites = pl.DataFrame(
        {
            "code": np.arange(len(platform)),
            "site": list(platform.names),
            "processors": platform.sizes,
            "jobs_from_elsewhere": _from_elsewhere(schedule),
        }
    )
    table = sites.join(
        summarize_groups(schedule, groups_of({"code": site})), on="code", how="left", maintain_order="left"
    )
    span = makespan(schedule.instance.submit_time, schedule.end_time)
    filled = table.with_columns(
        pl.col("jobs").fill_null(0), pl.col("area").fill_null(0.0), pl.col("area_share").fill_null(0.0)
    )
    used = (pl.col("area") / (pl.col("processors") * span)).alias("utilization")
    first = ["site", "processors", "jobs", "area", "area_share"]
    inside = {}
    if platform.is_immediate:
        inside = machine_columns(schedule)
    if schedule.places is not None:
        nodes = SharedNodes(schedule)
        area = cluster_areas(nodes)
        filled = filled.with_columns(area=area, area_share=area / area.sum())
        inside = cluster_columns(nodes, makespan=span)
    return filled.select(
        *first, used, pl.exclude(*first, "code", "jobs_from_elsewhere"), pl.col("jobs_from_elsewhere")
    ).with_columns(**inside)


def _from_elsewhere(schedule: Schedule) -> pl.Series:
    """Return how many jobs each site ran that were submitted at another one; null if no home is known."""
    import polars as pl

    platform, site, home = schedule.instance.platform, schedule.site, schedule.home_site
    if platform is None or site is None or home is None or not (home >= 0).any():
        return pl.Series([None] * (0 if platform is None else len(platform)), dtype=pl.Int64)
    return pl.Series(np.bincount(site[(home >= 0) & (home != site)], minlength=len(platform)))
