"""States of Slurm's jobs, as the service's states and outcomes; and Slurm's ways to write times."""

from __future__ import annotations

import re
import signal
from functools import lru_cache
from typing import Literal, NamedTuple, TypeAlias

from echelon.backends.contract import Outcome
from echelon.backends.wrapper import UNCLAIMED

Phase: TypeAlias = Literal["waiting", "running", "ended"]

WAITING = frozenset(
    ("PENDING", "REQUEUED", "REQUEUE_FED", "REQUEUE_HOLD", "SPECIAL_EXIT", "RESV_DEL_HOLD", "EXPEDITING")
)
RUNNING = frozenset(
    ("RUNNING", "CONFIGURING", "SUSPENDED", "STOPPED", "SIGNALING", "STAGE_OUT", "RESIZING", "UPDATE_DB")
)
ENDED = {
    "COMPLETED": Outcome.COMPLETED,
    "FAILED": Outcome.FAILED,
    "OUT_OF_MEMORY": Outcome.FAILED,
    "CANCELLED": Outcome.CANCELED,
    "TIMEOUT": Outcome.TIMED_OUT,
    "DEADLINE": Outcome.TIMED_OUT,
    "NODE_FAIL": Outcome.INTERRUPTED,
    "BOOT_FAIL": Outcome.INTERRUPTED,
    "LAUNCH_FAILED": Outcome.INTERRUPTED,
    "RECONFIG_FAIL": Outcome.INTERRUPTED,
    "PREEMPTED": Outcome.INTERRUPTED,
    "REVOKED": Outcome.INTERRUPTED,
}
"""By Slurm's keyword; the list of states is that of squeue's manual, 22.05 to 25.05."""

CLEANING = 60.0
"""Seconds for which a job that is being cleaned up after its end (COMPLETING) counts as running."""

SPAN = re.compile(r"(?:(\d+)-)?(?:(?:(\d+):)?(\d+):)?(\d+)")


class Ending(NamedTuple):
    """Exit code and signal; None where they are not known or there was none."""

    code: int | None
    signal: int | None


def phase_of(state: str, *, started_at: float | None, ended_at: float | None, now: float) -> Phase:
    """Return what a job in some state of Slurm does.

    A state that no manual has named yet counts as running from the job's start, before as waiting: so the job
    is there, and its end is seen when Slurm lists it no more.
    """
    keyword = state.split()[0] if state else ""
    if keyword in ENDED:
        return "ended"
    if keyword == "COMPLETING":
        # Its payload is over, or is being killed; a node that has died can keep it so for hours.
        return "ended" if ended_at is not None and ended_at < now - CLEANING else "running"
    if keyword in WAITING:
        return "waiting"
    if keyword in RUNNING:
        return "running"
    return "running" if started_at is not None and started_at <= now else "waiting"


def outcome_of(state: str, ending: Ending, *, has_claims: bool) -> Outcome | None:
    """Return how a job ended by its state (``CANCELLED by 1000`` too); None where that does not say it.

    A batch script that has failed by KILL was killed itself, by nothing that Slurm knows of: it outlives its
    payload, whose signal it turns into an exit code. So ends a job of which a controller has lost its state.
    """
    outcome = ENDED.get(state.split()[0]) if state else None
    if state == "FAILED" and ending.signal == signal.SIGKILL:
        return Outcome.INTERRUPTED
    if has_claims and outcome is Outcome.FAILED and ending.code == UNCLAIMED:
        return Outcome.UNCLAIMED
    return outcome


@lru_cache(1024)
def ending_of(text: str) -> Ending:
    """Return exit code and signal, of ``3:0`` or ``0:9`` or a wait status: ``768`` or ``9``."""
    code, colon, number = text.partition(":")
    if not code.isdecimal() or (colon and not number.isdecimal()):
        return Ending(None, None)
    if not colon:
        return Ending(None, int(code) & 127) if int(code) & 127 else Ending(int(code) >> 8, None)
    return Ending(None, int(number)) if int(number) else Ending(int(code), None)


def time_of(text: str) -> float | None:
    """Return a Unix time; None for ``N/A``, ``Unknown``, ``NONE`` and all else that is not a number."""
    return float(text) if text.isdecimal() else None


@lru_cache(1024)
def seconds_of(text: str) -> float | None:
    """Return a time limit in seconds, of ``1-00:00:00``, ``5:00`` or ``UNLIMITED``; None where it has none.

    What has one number only is in minutes, as Slurm reads it.
    """
    parts = SPAN.fullmatch(text)
    if parts is None:
        return None
    days, hours, minutes, last = (int(part or 0) for part in parts.groups())
    if parts[3] is None:
        return 60.0 * last if parts[1] is None else 86400.0 * days + 3600.0 * last
    return 86400.0 * days + 3600.0 * hours + 60.0 * minutes + last
