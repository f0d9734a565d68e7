"""Endings: how a job whose wrapper is gone has ended, also while no service watched it."""

from __future__ import annotations

import time
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
        return stray or entry.with_end(Outcome.UNCLAIMED, now, "its claim had been taken")
    if record is not None:
        return _end_by_record(entry, record)
    if exit_code == CANNOT_CLAIM:
        return entry.with_end(Outcome.FAILED, now, "its claim could not be made; see wrappers.log")
    if is_double:
        return entry.with_end(Outcome.UNCLAIMED, now, "another job of this name runs")
    # Its guard.
    wrappers.signal_group(wrapper.identity, SIGKILL)
    if wrapper.is_asked and not (claims.directory / "jobs" / tag / "payload").exists():
        if tag in claims.find_claimed([tag]):
            claims.record_stop(tag, now)
        return entry.with_end(Outcome.CANCELED, now, "it was canceled before its payload started")
    wrappers.kill_payload(claims.directory / "jobs" / tag / "payload")
    return entry.with_end(Outcome.INTERRUPTED, now, "its wrapper was killed")


def _end_by_record(entry: Entry, record: EndRecord) -> Entry:
    """Return a job as the record of its end says."""
    what = f"signal {record.signal}" if record.signal else f"exit code {record.exit_code}"
    return entry.with_end(record.outcome, record.ended_at or 0.0, what, record.started_at)


def recover(
    entries: dict[int, Entry], claims: Claims, boot: str
) -> tuple[dict[int, Entry], dict[int, Identity]]:
    """Return all jobs as they are now, and the wrappers of those that run, by number.

    Parameters
    ----------
    entries : dict of int to Entry
        As the journal has them.
    claims : Claims
        Of their cluster.
    boot : str
        Names the present run of the machine.

    Raises
    ------
    OSError
        If claims or records cannot be read.
    """
    identities, left = wrappers.find(claims.directory / "jobs")
    for identity in left:
        identity.kill()
    scripts = {
        number: script_of(claims.directory, entry)
        for number, entry in entries.items()
        if entry.listed.state == "running"
    }
    running = {number: identities[script] for number, script in scripts.items() if script in identities}
    run = {entries[number].submission.tag for number in running}
    lost = {
        number: _after_loss(entries[number], claims, boot, is_double=entries[number].submission.tag in run)
        for number in scripts
        if number not in running
    }
    return {**entries, **lost}, running


def _after_loss(entry: Entry, claims: Claims, boot: str, *, is_double: bool) -> Entry:
    """Return a started job without a wrapper as it is."""
    tag = entry.submission.tag
    if (record := claims.records([tag]).get(tag)) is not None:
        return _end_by_record(entry, record)
    if is_double:
        return entry.with_end(Outcome.UNCLAIMED, time.time(), "another job of this name runs")
    if tag not in claims.find_claimed([tag]):
        # A crash of the machine may have taken the claim of a job that ran.
        if entry.boot == boot or not claims.spend(tag):
            return entry.requeue()
        return entry.with_end(Outcome.INTERRUPTED, time.time(), "the machine stopped")
    wrappers.kill_payload(claims.directory / "jobs" / tag / "payload")
    return entry.with_end(Outcome.INTERRUPTED, time.time(), "its wrapper was killed")
