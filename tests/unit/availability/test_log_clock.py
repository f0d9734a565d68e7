"""LogClock: dates on the clock of a log, Unix times, seconds and lengths of time."""

from __future__ import annotations

import pytest

from echelon.availability.log_clock import LogClock, Moment, length_of
from echelon.errors import InputError

# 2026-03-28 00:00 in Madrid, the day before summer time begins.
MADRID = LogClock(1774652400.0, "Europe/Madrid")


def test_seconds_of_the_log_stay():
    """A number is a time of the log, whether or not the log is dated."""
    assert LogClock().moment(" 86400 ") == Moment(86400.0)
    assert MADRID.moment("-1.5") == Moment(-1.5)


def test_a_date_is_on_the_clock_of_the_log():
    """A date without an offset is local time, one with an offset is not."""
    assert MADRID.moment("2026-03-28T08:00").seconds == 8 * 3600
    assert MADRID.moment("2026-03-28T08:00+00:00").seconds == 9 * 3600
    assert LogClock(1774652400.0).moment("2026-03-27T23:00").seconds == 0


def test_a_day_of_the_calendar_may_have_23_hours():
    """The same hour a day later is 23 hours away when summer time begins; of seconds it is 24."""
    eight = MADRID.moment("2026-03-28T08:00")
    assert MADRID.add_days(eight, 1).seconds - eight.seconds == 23 * 3600
    assert MADRID.add_days(Moment(100.0), 1) == Moment(100.0 + 86400)


def test_a_date_needs_a_dated_log():
    """Without the start of the log in its header a date cannot be placed, and the message says so."""
    with pytest.raises(InputError, match="UnixStartTime"):
        LogClock().moment("2026-03-28T08:00")


def test_an_unknown_zone_is_not_taken_for_another():
    """A zone that is not known is refused, but an offset helps."""
    clock = LogClock(0.0, "Middle/Earth")
    with pytest.raises(InputError, match=r"Middle/Earth.*offset"):
        clock.moment("1970-01-02")
    assert clock.moment("1970-01-02T00:00+00:00").seconds == 86400


def test_seconds_of_the_log_have_units():
    """A moment is so many seconds, hours or days after the log's second 0, or before it."""
    said = ("90", "1.5h", "2 d", "-30min", "1w")
    assert [LogClock().moment(text).seconds for text in said] == [90, 5400, 172800, -1800, 604800]


@pytest.mark.parametrize("text", ["", "soon", "2026-13-01", "1e400", "2026-03-28T25:00", "nan"])
def test_what_is_no_time_is_refused(text):
    """Neither a number nor a date: the message shows what was got and what is expected."""
    with pytest.raises(InputError, match="expected seconds of the log"):
        MADRID.moment(text)


def test_lengths_have_units():
    """Seconds alone, or with a unit."""
    assert [length_of(text) for text in ("90", "1.5h", "2 d", "30min", "1w", 5)] == [
        *(90, 5400, 172800, 1800, 604800, 5)
    ]


@pytest.mark.parametrize("text", ["0", "-3", "h", "8 hours", "", "1e300", "inf", True])
def test_what_is_no_length_is_refused(text):
    """Lengths are above 0 and finite."""
    with pytest.raises(InputError, match="expected a length of time > 0"):
        length_of(text)
