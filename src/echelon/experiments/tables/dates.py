"""Dates of jobs: their submissions, starts and ends on the clock of the log's site."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.local_time import within_calendar

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn

DATES = ("seconds", "iso")
"""Whether the table of jobs has times in seconds of the log alone, or dates, too."""

EVENTS = ("submit", "start", "end")
"""What has a time, ``submit_time``, and then a date, ``submit_date``."""


def check_dates(workload: Workload) -> None:
    """Raise `InputError` if the log does not say when it began, so that its times have no dates."""
    if workload.header.unix_start_time is None:
        raise InputError(
            "does not say when it began (UnixStartTime), so its times have no dates; leave dates out",
            file=workload.file or workload.name,
            field="dates",
        )


def with_dates(jobs: pl.DataFrame, workload: Workload) -> pl.DataFrame:
    """Return the table of jobs with the dates of its times behind its columns.

    Parameters
    ----------
    jobs : polars.DataFrame
        With ``submit_time``, ``start_time`` and ``end_time``, in seconds of the log.
    workload : Workload
        The log; its header says when it began and in which time zone, UTC by default.

    Returns
    -------
    polars.DataFrame
        Also ``submit_date``, ``start_date`` and ``end_date``: text in ISO 8601 with the offset from UTC, such
        as ``2024-02-01T09:00:00+01:00``, a fraction of a second left out.

    Raises
    ------
    InputError
        If the log does not say when it began, or a time is beyond the calendar.
    """
    check_dates(workload)
    header = workload.header
    start = float(header.unix_start_time or 0)
    return jobs.with_columns(
        _dates(jobs[f"{event}_time"].to_numpy(), start, header.time_zone).alias(f"{event}_date")
        for event in EVENTS
    )


def _dates(times: FloatColumn, start: float, time_zone: str | None) -> pl.Series:
    import polars as pl

    if not within_calendar(times, start):
        raise InputError("has a time beyond the calendar; leave dates out", field="dates")
    unix = pl.from_epoch(pl.Series(np.floor(times + start).astype(np.int64)), time_unit="s")
    utc = unix.dt.replace_time_zone("UTC")
    try:
        local = utc.dt.convert_time_zone((time_zone or "UTC").strip())
    except pl.exceptions.PolarsError:  # the log's zone is unknown
        local = utc
    return local.dt.strftime("%Y-%m-%dT%H:%M:%S%:z")
