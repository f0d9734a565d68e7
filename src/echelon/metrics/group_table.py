"""The table of a schedule's jobs from which tables by user and by class are made."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics.measured import Measured

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Schedule
    from echelon.model.columns import IntColumn


def summarize_groups(schedule: Schedule, groups: dict[str, IntColumn]) -> pl.DataFrame:
    """Return one row for each combination of group codes that occurs, in ascending order of the codes.

    Parameters
    ----------
    schedule : Schedule
        Of at least one job.
    groups : dict of str to IntColumn, shape (n_jobs,)
        Code of each job, by the column's name.

    Returns
    -------
    polars.DataFrame
        The group columns, then ``jobs``; ``area`` (run * size, processor-seconds, of
        shared cores their part); ``area_share`` (of all
        jobs' area); ``mean_wait, median_wait, max_wait, mean_turnaround`` (s); ``mean_bounded_slowdown``.

    Raises
    ------
    InputError
        If the schedule has no job or a job starts before its submission.

    Notes
    -----
    Cost: O(n log n).
    """
    # A heavy library that only tables need.
    import polars as pl

    measured = Measured(schedule)
    jobs = pl.DataFrame(
        {
            **groups,
            "area": measured.area,
            "wait": measured.wait,
            "turnaround": measured.turnaround,
            "bounded_slowdown": measured.bounded_slowdown,
        }
    )
    summary = jobs.group_by(list(groups)).agg(
        pl.len().cast(pl.Int64).alias("jobs"),
        pl.col("area").sum(),
        pl.col("wait").mean().alias("mean_wait"),
        pl.col("wait").median().alias("median_wait"),
        pl.col("wait").max().alias("max_wait"),
        pl.col("turnaround").mean().alias("mean_turnaround"),
        pl.col("bounded_slowdown").mean().alias("mean_bounded_slowdown"),
    )
    share = (pl.col("area") / pl.col("area").sum()).alias("area_share")
    first = [*groups, "jobs", "area"]
    return summary.sort(list(groups)).select(*first, share, pl.exclude(first))
