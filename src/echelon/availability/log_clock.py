"""LogClock: dates, Unix times and seconds of a log as seconds of that log."""

from __future__ import annotations

import math
import re
import zoneinfo
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import EchelonError, InputError
from echelon.model.jobs.fields import LARGEST
from echelon.rules.parameter import SECONDS_OF

if TYPE_CHECKING:
    from collections.abc import Iterator
    from datetime import tzinfo

_SECONDS = re.compile(r"([+-]?\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\s*(s|min|h|d|w|y)?", re.ASCII)
_LENGTH = re.compile(r"(\d+(?:\.\d*)?(?:[eE][+-]?\d+)?)\s*(s|min|h|d|w|y)?", re.ASCII)

A_TIME = "seconds of the log (or with a unit, 3d) or a date such as 2026-12-01T08:00"
A_LENGTH = "a length of time > 0 such as 8h, 30min, 2d or seconds"


class Moment(NamedTuple):
    """A moment: in seconds of the log, and its date on the clock of the log's site if a date said it."""

    seconds: float
    date: datetime | None = None


@dataclass(frozen=True, slots=True)
class LogClock:
    """When a log began, and in which time zone, by its header.

    Parameters
    ----------
    unix_start_time : float, optional
        Unix time of the log's second 0. Without it dates have no meaning.
    time_zone : str, optional
        Name in the tz database of the zone of dates without an offset; default: UTC.
    """

    unix_start_time: float | None = None
    time_zone: str | None = None

    def moment(self, text: str) -> Moment:
        """Return the moment that a text says: seconds of the log, perhaps with a unit, or a date in ISO 8601.

        Raises
        ------
        InputError
            If it says neither, or a date and the log has no start time or an unknown time zone.
        """
        stripped = text.strip()
        if (seconds := log_seconds(stripped)) is not None:
            return Moment(seconds)
        try:
            date = datetime.fromisoformat(stripped)
        except ValueError:
            raise InputError(f"got {text!r:.60}, expected {A_TIME}") from None
        return self.of_date(date, stripped)

    def of_date(self, date: datetime, text: str = "") -> Moment:
        """Return the moment of a date; without an offset it is on the clock of the log's zone."""
        aware = date if date.tzinfo is not None else date.replace(tzinfo=self._zone(text))
        return Moment(self.of_unix(aware.timestamp(), text or str(date)).seconds, aware)

    def of_unix(self, unix: float, text: str = "") -> Moment:
        """Return the moment of a Unix time, in seconds.

        Raises
        ------
        InputError
            If the log does not say when it began.
        """
        if self.unix_start_time is None:
            raise InputError(
                f"got {text or unix!r:.60}, but the log's header does not say when it began (UnixStartTime); "
                "give seconds of the log"
            )
        return Moment(unix - self.unix_start_time)

    def add_days(self, moment: Moment, days: int) -> Moment:
        """Return the same hour so many days later: on the clock, if a date said it, else 86,400 s each."""
        if moment.date is None:
            return Moment(moment.seconds + 86400.0 * days)
        try:
            return self.of_date(moment.date + timedelta(days=days))
        except OverflowError:
            return Moment(math.inf)

    def _zone(self, text: str) -> tzinfo:
        name = (self.time_zone or "").strip()
        if name in ("", "UTC"):
            return UTC
        try:
            return zoneinfo.ZoneInfo(name)
        except (zoneinfo.ZoneInfoNotFoundError, ValueError, OSError):
            raise InputError(
                f"got {text!r:.60}, but the log's time zone {name!r:.40} is unknown; give an offset such as "
                "2026-12-01T08:00+01:00, or seconds of the log"
            ) from None


@contextmanager
def naming_cell(place: str, key: str) -> Iterator[None]:
    """Let errors say in which row and column they are."""
    try:
        yield
    except EchelonError as error:
        raise InputError(f"{place}, {key}: {getattr(error, 'problem', error)}") from error


def log_seconds(text: str) -> float | None:
    """Return a number, perhaps with a unit of `SECONDS_OF`, in seconds; None if it is none or too large."""
    match = _SECONDS.fullmatch(text.strip())
    seconds = float(match[1]) * SECONDS_OF[match[2] or "s"] if match else math.inf
    return seconds if abs(seconds) <= LARGEST else None


def length_of(text: str | float) -> float:
    """Return the seconds of a length of time: a number of seconds, or with a unit of `SECONDS_OF`.

    Raises
    ------
    InputError
        If it is none, or not a finite number > 0.
    """
    match = _LENGTH.fullmatch(str(text).strip()) if not isinstance(text, bool) else None
    seconds = float(match[1]) * SECONDS_OF[match[2] or "s"] if match else math.nan
    if not 0 < seconds <= LARGEST:
        raise InputError(f"got {text!r:.60}, expected {A_LENGTH}")
    return seconds
