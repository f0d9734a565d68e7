"""Dates in the table of jobs."""

from __future__ import annotations

import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.experiments.tables.columns import DATE_COLUMNS
from echelon.model import Header


def _jobs(start: int, zone: str | None) -> ec.Workload:
    lines = [("UnixStartTime", str(start)), *([("TimeZoneString", zone)] if zone else [])]
    return ec.Workload.from_columns(
        submit_time=[0.5, 3600], run_time=[3600, 60], processors=[1, 1], header=Header(tuple(lines))
    )


def test_dates_have_the_offset_of_their_day():
    """In Madrid clocks went forward on 2024-03-31 at 01:00 UTC; fractions of a second are left out."""
    dated = ec.simulate(_jobs(1_711_843_200, "Europe/Madrid"), processors=1).dated_jobs
    assert dated.columns[-3:] == [column.name for column in DATE_COLUMNS]
    assert dated["submit_date"].to_list() == ["2024-03-31T01:00:00+01:00", "2024-03-31T03:00:00+02:00"]
    assert dated["end_date"][1] == "2024-03-31T03:01:00+02:00"


def test_without_a_zone_they_are_in_utc():
    """An unknown zone in a header, too."""
    for zone in (None, "Nowhere/Atall"):
        dated = ec.simulate(_jobs(1_711_843_200, zone), processors=1).dated_jobs
        assert dated["submit_date"][0] == "2024-03-31T00:00:00+00:00"


def test_a_log_without_a_date_has_none():
    """The message says what is missing, and a time beyond the calendar is no date."""
    jobs = ec.Workload.from_columns(submit_time=[0], run_time=[1], processors=[1])
    with pytest.raises(InputError, match="does not say when it began"):
        _ = ec.simulate(jobs, processors=1).dated_jobs
    with pytest.raises(InputError, match="beyond the calendar"):
        _ = ec.simulate(_jobs(253_402_300_000, None), processors=1).dated_jobs
