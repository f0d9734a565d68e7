"""A schedule user by user."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics.tables.per_code import per_code

if TYPE_CHECKING:
    import polars as pl

    from echelon.metrics.columns.measured_schedule import Measured
    from echelon.model import Schedule


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
