"""Answers of a service as people read them: ages, states, forecasts; every text of others is escaped."""

from __future__ import annotations

import os
import time
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any

from echelon.cli.terminal import grid
from echelon.client.plain_text import escape
from echelon.errors import InputError
from echelon.quantities import duration

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from rich.table import Table

    from echelon.client.answers import JobAnswer

NONE = "-"
"""Of a cell without a value; in ASCII, so that a table needs no library to be drawn."""


def ago(seconds: float | None, *, stale: bool = False) -> str:
    """Return the age of news: ``9 s ago``; where it is too old to decide on, that it is stale."""
    if seconds is None:
        return "stale" if stale else NONE
    phrase = f"{duration(round(max(seconds, 0.0)))} ago"
    return f"stale, {phrase}" if stale else phrase


def moment(at: float | None) -> str:
    """Return a Unix time as date and time of the user's zone."""
    return NONE if at is None else time.strftime("%Y-%m-%d %H:%M:%S", time.localtime(at))


def length(seconds: float | None) -> str:
    """Return a time as text in whole seconds, or a dash."""
    return NONE if seconds is None else duration(round(seconds))


def until(seconds: float | None) -> str:
    """Return how far ahead something is forecast."""
    if seconds is None:
        return NONE
    return "now" if seconds < 0.5 else f"in {duration(round(seconds))}"


def interval(earliest: float | None, latest: float | None) -> str:
    """Return an interval of seconds, or nothing if an end is unknown."""
    if earliest is None or latest is None:
        return ""
    return f"{length(max(earliest, 0.0))} to {length(max(latest, 0.0))}"


def ending(job: JobAnswer) -> str:
    """Return how the payload of a job ended: ``exit code 3``, ``signal 9``, or nothing."""
    if job["signal"]:
        return f"signal {job['signal']}"
    return "" if job["exit_code"] is None else f"exit code {job['exit_code']}"


def state_sentence(job: JobAnswer) -> str:
    """Return what a job does, and why, with a small letter at the beginning."""
    where = f" at {escape(job['cluster'])}" if job["cluster"] else ""
    reason = f": {escape(job['reason'])}" if job["reason"] else ""
    return f"job {job['number']} is {escape(job['state'])}{where}{reason}"


def candidates_table(candidates: Sequence[Mapping[str, Any]], chosen: str) -> list[str | Table]:
    """Return a table of what was known and forecast at each cluster; nothing if none was looked at."""
    if not candidates:
        return []
    rows = [
        (
            *(escape(one["cluster"]), f"{one['free']:,}", f"{one['waiting']:,}"),
            *(until(one["wait_time"]), length(one["run_time"]), ago(one["age"])),
            "chosen" if one["cluster"] == chosen else escape(one["why_not"]),
        )
        for one in candidates
    ]
    heads = ("cluster", "free", "waiting", "would start", "would run", "news", "why not")
    return [grid(heads, rows, numbers=(1, 2))]


@contextmanager
def on_clock(timezone: str | None) -> Iterator[None]:
    """Have local times be those of a zone in the block; without one they are the user's.

    Parameters
    ----------
    timezone : str or None
        A name of the tz database.

    Raises
    ------
    UnknownNameError, InputError
        If there is no such zone, or the system cannot change its own.
    """
    if timezone is None:
        yield
        return
    from echelon.model.jobs.time_zone import zone_named

    zone_named(timezone)
    if not hasattr(time, "tzset"):
        raise InputError("cannot be chosen on this system; leave it out", field="timezone")
    before = os.environ.get("TZ")
    _set(timezone)
    try:
        yield
    finally:
        _set(before)


def _set(timezone: str | None) -> None:
    if timezone is None:
        os.environ.pop("TZ", None)
    else:
        os.environ["TZ"] = timezone
    time.tzset()
