"""The table of a schedule's jobs from which tables by user and by class are made."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.measured_schedule import Measured
from echelon.model.jobs.columns import distinct

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Schedule
    from echelon.model.jobs.columns import IntColumn


class Groups(NamedTuple):
    """Combinations of codes that occur among the jobs.

    Attributes
    ----------
    number : IntColumn, shape (n_jobs,)
        Of each job's combination, from 0 on in ascending order of the codes.
    codes : dict of str to IntColumn, shape (n_groups,)
        The codes of each combination, by the columns' names.
    """

    number: IntColumn
    codes: dict[str, IntColumn]


def summarize_groups(schedule: Schedule | Measured, groups: Groups) -> pl.DataFrame:
    """Return one row for each combination of group codes that occurs, in ascending order of the codes.

    Parameters
    ----------
    schedule : Schedule or Measured
        Of at least one job; or what is `Measured` of it already.
    groups : Groups
        Of its jobs; see `groups_of`.

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

    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    # Rows are distinguished by one number much faster than by several.
    jobs = pl.DataFrame(
        {
            _CODE: groups.number,
            "area": measured.area,
            "wait": measured.wait,
            "turnaround": measured.turnaround,
            "bounded_slowdown": measured.bounded_slowdown,
        }
    )
    summary = jobs.group_by(_CODE).agg(
        pl.len().cast(pl.Int64).alias("jobs"),
        pl.col("area").sum(),
        pl.col("wait").mean().alias("mean_wait"),
        pl.col("wait").median().alias("median_wait"),
        pl.col("wait").max().alias("max_wait"),
        pl.col("turnaround").mean().alias("mean_turnaround"),
        pl.col("bounded_slowdown").mean().alias("mean_bounded_slowdown"),
    )
    share = (pl.col("area") / pl.col("area").sum()).alias("area_share")
    first = [*groups.codes, "jobs", "area"]
    named = summary.sort(_CODE).with_columns(pl.Series(name, column) for name, column in groups.codes.items())
    return named.select(*first, share, pl.exclude(*first, _CODE))


_CODE = "group code"


def groups_of(columns: dict[str, IntColumn]) -> Groups:
    """Return the combinations of codes that occur, from the codes of each job by the columns' names.

    Cost: O(n) for codes that lie close together, else O(n log n).
    """
    (first, column), *others = columns.items()
    values, joined = distinct(column)
    codes = {first: values}
    for name, column in others:
        values, place = distinct(column)
        combinations, joined = distinct(joined * len(values) + place)
        before, own = np.divmod(combinations, max(1, len(values)))
        codes = {**{known: held[before] for known, held in codes.items()}, name: values[own]}
    return Groups(joined, codes)
