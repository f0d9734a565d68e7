"""Calendar: the moments of a log as seconds of the grid's weeks."""

from __future__ import annotations

import pytest

from echelon.errors import InputError
from echelon.model import Header, Workload
from echelon.workloads.grid.calendar import DAY, WEEK, Weekdays, calendar, check_time_zone

PACIFIC = "America/Los_Angeles"
MON_FRI = Weekdays(0, 5)
SUNDAY_NOON = 843_991_200  # 29 September 1996, 10:00 UTC
HEADER = Header((("UnixStartTime", str(SUNDAY_NOON)), ("TimeZoneString", "Europe/Stockholm")))


def log(submit: list[float], header: Header = HEADER) -> Workload:
    return Workload.from_columns(submit_time=submit, header=header)


@pytest.mark.parametrize(("own", "hour"), [(True, 0.0), (False, 15.0)])
def test_hours_are_converted_or_kept(own: bool, hour: float) -> None:
    """Midnight of a Monday in Stockholm is second 0 by its own clock, and 15:00 the day before in LA."""
    moment = 12 * 3600.0
    times = calendar(log([0, moment, 20 * DAY]), MON_FRI, time_zone=PACIFIC, own_hours=own)
    assert times.seconds[1] == (0.0 if own else hour * 3600 - DAY)
    assert times.begins == "Mon 1996-09-30"
    assert ("Stockholm" if own else PACIFIC) in times.clock


def test_daylight_saving_is_that_of_the_date() -> None:
    """Nine in the morning in Los Angeles is nine o'clock before and after the clocks are set back."""
    nine = 30 * 3600.0  # Monday, 30 September, 16:00 UTC
    moments = [nine + k * WEEK + (3600 if k >= 4 else 0) for k in range(6)]  # set back on 27 October
    times = calendar(log([0, *moments]), MON_FRI, time_zone=PACIFIC, own_hours=False)
    assert times.seconds[1:].tolist() == [9 * 3600 + k * WEEK for k in range(6)]


def test_a_full_week_lies_between_first_and_last_submission() -> None:
    """The week of the first submission is not full unless it begins with it; the last must end in the log."""
    monday = 12 * 3600.0
    own = {"time_zone": PACIFIC, "own_hours": True}
    assert calendar(log([monday, monday + 5 * DAY]), MON_FRI, **own).full_weeks == 1
    assert calendar(log([monday, monday + 5 * DAY - 1]), MON_FRI, **own).full_weeks == 0
    late = calendar(log([monday + 1, monday + 12 * DAY]), MON_FRI, **own)
    assert (late.full_weeks, late.begins) == (1, "Mon 1996-10-07")
    assert calendar(log([monday, monday + 3 * WEEK]), Weekdays(5, 3), **own).begins == "Sat 1996-10-05"


def test_a_log_without_dates_begins_on_a_monday() -> None:
    """Second 0 is a Monday's midnight where the header does not say when the log began."""
    times = calendar(log([100, 8 * DAY], Header()), MON_FRI, time_zone=PACIFIC, own_hours=False)
    assert times.seconds.tolist() == [100, 8 * DAY]
    assert times.full_weeks == 1
    assert "does not give its start" in times.clock
    wednesdays = calendar(log([100, 8 * DAY], Header()), Weekdays(2, 1), time_zone=PACIFIC, own_hours=True)
    assert wednesdays.seconds.tolist() == [100 - 2 * DAY, 6 * DAY]


def test_jobs_without_submit_time_count_for_nothing() -> None:
    """A submit time of -1 neither begins the log nor is a full week."""
    times = calendar(log([-1, 12 * 3600.0, 12 * 3600.0 + 6 * DAY]), MON_FRI, time_zone="", own_hours=True)
    assert times.full_weeks == 1
    assert calendar(log([-1, -1]), MON_FRI, time_zone=PACIFIC, own_hours=True).full_weeks == 0


def test_unknown_time_zones_are_refused() -> None:
    """A grid's clock must be one of the tz database."""
    check_time_zone(PACIFIC)
    for zone in ("Mars/Olympus", ""):
        with pytest.raises(InputError, match="tz database"):
            check_time_zone(zone)


@pytest.mark.parametrize(
    ("text", "first", "days"),
    [("mon-fri", 0, 5), ("Mon-Thu", 0, 4), ("sat-mon", 5, 3), ("wednesday", 2, 1), ("mon-sun", 0, 7)],
)
def test_a_text_names_consecutive_days(text: str, first: int, days: int) -> None:
    """A range counts both its ends, and may run over the end of the week."""
    assert Weekdays.parse(text) == (first, days)
    assert Weekdays.parse(text).seconds == days * 86_400


@pytest.mark.parametrize("text", ["", "mon-", "weekday", "mon-tue-wed", "1-5"])
def test_other_texts_are_refused(text: str) -> None:
    """What names no weekday is an error that shows the text."""
    with pytest.raises(InputError, match="must be weekdays such as mon-fri"):
        Weekdays.parse(text)
