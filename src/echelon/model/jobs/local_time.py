"""Local time: the wall-clock time at a log's site."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn

_CALENDAR_ENDS = 253_402_300_800
"""Unix time of the year 10000, where calendars give up."""


class LocalTime(NamedTuple):
    """Times of a log on the clock of its site.

    Attributes
    ----------
    seconds : FloatColumn, shape (n,)
        Since the clock's 1970, in whole seconds; where the log is not dated, since its own second 0.
    dated : bool
        Whether the log says when it began.
    clock : str
        The clock, and the assumptions on it, as a clause.
    """

    seconds: FloatColumn
    dated: bool
    clock: str


def local_time(
    time: FloatColumn, *, unix_start_time: float | None = None, time_zone: str | None = None
) -> LocalTime:
    """Return times of a log by the clock of its site.

    Parameters
    ----------
    time : FloatColumn, shape (n,)
        In seconds of the log.
    unix_start_time : float, optional
        Unix time of the log's second 0 (``UnixStartTime`` of its header), in seconds, > 0.
    time_zone : str, optional
        Name in the tz database (``TimeZoneString`` of its header), such as ``"Europe/Stockholm"``.

    Notes
    -----
    With both, daylight saving is included. Without a zone, or with an unknown one, it is UTC. Without
    a start time (none, not above 0, or so large that dates leave the calendar) the log's second 0 is taken
    for midnight.

    Cost: O(n).
    """
    if unix_start_time is None or not within_calendar(time, unix_start_time):
        clock = "hours since the log's second 0, assumed to be midnight; the log does not give its start"
        return LocalTime(time, dated=False, clock=clock)
    return _on_the_wall(np.floor(time + unix_start_time), (time_zone or "").strip())


def within_calendar(time: FloatColumn, unix_start_time: float) -> bool:
    """Return whether a log begins after 1970 and its times, in seconds, are dates before the year 10000."""
    first = unix_start_time + time.min(initial=0.0)
    return unix_start_time > 0 and first >= 0 and unix_start_time + time.max(initial=0.0) < _CALENDAR_ENDS


def _on_the_wall(unix: FloatColumn, time_zone: str) -> LocalTime:
    if not time_zone:
        return LocalTime(unix, dated=True, clock="UTC; the log does not give its time zone")
    # A heavy library that only this needs: unlike zoneinfo, it contains the zones on every system.
    import polars as pl

    moments = pl.from_epoch(pl.Series(unix.astype(np.int64)), time_unit="s").dt.replace_time_zone("UTC")
    try:
        wall = moments.dt.convert_time_zone(time_zone).dt.replace_time_zone(None)
    except pl.exceptions.PolarsError:
        return LocalTime(unix, dated=True, clock=f"UTC; the log's time zone {time_zone!r} is unknown")
    seconds = wall.dt.epoch("s").to_numpy().astype(np.float64)
    return LocalTime(seconds, dated=True, clock=f"local time, {time_zone}")
