"""A schedule by what a column of its log says of the jobs: their users, partitions, queues, accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.measured_schedule import Measured
from echelon.model.jobs.columns import code_names, distinct

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
        codes = {**{key: held[before] for key, held in codes.items()}, name: values[own]}
    return Groups(joined, codes)


GROUPED = {"partition": "partitions", "queue": "queues", "account": "accounts"}
"""Columns of a log by which a run has a table beside that of its users, with the names of the tables."""


def per_code(schedule: Schedule | Measured, column: str) -> pl.DataFrame:
    """Return one row for each user, partition, queue or account: its work, and how long its jobs waited.

    Parameters
    ----------
    schedule : Schedule or Measured
        Of at least one job; or what is `Measured` of it already.
    column : str
        A column of codes of the log: ``"user"``, ``"partition"``, ``"queue"`` (the QOS in Slurm's
        accounting), ``"account"``.

    Returns
    -------
    polars.DataFrame
        `column` (text: the name where the log has one, else the code; null for jobs of which it is unknown),
        then the columns of `echelon.metrics.tables.code_table.summarize_groups`.

    Raises
    ------
    InputError
        If the schedule has no job or a job starts before its submission.

    Notes
    -----
    Ties: rows are in descending order of area; equal ones in ascending order of the log's code.

    Cost: O(n log n).
    """
    # A heavy library that only tables need.
    import polars as pl

    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    instance = measured.schedule.instance
    workload = instance.workload

    codes = measured.user if column == "user" else workload.int_column(column)[instance.kept]
    groups = instance.once(f"groups by {column}", lambda: groups_of({column: codes}))
    table = summarize_groups(measured, groups)
    names = code_names(workload, column, table[column].to_list())
    named = table.with_columns(pl.Series(column, names, dtype=pl.String))
    return named.sort("area", descending=True, maintain_order=True)


def per_user(schedule: Schedule | Measured) -> pl.DataFrame:
    """Return one row a user: how much they computed and how long they waited.

    Parameters
    ----------
    schedule : Schedule or Measured
        Of at least one job; or what is `Measured` of it already.

    Returns
    -------
    polars.DataFrame
        ``user`` (text: the name where the log has one, else the code; null for jobs of no known user), then
        the columns of `echelon.metrics.tables.code_table.summarize_groups`.

    Raises
    ------
    InputError
        If the schedule has no job or a job starts before its submission.

    Notes
    -----
    Ties: rows are in descending order of area; equal ones in ascending order of the log's user code.

    Cost: O(n log n).
    """
    return per_code(schedule, "user")
