"""Arrivals by hour and weekday, with and without the log's calendar."""

from __future__ import annotations

import datetime
import zoneinfo

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from echelon.metrics.tables.arrivals import DAYS, arrivals

# Wednesday, 2020-03-25 00:00:00 UTC, four days before Europe turned its clocks on.
WEDNESDAY = 1_585_094_400


def test_without_a_calendar_second_0_is_midnight():
    """Hours go by the log's own clock, negative times too; there are no weekdays."""
    found = arrivals(np.array([0.0, 3599.5, 3600.0, 86400.0, -1.0]))
    assert {hour: n for hour, n in enumerate(found.by_hour.tolist()) if n} == {0: 3, 1: 1, 23: 1}
    assert found.by_weekday is None
    assert found.by_hour_of_week is None
    assert "second 0" in found.clock


def test_without_a_zone_hours_are_utc():
    """The weekday is that of the date, and the clock says what was assumed."""
    found = arrivals(np.array([0.0, 3600.0, 86400.0]), unix_start_time=WEDNESDAY)
    assert dict(zip(DAYS, found.by_weekday.tolist(), strict=True)) == {
        **dict.fromkeys(DAYS, 0),
        "Wednesday": 2,
        "Thursday": 1,
    }
    assert found.by_hour_of_week[2, 1] == 1
    assert found.clock == "UTC; the log does not give its time zone"


@settings(deadline=None)
@given(st.lists(st.integers(-(10**6), 10**8), min_size=1, max_size=20))
def test_local_hours_are_those_of_the_tz_database(submit):
    """Summer and winter, each job is in the hour and on the day that the standard library's clock shows."""
    try:
        zone = zoneinfo.ZoneInfo("Europe/Stockholm")
    except zoneinfo.ZoneInfoNotFoundError:
        pytest.skip("the standard library finds no tz database on this system")
    found = arrivals(np.array(submit, float), unix_start_time=WEDNESDAY, time_zone="Europe/Stockholm")
    expected = np.zeros((7, 24), int)
    for second in submit:
        moment = datetime.datetime.fromtimestamp(WEDNESDAY + second, zone)
        expected[moment.weekday(), moment.hour] += 1
    assert found.by_hour_of_week.tolist() == expected.tolist()
    assert found.by_hour.tolist() == expected.sum(axis=0).tolist()
    assert found.clock == "local time, Europe/Stockholm"


def test_an_unknown_zone_is_said():
    """A zone that nobody knows leaves UTC, and the clock names it."""
    found = arrivals(np.zeros(1), unix_start_time=WEDNESDAY, time_zone="Middle/Earth")
    assert found.by_hour[0] == 1
    assert found.clock == "UTC; the log's time zone 'Middle/Earth' is unknown"


@pytest.mark.parametrize("start", [None, 0, -1, float("nan"), 1e300])
def test_impossible_dates_are_no_dates(start):
    """A log that begins in 1970 or beyond the calendar is one that does not say when it began."""
    assert arrivals(np.array([7200.0]), unix_start_time=start, time_zone="UTC").by_weekday is None


def test_no_jobs_no_arrivals():
    """Nothing is counted where nothing arrives."""
    assert arrivals(np.zeros(0)).by_hour.sum() == 0
    assert arrivals(np.zeros(0), unix_start_time=WEDNESDAY, time_zone="UTC").by_weekday.sum() == 0
