"""A schedule by what a column of its log says of the jobs: their users, partitions, queues, accounts."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.tables.group_table import groups_of, summarize_groups
from echelon.model.jobs.columns import code_names

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Schedule


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
        then the columns of `echelon.metrics.tables.group_table.summarize_groups`.

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
        the columns of `echelon.metrics.tables.group_table.summarize_groups`.

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
