"""The queue, as ``squeue`` prints it.

A job's name is free text: it may hold line breaks and forge lines. Names are asked for only of the jobs of
this account, between separators that no one can know beforehand; of others there is nothing but numbers.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from echelon.backends.contract import OtherJob, OwnJob
from echelon.backends.slurm.states import (
    Ending,
    Phase,
    ending_of,
    outcome_of,
    phase_of,
    seconds_of,
    time_of,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

TAG = re.compile(r"ech-[a-z0-9-]{1,59}")
"""Names of the service's jobs."""

OWN_FIELDS = (
    *("JobID", "State", "exit_code", "NumCPUs", "StartTime", "EndTime", "TimeLimit", "SubmitTime"),
    *("PriorityLong", "Reason", "Name"),
)
OTHER_FIELDS = ("%i", "%U", "%T", "%C", "%S", "%e", "%l", "%V", "%Q")
NO_ENDING = Ending(None, None)


class QueueError(ValueError):
    """An answer that is not what squeue prints, or not all of it."""


class Listed(NamedTuple):
    """One job in the queue; times as Unix time, durations in seconds, None where there is none."""

    native_id: str
    user: int
    state: str
    phase: Phase
    processors: int
    started_at: float | None
    ended_at: float | None
    time_limit: float | None
    submitted_at: float | None
    priority: int
    ending: Ending
    reason: str
    name: str


def own_jobs_command(separator: str) -> list[str]:
    """Return the command that lists all jobs of this account.

    Parameters
    ----------
    separator : str
        Of letters and digits, drawn for this command alone.
    """
    columns = ",".join(f"{field}:|{separator}|" for field in OWN_FIELDS)
    return ["squeue", "--local", "--me", "--states=all", "--array", "-O", columns]


def other_jobs_command(partition: str) -> list[str]:
    """Return the command that lists who else computes, in a partition or in all."""
    command = ["squeue", "--local", "--array", "-o", "|".join(OTHER_FIELDS)]
    return [*command, f"--partition={partition}"] if partition else command


def parse_own(text: str, separator: str, *, now: float) -> list[Listed]:
    """Return the jobs that `own_jobs_command` has listed.

    Raises
    ------
    QueueError
        If the answer is not whole.
    """
    *pieces, rest = text.split(f"|{separator}|")
    count = len(OWN_FIELDS)
    if len(pieces) % count or rest.strip() or not pieces or pieces[0].strip() != "JOBID":
        raise QueueError(f"the list of own jobs is not whole: it ends with {text[-80:]!r}")
    rows = (pieces[start : start + count] for start in range(count, len(pieces), count))
    return [_own(row, now) for row in rows]


def parse_others(text: str, *, now: float, but: str) -> list[Listed]:
    """Return the jobs that `other_jobs_command` has listed, but those of one user, given by its number.

    Raises
    ------
    QueueError
        If the answer is not whole.
    """
    lines = text.splitlines()
    if not text.endswith("\n") or not lines[0].startswith("JOBID|"):
        raise QueueError(f"the list of all jobs is not whole: it ends with {text[-80:]!r}")
    own = f"{but}|"
    jobs = [_other(line, now) for line in lines[1:] if not line.partition("|")[2].startswith(own)]
    return [job for job in jobs if job.phase != "ended"]


def _own(row: list[str], now: float) -> Listed:
    number, state, code, processors, start, end, limit, submit, priority, reason, name = row
    common = (number.lstrip("\n"), "0", state, processors, start, end, limit, submit, priority)
    return _read_row(common, now, ending_of(code), reason=reason, name=name)


def _other(line: str, now: float) -> Listed:
    row = line.split("|")
    if len(row) != len(OTHER_FIELDS):
        raise QueueError(f"a line of the list of all jobs has {len(row)} fields: {line[:80]!r}")
    return _read_row(row, now, NO_ENDING)


def _read_row(
    row: Sequence[str],
    now: float,
    ending: Ending,
    *,
    reason: str = "",
    name: str = "",
) -> Listed:
    number, user, state, processors, start, end, limit, submit, priority = row
    started_at, ended_at = time_of(start), time_of(end)
    try:
        return Listed(
            number,
            int(user),
            state,
            phase_of(state, started_at=started_at, ended_at=ended_at, now=now),
            int(processors),
            started_at,
            ended_at,
            seconds_of(limit),
            time_of(submit),
            int(priority),
            ending,
            reason,
            name,
        )
    except ValueError as error:
        raise QueueError(f"job {number!r} in the queue: {error}") from None


def in_order(jobs: Iterable[Listed]) -> list[Listed]:
    """Return running jobs by their starts, waiting ones as the queue has them, then ended ones."""

    def key(job: Listed) -> tuple[int, float, tuple[int, str]]:
        digits = job.native_id.partition("_")[0]
        number = (int(digits) if digits.isdecimal() else 0, job.native_id)
        if job.phase == "waiting":
            return 1, -job.priority, number
        return (0 if job.phase == "running" else 2), job.started_at or 0.0, number

    return sorted(jobs, key=key)


def own_job(job: Listed, *, has_claims: bool) -> OwnJob:
    """Return a job of the service as the contract has it."""
    is_waiting, is_ended = job.phase == "waiting", job.phase == "ended"
    return OwnJob(
        job.name,
        job.native_id,
        job.phase,
        processors=max(job.processors, 1),
        started_at=None if is_waiting else job.started_at,
        ended_at=job.ended_at if is_ended else None,
        outcome=outcome_of(job.state, job.ending, has_claims=has_claims) if is_ended else None,
        reason="" if job.reason in ("None", "(null)") else job.reason,
    )


def other_job(job: Listed) -> OtherJob:
    """Return a job of another user, without a name."""
    return OtherJob(
        job.native_id,
        "waiting" if job.phase == "waiting" else "running",
        max(job.processors, 1),
        time_limit=job.time_limit,
        submitted_at=job.submitted_at,
        started_at=None if job.phase == "waiting" else job.started_at,
    )
