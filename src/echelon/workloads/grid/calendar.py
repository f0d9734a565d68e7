"""Calendar: the days of an experiment, and the moments of a log as seconds since its first full week."""

from __future__ import annotations

import math
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.local_time import local_time

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn

DAY = 86_400.0
WEEK = 7 * DAY
_MONDAY = 4 * DAY
"""Monday, 5 January 1970, on a clock's count of seconds."""

NAMES = ("mon", "tue", "wed", "thu", "fri", "sat", "sun")
_FULL = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


class Weekdays(NamedTuple):
    """Consecutive days of the week, from a first midnight on.

    Attributes
    ----------
    first : int
        0 is Monday, 6 Sunday.
    days : int
        How many, 1 to 7; they may run over the end of the week.
    """

    first: int
    days: int

    @property
    def seconds(self) -> float:
        """Length in seconds, on a clock without leaps."""
        return self.days * DAY

    @classmethod
    def parse(cls, text: str) -> Weekdays:
        """Return the days that a text such as ``mon-fri``, ``sat-mon`` or ``wed`` names, in any case.

        Raises
        ------
        InputError
            If a part is not a weekday.
        """
        first, dash, last = text.partition("-")
        start = _place(first, text)
        end = _place(last, text) if dash else start
        return cls(start, (end - start) % 7 + 1)


def _place(day: str, text: str) -> int:
    weekday = day.strip().lower()
    for names in (NAMES, _FULL):
        if weekday in names:
            return names.index(weekday)
    raise InputError(f"must be weekdays such as mon-fri, got {text!r}", field="days")


class Calendar(NamedTuple):
    """A log's submissions, counted in weeks from a first one.

    Attributes
    ----------
    seconds : FloatColumn, shape (n_jobs,)
        Since the midnight at which the first week begins; negative before it.
    full_weeks : int
        Weeks from the first on whose chosen days lie wholly between the log's first and last submission.
    begins : str
        The day of that midnight.
    clock : str
        By which clock, and what was assumed of it, as a clause.
    """

    seconds: FloatColumn
    full_weeks: int
    begins: str
    clock: str


def calendar(
    workload: Workload, weekdays: Weekdays, *, time_zone: str, own_hours: bool, first_week: int = 1
) -> Calendar:
    """Return when the jobs of a log were submitted, in weeks of the grid's clock.

    Parameters
    ----------
    workload : Workload
        A whole log; those of its jobs without a submit time (negative) count for no week.
    weekdays : Weekdays
        The days that a full week must have; weeks begin at the first of them.
    time_zone : str
        Of the grid's clock; daylight saving is that of each moment's own date.
    own_hours : bool
        Take the clock of the log's site instead.
    first_week : int, default 1
        Which full week counts as the first.

    Notes
    -----
    A log that does not say when it began has its second 0 taken for midnight of a Monday. On the days on
    which clocks are set, an hour is missing or comes twice; these are Sundays. Cost: O(n).
    """
    submit, header = workload.submit_time, workload.header
    zone = header.time_zone if own_hours else time_zone
    shown = local_time(submit, unix_start_time=header.unix_start_time, time_zone=zone)
    times = shown.seconds[submit >= 0]
    monday = _MONDAY if shown.dated else 0.0
    origin = monday + weekdays.first * DAY
    earliest = times.min(initial=np.inf) if shown.dated else 0.0
    if not len(times):
        return Calendar(shown.seconds, 0, "no day", shown.clock)
    start = origin + (math.ceil((earliest - origin) / WEEK) + first_week - 1) * WEEK
    full = math.floor((times.max() - start - weekdays.seconds) / WEEK) + 1
    begins = f"{datetime.fromtimestamp(start, UTC):%a %Y-%m-%d}" if shown.dated else f"second {start:.0f}"
    return Calendar(shown.seconds - start, max(0, full), begins, shown.clock)


def check_time_zone(time_zone: str) -> None:
    """Raise `InputError` unless the tz database has a zone of this name."""
    if "unknown" in local_time(np.zeros(1), unix_start_time=1e9, time_zone=time_zone).clock or not time_zone:
        raise InputError(
            f"must be a name of the tz database such as America/Los_Angeles, got {time_zone!r}",
            field="time zone",
        )
