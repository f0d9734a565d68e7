"""A schedule user by user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.tables.group_table import groups_of, summarize_groups

if TYPE_CHECKING:
    from collections.abc import Sequence

    import polars as pl

    from echelon.model import Schedule, Workload


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
    # A heavy library that only tables need.
    import polars as pl

    measured = schedule if isinstance(schedule, Measured) else Measured(schedule)
    instance = measured.schedule.instance
    workload = instance.workload
    groups = instance.once("groups by user", lambda: groups_of({"user": measured.user}))
    table = summarize_groups(measured, groups)
    names = code_names(workload, "user", table["user"].to_list())
    named = table.with_columns(pl.Series("user", names, dtype=pl.String))
    return named.sort("area", descending=True, maintain_order=True)


def code_names(workload: Workload, column: str, codes: Sequence[int]) -> list[str | None]:
    """Return the names behind codes of a column such as ``"user"``.

    A code is its own text where the log names none, and None where the column is unknown.
    """
    names = workload.names.get(column, ())
    known = len(names)
    return [names[code - 1] if 1 <= code <= known else None if code < 0 else str(code) for code in codes]
