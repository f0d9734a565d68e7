"""Endings: how a job whose wrapper is gone has ended."""

from __future__ import annotations

from signal import SIGKILL
from typing import TYPE_CHECKING

from echelon.backends.contract import Outcome
from echelon.backends.process import wrappers
from echelon.backends.wrapper import CANNOT_CLAIM, UNCLAIMED

if TYPE_CHECKING:
    from pathlib import Path

    from echelon.backends.claims import Claims
    from echelon.backends.contract import EndRecord
    from echelon.backends.process.entry import Entry
    from echelon.backends.process.wrappers import Identity, Wrapper


def script_of(directory: Path, entry: Entry) -> Path:
    """Return the file of the wrapper of a job; its name tells jobs of one tag apart."""
    return directory / "jobs" / entry.submission.tag / f"{entry.number}.sh"


def ending(
    entry: Entry, wrapper: Wrapper, claims: Claims, now: float, *, is_double: bool
) -> Entry | Identity:
    """Return a job as it has ended, or another wrapper of it that runs on.

    Parameters
    ----------
    entry : Entry
        The job.
    wrapper : Wrapper
        Its wrapper, which has ended.
    claims : Claims
        Of its cluster.
    now : float
        Unix time in seconds.
    is_double : bool
        Whether another job of this tag runs.

    Raises
    ------
    OSError
        If records cannot be read.
    """
    tag, exit_code = entry.submission.tag, wrapper.exit_code
    record = claims.records([tag]).get(tag)
    if exit_code == UNCLAIMED and (record is None or record.exit_code != UNCLAIMED):
        # A wrapper that was started just before the service was killed may have the claim.
        stray = wrappers.find(claims.directory / "jobs")[0].get(script_of(claims.directory, entry))
        return stray or entry.ended(Outcome.UNCLAIMED, now, "its claim had been taken")
    if record is not None:
        return recorded(entry, record)
    if exit_code == CANNOT_CLAIM:
        return entry.ended(Outcome.FAILED, now, "its claim could not be made; see wrappers.log")
    if is_double:
        return entry.ended(Outcome.UNCLAIMED, now, "another job of this name runs")
    # Its guard.
    wrappers.signal_group(wrapper.identity, SIGKILL)
    if wrapper.is_asked and not (claims.directory / "jobs" / tag / "payload").exists():
        if tag in claims.claimed([tag]):
            claims.record_stop(tag, now)
        return entry.ended(Outcome.CANCELED, now, "it was canceled before its payload started")
    wrappers.kill_payload(claims.directory / "jobs" / tag / "payload")
    return entry.ended(Outcome.INTERRUPTED, now, "its wrapper was killed")


def recorded(entry: Entry, record: EndRecord) -> Entry:
    """Return a job as the record of its end says."""
    what = f"signal {record.signal}" if record.signal else f"exit code {record.exit_code}"
    return entry.ended(record.outcome, record.ended_at or 0.0, what, record.started_at)
