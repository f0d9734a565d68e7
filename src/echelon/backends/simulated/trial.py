"""Trial: how long a submitted job would run at a simulated cluster, and how it would end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.backends.contract import Outcome

if TYPE_CHECKING:
    from echelon.backends.contract import Submission

RUN_TIME, EXIT_CODE = "ECHELON_RUN_TIME", "ECHELON_EXIT_CODE"
"""Environment variables of a job that say how long it runs, in seconds, and how it ends."""

USUAL = 1.0
"""Run time of a job of which nothing is known, in seconds."""


class Trial(NamedTuple):
    """What becomes of a job once it has started, if nothing stops it.

    Attributes
    ----------
    run_time : float
        Seconds from start to end, > 0.
    outcome : Outcome
        How it ends.
    exit_code, signal : int, optional
        Of its payload.
    """

    run_time: float
    outcome: Outcome = Outcome.COMPLETED
    exit_code: int | None = 0
    signal: int | None = None


def trial_of(submission: Submission, speed: float = 1.0) -> Trial:
    """Return what becomes of a submitted job.

    Nothing is executed. A job runs for the seconds of its environment variable ``ECHELON_RUN_TIME``; without
    it, ``sleep N`` runs for N seconds, and everything else for one. It ends with the exit code of
    ``ECHELON_EXIT_CODE``; without it, the command ``false`` ends with 1, everything else with 0. A job that
    would run beyond its time limit is stopped there.

    Parameters
    ----------
    submission : Submission
        The job.
    speed : float, default 1
        Of the cluster: run times and limits are divided by it.
    """
    environment = dict(submission.environment)
    seconds, code = _seconds(environment.get(RUN_TIME)), _code(environment.get(EXIT_CODE))
    if seconds is None:
        seconds = _sleeps(submission.command)
    if code is None:
        code = 1 if submission.command[:1] == ("false",) else 0
    if submission.time_limit is not None and seconds > submission.time_limit:
        return Trial(submission.time_limit / speed, Outcome.TIMED_OUT, None, 15)
    return Trial(seconds / speed, Outcome.FAILED if code else Outcome.COMPLETED, code)


def _sleeps(command: tuple[str, ...]) -> float:
    """Return how long a command runs: that of ``sleep N`` is known."""
    if len(command) == 2 and command[0].rpartition("/")[2] == "sleep":
        return _seconds(command[1]) or USUAL
    return USUAL


def _seconds(text: str | None) -> float | None:
    """Return a number of seconds > 0; None if the text is none."""
    try:
        seconds = float(text or "")
    except ValueError:
        return None
    return seconds if 0 < seconds < math.inf else None


def _code(text: str | None) -> int | None:
    """Return an exit code, 0 to 255; None if the text is none."""
    return int(text) if text and text.isascii() and text.isdigit() and int(text) < 256 else None
