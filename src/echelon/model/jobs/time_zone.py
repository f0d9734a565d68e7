"""Time zones by their names in the tz database."""

from __future__ import annotations

import zoneinfo
from datetime import UTC, datetime
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import EchelonError, InputError, UnknownNameError

if TYPE_CHECKING:
    from datetime import tzinfo

EXAMPLE = "Europe/Madrid"

_DAY = 86_400


class ClockOffsets(NamedTuple):
    """How far a clock is ahead of UTC over an interval.

    Attributes
    ----------
    name : str
        The clock's zone.
    start : list of int
        Unix times, in seconds, from which each offset holds; ascending.
    ahead : list of int
        The offsets, in seconds.
    """

    name: str
    start: list[int]
    ahead: list[int]


def zone_named(name: str) -> tzinfo:
    """Return a time zone of the tz database; UTC needs none.

    Parameters
    ----------
    name : str
        Such as ``"Europe/Madrid"``.

    Raises
    ------
    UnknownNameError
        If this machine has no zone of that name, but one whose name is near.
    InputError
        If the name is like none of them.
    """
    if name == "UTC":
        return UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise _unknown(name) from None


def zone_or_utc(name: str | None) -> tzinfo:
    """Return the time zone of a log's header; UTC where it names none, or none that this machine knows."""
    try:
        return zone_named((name or "UTC").strip())
    except EchelonError:
        return UTC


def clock_offsets(first: float, last: float, name: str | None) -> ClockOffsets:
    """Return how far the clock of a zone is ahead of UTC between two Unix times.

    Parameters
    ----------
    first, last : float
        In seconds, within the calendar.
    name : str or None
        A name of the tz database; UTC without one, or if this machine does not know it.

    Notes
    -----
    Offsets that hold for less than a day may be missed. Cost: O(days).
    """
    zone = zone_or_utc(name)
    is_named = zone is not UTC and name is not None
    days = [int(first), *range((int(first) // _DAY + 1) * _DAY, int(last), _DAY), int(last)]
    start, ahead = [days[0]], [_ahead(days[0], zone)]
    for low, high in pairwise(days):
        if (offset := _ahead(high, zone)) != ahead[-1]:
            start.append(_change(low, high, zone))
            ahead.append(offset)
    return ClockOffsets(name.strip() if is_named and name else "UTC", start, ahead)


def _ahead(unix: int, zone: tzinfo) -> int:
    offset = datetime.fromtimestamp(unix, tz=zone).utcoffset()
    return 0 if offset is None else round(offset.total_seconds())


def _change(low: int, high: int, zone: tzinfo) -> int:
    """Return the first second after `low` and up to `high` with the offset of `high`."""
    wanted = _ahead(high, zone)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if _ahead(middle, zone) == wanted else (middle, high)
    return high


def _unknown(name: str) -> EchelonError:
    """Return the error for a name; it lists no zones, as there are hundreds."""
    import difflib

    zones = zoneinfo.available_timezones() or {"UTC"}
    if difflib.get_close_matches(name.lower(), [zone.lower() for zone in zones], n=1):
        return UnknownNameError("time zone", name, zones)
    return InputError(
        f"must be a name of the tz database such as {EXAMPLE}, got {name!r:.60}", field="time zone"
    )
