"""Weeks of grids against counting with a calendar, job by job."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.model import Header, Workload
from echelon.workloads.grid.calendar import NAMES, Weekdays
from echelon.workloads.grid.contribution import contribute
from echelon.workloads.grid.recipe import GridRecipe, SiteLog

ZONES = ("America/Los_Angeles", "Europe/Stockholm", "Asia/Kolkata", "UTC")
WEEK = 7 * 86_400


def zone(name: str) -> ZoneInfo:
    try:
        return ZoneInfo(name)
    except ZoneInfoNotFoundError:
        pytest.skip("this system has no time zones of its own to compare with")


@st.composite
def logs(draw: st.DrawFn) -> Workload:
    """Draw the log of half a year somewhere between 1996 and 2005."""
    start = draw(st.integers(820_000_000, 1_110_000_000))
    submit = draw(st.lists(st.integers(0, 26 * WEEK), min_size=1, max_size=40))
    header = Header(
        (("MaxProcs", "8"), ("UnixStartTime", str(start)), ("TimeZoneString", draw(st.sampled_from(ZONES))))
    )
    count = np.ones(len(submit))
    return Workload.from_columns(header=header, submit_time=submit, run_time=count, processors=count)


def wall(moment: float, name: str) -> datetime:
    """Return what the clock of a zone shows at a Unix time, without its zone."""
    return datetime.fromtimestamp(moment, UTC).astimezone(zone(name)).replace(tzinfo=None)


@given(
    log=logs(),
    days=st.sampled_from(["mon-fri", "mon-thu", "sat-mon", "sun", "wed-tue"]),
    own=st.booleans(),
    target=st.sampled_from(ZONES),
    first_week=st.integers(1, 4),
)
def test_each_job_is_in_the_week_of_its_date(
    log: Workload, *, days: str, own: bool, target: str, first_week: int
) -> None:
    """Counting dates one by one gives the same weeks and the same hours."""
    recipe = GridRecipe(
        "one",
        (SiteLog("log", "HOME"),),
        days=days,
        weeks=8,
        time_zone=target,
        hours="own" if own else "converted",
        first_week=first_week,
        short_logs="leave-out",
    )
    placed, told = contribute(log, recipe, site="HOME", processors=None)
    clock = log.header.time_zone if own else target
    shown = [wall(log.header.unix_start_time + second, clock) for second in log.submit_time.tolist()]
    weekdays = Weekdays.parse(days)
    day = min(shown).replace(hour=0, minute=0, second=0)
    while day < min(shown) or day.weekday() != weekdays.first:
        day += timedelta(days=1)
    begin = day + timedelta(weeks=first_week - 1)
    expected: Counter[float] = Counter()
    for week in range(8):
        start = begin + timedelta(weeks=week)
        end = start + timedelta(days=weekdays.days)
        if end > max(shown):
            break
        expected.update((moment - begin).total_seconds() for moment in shown if start <= moment < end)
    assert Counter(placed.submit_time.tolist()) == expected
    assert told.begins == f"{begin:%a %Y-%m-%d}"
    assert NAMES[begin.weekday()] == days[:3]
    assert told.given == len(placed)
