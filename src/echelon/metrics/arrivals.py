"""Arrivals: in which hours of the day and on which days of the week jobs are submitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from echelon.model.columns import FloatColumn, IntColumn

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In the order of ``by_weekday``."""

_DAY, _HOUR = 86_400.0, 3_600.0
_CALENDAR_ENDS = 253_402_300_800
"""Unix time of the year 10000, where calendars give up."""


class Arrivals(NamedTuple):
    """How many jobs are submitted in each hour of the day and on each day of the week.

    Attributes
    ----------
    by_hour : IntColumn, shape (24,)
        Jobs submitted from each hour on until the next.
    by_weekday : IntColumn, shape (7,), or None
        From Monday on; None where the log's dates are unknown.
    by_hour_of_week : IntColumn, shape (7, 24), or None
        Both at once.
    clock : str
        By which clock, and what was assumed of it, as a clause.
    """

    by_hour: IntColumn
    by_weekday: IntColumn | None
    by_hour_of_week: IntColumn | None
    clock: str


def arrivals(
    submit: FloatColumn, *, unix_start_time: float | None = None, time_zone: str | None = None
) -> Arrivals:
    """Count submissions by hour of day and by weekday, on the clock of the people who submitted.

    Parameters
    ----------
    submit : FloatColumn, shape (n_jobs,)
        Submit times in seconds of the log.
    unix_start_time : float, optional
        Unix time of the log's second 0 (``UnixStartTime`` of its header), in seconds, > 0.
    time_zone : str, optional
        Name in the tz database (``TimeZoneString`` of its header), such as ``"Europe/Stockholm"``.

    Returns
    -------
    Arrivals
        Each job counts once.

    Notes
    -----
    With both, hours are local ones, daylight saving included. Without a zone, or with one that nobody knows,
    they are hours in UTC. Without a start time (none, not above 0, or so large that dates leave the
    calendar) the log's second 0 is taken for midnight, and there are no weekdays: nothing says which day it
    was. `Arrivals.clock` tells which case it is.

    Cost: O(n).

    Source: the daily and weekly cycles that Feitelson, "Workload Modeling for Computer Systems Performance
    Evaluation", Cambridge University Press 2015, shows of each log of the Parallel Workloads Archive.
    """
    dated = unix_start_time is not None and _within_calendar(submit, unix_start_time)
    if not dated or unix_start_time is None:
        hour = (np.floor(submit / _HOUR) % 24).astype(np.int64)
        clock = "hours since the log's second 0, taken for midnight; the log does not say when it began"
        return Arrivals(np.bincount(hour, minlength=24), None, None, clock)
    seconds, clock = _local(np.floor(submit + unix_start_time), (time_zone or "").strip())
    # 1970-01-01 was a Thursday, number 3 from Monday.
    weekday = (np.floor(seconds / _DAY) + 3) % 7
    hour_of_week = (24 * weekday + np.floor(seconds % _DAY / _HOUR)).astype(np.int64)
    week = np.bincount(hour_of_week, minlength=7 * 24).reshape(7, 24)
    return Arrivals(week.sum(axis=0), week.sum(axis=1), week, clock)


def _within_calendar(submit: FloatColumn, unix_start_time: float) -> bool:
    first = unix_start_time + submit.min(initial=0.0)
    return unix_start_time > 0 and first >= 0 and unix_start_time + submit.max(initial=0.0) < _CALENDAR_ENDS


def _local(unix: FloatColumn, time_zone: str) -> tuple[FloatColumn, str]:
    """Return what a wall clock in the zone shows, in seconds since its 1970, and the clock in words."""
    if not time_zone:
        return unix, "UTC; the log does not name its time zone"
    # A heavy library that only this needs: unlike zoneinfo, it has the zones with it on every system.
    import polars as pl

    moments = pl.from_epoch(pl.Series(unix.astype(np.int64)), time_unit="s").dt.replace_time_zone("UTC")
    try:
        wall = moments.dt.convert_time_zone(time_zone).dt.replace_time_zone(None)
    except pl.exceptions.PolarsError:
        return unix, f"UTC; the log's time zone {time_zone!r} is unknown"
    return wall.dt.epoch("s").to_numpy().astype(np.float64), f"local time, {time_zone}"
