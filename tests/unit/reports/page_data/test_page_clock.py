"""The clock of a page, against the time zone database."""

from __future__ import annotations

from datetime import datetime
from zoneinfo import ZoneInfo

import polars as pl
import pytest

from echelon.reports.page_data.page_clock import page_clock
from echelon.reports.tables import RunTables

DAY = 86_400.0


def run(days, **facts):
    """Return the tables of a run of one job that takes so many days."""
    columns = {
        "job_id": [1],
        "submit_time": [0.0],
        "start_time": [0.0],
        "end_time": [days * DAY],
        "processors": [1],
    }
    return RunTables(pl.DataFrame(columns), {"jobs": 1}, {"policy": "easy", "processors": 1, **facts})


@pytest.mark.parametrize(
    "zone", ["Europe/Stockholm", "America/New_York", "Australia/Lord_Howe", "Asia/Kolkata"]
)
def test_the_clock_is_that_of_the_site(zone):
    """At every hour of two years, daylight saving included."""
    origin = 843_700_000
    told = page_clock([run(730, unix_start_time=origin, time_zone=zone)])
    assert told is not None
    assert told["name"] == zone
    assert told["from"] == sorted(told["from"])
    for hour in range(0, 730 * 24, 5):
        unix = origin + 3600 * hour
        shift = [s for at, s in zip(told["from"], told["shift"], strict=True) if at <= unix][-1]
        offset = datetime.fromtimestamp(unix, ZoneInfo(zone)).utcoffset()
        assert offset is not None
        assert shift == offset.total_seconds()


def test_the_first_log_with_dates_tells_the_zone():
    """A model without dates comes first; the clock covers both logs, which are years apart."""
    runs = [run(1), run(2, unix_start_time=9e8, time_zone="Europe/Stockholm"), run(3, unix_start_time=8e8)]
    told = page_clock(runs)
    assert told is not None
    assert told["name"] == "Europe/Stockholm"
    assert told["from"][0] <= 8e8
    assert told["from"][-1] > 8.9e8


@pytest.mark.parametrize(
    "facts",
    [
        {},
        {"unix_start_time": 8e8},
        {"time_zone": "Europe/Stockholm"},
        {"unix_start_time": 8e8, "time_zone": "?"},
    ],
)
def test_without_a_beginning_or_a_known_zone_there_is_no_clock(facts):
    """The page is in UTC then."""
    assert page_clock([run(3, **facts)]) is None
