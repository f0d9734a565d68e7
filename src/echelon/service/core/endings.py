"""Endings: what follows, for a job, from what its cluster has left of a run."""

from __future__ import annotations

import signal
from collections import Counter
from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.backends.claims import OWN_RECORD
from echelon.backends.contract import EndRecord, Outcome
from echelon.backends.wrapper import CANNOT_CLAIM, NO_PLACE
from echelon.service.records import JobState

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.backends.contract import Evidence, OwnJob
    from echelon.service.core.notes import Doubt, Notes
    from echelon.service.records import JobRecord

KILLS = frozenset((int(signal.SIGTERM), 9, int(signal.SIGINT)))
"""Numbers of the signals by which clusters end jobs: TERM, KILL, INT."""
_BY_CLUSTER = frozenset((Outcome.CANCELED, Outcome.TIMED_OUT, Outcome.INTERRUPTED))
_HINTS = {
    NO_PLACE: "; so ends a job whose directory or output file cannot be used at its node",
    126: "; so ends a job whose program may not be run",
    127: "; so ends a job whose program is not there",
}
"""What exit codes mean that come from the wrapper or from ``env``, unless a program ends so by itself."""
_DIRECTORY_HINT = "Check that all nodes share the cluster's directory of claims and may write to it"
_LAUNCH_HINTS = {CANNOT_CLAIM: f"{_DIRECTORY_HINT}."}
"""What to look at if jobs fail before their programs start, by exit code."""
_LAUNCH_HINT = f"{_DIRECTORY_HINT}, and see what the node's own log says of the job."
"""The same for all other exit codes."""
NEVER_CLAIMED = "cluster, without a claim"
"""Source of an end of which only the cluster knows: the payload of the job has never run."""
STATES = {
    Outcome.COMPLETED: JobState.COMPLETED,
    Outcome.FAILED: JobState.FAILED,
    Outcome.CANCELED: JobState.CANCELED,
    Outcome.TIMED_OUT: JobState.TIMED_OUT,
    Outcome.INTERRUPTED: JobState.INTERRUPTED,
}


Verdict = EndRecord | bool | None
"""How a run ended; True: the cluster does not have it, and it has not run; None: not known yet."""


def verdict(
    job: JobRecord, doubt: Doubt, notes: Notes, evidence: Evidence, *, has_claims: bool, grace: float
) -> Verdict:
    """Return what evidence says of a job in doubt.

    Parameters
    ----------
    job : JobRecord
        Whose present run is in doubt.
    doubt : Doubt
        What looks say of it.
    notes : Notes
        Since when it is known to be claimed.
    evidence : Evidence
        What its cluster has left of it.
    has_claims : bool
        Whether its jobs claim themselves; else nothing tells a job that has run from one that has not.
    grace : float
        Seconds for which a record of an end may be late.

    Notes
    -----
    A record decides. Without one, a claimed job has been lost when the time for its record is over, and one
    without a claim has not run: its node failed, or its cluster could not launch it. Nothing follows from
    what incomplete evidence leaves out.

    A record that a signal has stopped a job does not say whose that was. If its cluster says nothing of it,
    it was not canceled: a controller that has forgotten a job has it killed where it is found.
    """
    record, listed = evidence.records.get(job.tag), doubt.listed
    is_late = evidence.began_at >= doubt.since + grace
    is_claimed = job.tag in evidence.claimed
    if record is not None and record.outcome is not Outcome.UNCLAIMED:
        end = _as_fault(record) if listed is None else merge_end(record, listed)
        return _of_unclaimed(job, end, evidence, is_late=is_late) if has_claims and not is_claimed else end
    if is_claimed:
        # It may have started since it was last looked for: then looks list it from now on.
        claimed_at = notes.claimed_at if notes.claimed_at is not None else evidence.began_at
        is_late &= evidence.began_at >= claimed_at + grace and doubt.missed_at >= claimed_at
        # One look may be empty by mistake, and what was found after it may come late.
        is_late &= listed is not None or doubt.absent_at is not None
        return (_listed_end(listed) or EndRecord(Outcome.INTERRUPTED)) if is_late else None
    if listed is not None and (doubt.is_same or not has_claims):
        if has_claims and _is_fault(job, listed.outcome, listed.started_at):
            return True if evidence.is_complete else None
        return _of_listed(listed, evidence, has_claims=has_claims, is_late=is_late)
    is_absent = doubt.absent_at is not None and evidence.began_at >= doubt.absent_at
    return True if evidence.is_complete and is_absent else None


def _of_unclaimed(job: JobRecord, end: EndRecord, evidence: Evidence, *, is_late: bool) -> Verdict:
    """Return what follows from a record of a job that should claim itself, and of which no claim is known."""
    if _is_fault(job, end.outcome, end.started_at):
        return True if evidence.is_complete else None
    if end.source == OWN_RECORD:
        return end
    if evidence.is_complete:
        return replace(end, source=NEVER_CLAIMED)
    # Whether it has claimed itself decides what follows from a failure.
    return end if is_late or end.outcome is not Outcome.FAILED else None


def _as_fault(record: EndRecord) -> EndRecord:
    """Return a record of a job of which its cluster lists nothing: what only the job has seen was a fault."""
    is_stopped = record.outcome is Outcome.CANCELED and record.source == OWN_RECORD
    return replace(record, outcome=Outcome.INTERRUPTED) if is_stopped else record


def _is_fault(job: JobRecord, outcome: Outcome | None, started_at: float | None) -> bool:
    """Return whether an end of an unclaimed job is its cluster's doing: it was not canceled as it waited.

    A cluster that cannot launch a job on the nodes that it has given to it cancels it by itself.
    """
    is_canceled = outcome is Outcome.CANCELED and started_at is not None and job.wanted != "cancel"
    return outcome is Outcome.INTERRUPTED or is_canceled


def _of_listed(listed: OwnJob, evidence: Evidence, *, has_claims: bool, is_late: bool) -> Verdict:
    """Return what follows from an end that the cluster lists, of a job without a record and without claim."""
    if not evidence.is_complete:
        return _listed_end(listed) if is_late else None
    # A record could only add the exit code or the signal of a failure.
    is_certain = listed.outcome is Outcome.CANCELED or not (has_claims or listed.outcome is Outcome.FAILED)
    end = _listed_end(listed) if is_certain or is_late else None
    return replace(end, source=NEVER_CLAIMED) if end is not None and has_claims else end


def merge_end(record: EndRecord, listed: OwnJob | None) -> EndRecord:
    """Return a record with the cluster's own answer on times that it leaves out, and on why a job was killed.

    A signal does not say whose it was.
    """
    if listed is None:
        return record
    started = record.started_at if record.started_at is not None else listed.started_at
    ended = record.ended_at if record.ended_at is not None else listed.ended_at
    record = replace(record, started_at=started, ended_at=ended)
    is_open = record.outcome is Outcome.CANCELED or (record.outcome is Outcome.FAILED and is_killed(record))
    if listed.outcome is None or listed.outcome not in _BY_CLUSTER or not is_open:
        return record
    return replace(record, outcome=listed.outcome)


def is_killed(record: EndRecord) -> bool:
    """Return whether its cluster killed a payload; shells give 128 + the signal as exit code."""
    return record.signal in KILLS or (record.exit_code or 0) - 128 in KILLS


def _listed_end(listed: OwnJob | None) -> EndRecord | None:
    if listed is None or listed.outcome is None:
        return None
    code = 0 if listed.outcome is Outcome.COMPLETED else None
    return EndRecord(
        listed.outcome, code, started_at=listed.started_at, ended_at=listed.ended_at, source="queue"
    )


def state_of(job: JobRecord, record: EndRecord) -> tuple[JobState, str]:
    """Return the state in which a job is after a run that ended so, and why."""
    outcome = record.outcome
    if job.wanted == "cancel" and (
        outcome is Outcome.INTERRUPTED or (outcome is Outcome.FAILED and is_killed(record))
    ):
        outcome = Outcome.CANCELED
    return STATES[outcome], _reason(job, outcome, record)


def _reason(job: JobRecord, outcome: Outcome, record: EndRecord) -> str:
    where = f"at {job.cluster}"
    if outcome is Outcome.COMPLETED:
        return f"It completed {where}."
    if outcome is Outcome.FAILED:
        return _failure(where, record)
    if outcome is Outcome.CANCELED:
        return f"It was canceled {where}." if job.wanted == "cancel" else f"An operator canceled it {where}."
    if outcome is Outcome.TIMED_OUT:
        return f"It reached its time limit {where}."
    return _loss(where, record)


def _failure(where: str, record: EndRecord) -> str:
    if record.signal:
        return f"Signal {record.signal} ended it {where}."
    code = "" if record.exit_code is None else f" with exit code {record.exit_code}"
    if record.source == NEVER_CLAIMED:
        return f"It failed {where}{code} before its program started."
    return f"It failed {where}{code}{_HINTS.get(record.exit_code or 0, '')}."


def failed_before_start(record: EndRecord, clusters: Sequence[str]) -> str:
    """Return why a job has failed that `clusters`, in this order, have failed before its program started."""
    tried = Counter(clusters)
    often = " and ".join(f"{name} {count} time{'s' if count > 1 else ''}" for name, count in tried.items())
    code = "" if record.exit_code is None else f", with exit code {record.exit_code} in the end"
    hint = _LAUNCH_HINTS.get(record.exit_code or 0, _LAUNCH_HINT)
    return f"It failed before its program started: {often}{code}. {hint}"


def _loss(where: str, record: EndRecord) -> str:
    if record.signal:
        return f"Signal {record.signal} ended it {where}, where it had been forgotten."
    return f"It started {where}, and was lost there: a node failed, or it was ended without a record."
