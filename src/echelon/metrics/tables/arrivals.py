"""Arrivals: in which hours of the day and on which days of the week jobs are submitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.jobs.local_time import local_time

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn

DAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")
"""In the order of ``by_weekday``."""

_DAY, _HOUR = 86_400.0, 3_600.0


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
    With both, hours are local ones, daylight saving included. Without a zone, or with an unknown one, they
    are hours in UTC. Without a start time (none, not above 0, or so large that dates leave the calendar) the
    log's second 0 is taken for midnight, and there are no weekdays: the day is unknown. `Arrivals.clock` says
    which case it is.

    Cost: O(n).

    Source: the daily and weekly cycles that Feitelson, "Workload Modeling for Computer Systems Performance
    Evaluation", Cambridge University Press 2015, shows of each log of the Parallel Workloads Archive.
    """
    seconds, dated, clock = local_time(submit, unix_start_time=unix_start_time, time_zone=time_zone)
    if not dated:
        hour = (np.floor(seconds / _HOUR) % 24).astype(np.int64)
        return Arrivals(np.bincount(hour, minlength=24), None, None, clock)
    # 1970-01-01 was a Thursday, number 3 from Monday.
    weekday = (np.floor(seconds / _DAY) + 3) % 7
    hour_of_week = (24 * weekday + np.floor(seconds % _DAY / _HOUR)).astype(np.int64)
    week = np.bincount(hour_of_week, minlength=7 * 24).reshape(7, 24)
    return Arrivals(week.sum(axis=0), week.sum(axis=1), week, clock)
