"""Moments: times of a log as people read them, with dates where the log says when it began."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import tzinfo

    from echelon.model import Workload


def moment(workload: Workload, seconds: float) -> str:
    """Return a time of the log in seconds, with its date if the header says when the log began."""
    import datetime

    text = f"{seconds:,.15g} s"
    start = workload.header.unix_start_time
    if start is None:
        return text
    try:
        at = datetime.datetime.fromtimestamp(start + seconds, tz=_zone(workload.header.time_zone))
    except (ValueError, OverflowError, OSError):
        return text
    return f"{at:%Y-%m-%d %H:%M} {at.tzname()} ({text})"


def _zone(name: str | None) -> tzinfo:
    """Return the time zone `name`, or UTC if this machine does not know it."""
    import datetime
    import zoneinfo

    try:
        return zoneinfo.ZoneInfo((name or "UTC").strip())
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        return datetime.UTC
