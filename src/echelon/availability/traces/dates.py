"""Dates of traces as Unix times."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable
    from datetime import tzinfo

_AMERICAN = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4}) (\d{1,2}):(\d{2})", re.ASCII)
_NUMBER = re.compile(r"\d{1,12}(\.\d*)?", re.ASCII)


def american_date(text: str, zone: tzinfo) -> float | None:
    """Return the Unix time of ``6/21/2005 10:54``, in seconds; None if it is no such date."""
    match = _AMERICAN.fullmatch(text)
    if match is None:
        return None
    month, day, year, hour, minute = map(int, match.groups())
    return _unix(lambda: datetime(year, month, day, hour, minute, tzinfo=zone))


def iso_date(text: str, zone: tzinfo) -> float | None:
    """Return the Unix time of a date in ISO 8601, in seconds; None if it is no such date."""
    return _unix(lambda: _on(datetime.fromisoformat(text), zone))


def iso_or_unix(text: str, zone: tzinfo) -> float | None:
    """Return the Unix time of a date in ISO 8601 or of a Unix time itself; None if it is neither."""
    return float(text) if _NUMBER.fullmatch(text) else iso_date(text, zone)


def _on(date: datetime, zone: tzinfo) -> datetime:
    return date if date.tzinfo is not None else date.replace(tzinfo=zone)


def _unix(make: Callable[[], datetime]) -> float | None:
    try:
        return (make() - _EPOCH) / _SECOND
    except (ValueError, OverflowError):
        return None


_EPOCH, _SECOND = datetime(1970, 1, 1, tzinfo=UTC), timedelta(seconds=1)
