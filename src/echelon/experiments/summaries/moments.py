"""Moments: times of a log as people read them, with dates where the log says when it began."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Workload


def moment(workload: Workload, seconds: float) -> str:
    """Return a time of the log in seconds, with its date if the header says when the log began."""
    text = f"{seconds:,.15g} s"
    start = workload.header.unix_start_time
    date = None if start is None else format_date(start + seconds, workload.header.time_zone)
    return text if date is None else f"{date} ({text})"


def format_date_or_seconds(workload: Workload, seconds: float) -> str:
    """Return the date of a time of the log, or where the log does not say when it began, the time itself."""
    start = workload.header.unix_start_time
    date = None if start is None else format_date(start + seconds, workload.header.time_zone)
    return date or f"{seconds:,.15g} s"


def format_date(unix: float, time_zone: str | None) -> str | None:
    """Return the date of a Unix time, ``2024-02-01 09:00 CET``; None if it is beyond the calendar.

    Parameters
    ----------
    unix : float
        In seconds.
    time_zone : str or None
        A name of the tz database; UTC without one, or if this machine does not know it.
    """
    import datetime

    from echelon.model.jobs.time_zone import zone_or_utc

    try:
        at = datetime.datetime.fromtimestamp(unix, tz=zone_or_utc(time_zone))
    except (ValueError, OverflowError, OSError):
        return None
    return f"{at:%Y-%m-%d %H:%M} {at.tzname()}"
