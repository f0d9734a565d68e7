"""Recovery: what became of started jobs while no service watched them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from echelon.backends.contract import Outcome
from echelon.backends.process import wrappers
from echelon.backends.process.endings import recorded, script_of

if TYPE_CHECKING:
    from echelon.backends.claims import Claims
    from echelon.backends.process.entry import Entry
    from echelon.backends.process.wrappers import Identity


def recovered(
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
        return recorded(entry, record)
    if is_double:
        return entry.ended(Outcome.UNCLAIMED, time.time(), "another job of this name runs")
    if tag not in claims.claimed([tag]):
        # A crash of the machine may have taken the claim of a job that ran.
        if entry.boot == boot or not claims.spend(tag):
            return entry.again()
        return entry.ended(Outcome.INTERRUPTED, time.time(), "the machine stopped")
    wrappers.kill_payload(claims.directory / "jobs" / tag / "payload")
    return entry.ended(Outcome.INTERRUPTED, time.time(), "its wrapper was killed")
