"""Time zones by their names in the tz database."""

from __future__ import annotations

import zoneinfo
from datetime import UTC
from typing import TYPE_CHECKING

from echelon.errors import EchelonError, InputError, UnknownNameError

if TYPE_CHECKING:
    from datetime import tzinfo

EXAMPLE = "Europe/Madrid"


def zone_named(name: str) -> tzinfo:
    """Return a time zone of the tz database; UTC needs none.

    Parameters
    ----------
    name : str
        Such as ``"Europe/Madrid"``; empty: UTC.

    Raises
    ------
    UnknownNameError
        If this machine has no zone of that name, but one whose name is near.
    InputError
        If the name is like none of them.
    """
    if name in ("", "UTC"):
        return UTC
    try:
        return zoneinfo.ZoneInfo(name)
    except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
        raise _unknown(name) from None


def zone_or_utc(name: str | None) -> tzinfo:
    """Return the time zone of a log's header; UTC where it names none, or none that this machine knows."""
    try:
        return zone_named((name or "").strip())
    except EchelonError:
        return UTC


def _unknown(name: str) -> EchelonError:
    """Return the error for a name; it lists no zones, as there are hundreds."""
    import difflib

    known = zoneinfo.available_timezones() or {"UTC"}
    if difflib.get_close_matches(name.lower(), [zone.lower() for zone in known], n=1):
        return UnknownNameError("time zone", name, known)
    return InputError(
        f"must be a name of the tz database such as {EXAMPLE}, got {name!r:.60}", field="time zone"
    )
