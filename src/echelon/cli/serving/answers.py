"""Answers of a service as people read them: ages, states, forecasts; every text of others is escaped."""

from __future__ import annotations

import json
import sys
import time
from typing import TYPE_CHECKING

from echelon.client.plain_text import plain
from echelon.quantities import duration

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.client.answers import JobAnswer

NONE = "-"
"""Of a cell without a value; in ASCII, so that a table needs no library to be drawn."""


def show_answer(answer: Mapping[str, object]) -> None:
    """Print an answer as JSON, in ASCII: whatever others wrote into it, a terminal shows it as text."""
    sys.stdout.write(json.dumps(answer, indent=2) + "\n")


def ago(seconds: float | None, *, stale: bool = False) -> str:
    """Return the age of news: ``9 s ago``; where it is too old to decide on, that it is stale."""
    if seconds is None:
        return "stale" if stale else NONE
    words = f"{duration(round(max(seconds, 0.0)))} ago"
    return f"stale, {words}" if stale else words


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
    where = f" at {plain(job['cluster'])}" if job["cluster"] else ""
    reason = f": {plain(job['reason'])}" if job["reason"] else ""
    return f"job {job['number']} is {plain(job['state'])}{where}{reason}"
