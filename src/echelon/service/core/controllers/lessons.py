"""Lessons: ended jobs that estimators learn from: of the store, of a history, of accounting files."""

from __future__ import annotations

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from echelon.model import Experience, Workload
    from echelon.service.records import JobRecord, JobSpec


class Lesson(NamedTuple):
    """An ended job.

    Attributes
    ----------
    user, application : str
        Empty if unknown.
    processors : int
        At least 1.
    requested_time : float, optional
        In seconds.
    run_time : float
        In seconds, > 0.
    """

    user: str
    application: str
    processors: int
    requested_time: float | None
    run_time: float


def application_of(spec: JobSpec) -> str:
    """Return what a job is known to run: its application, else its name, else its program's file name."""
    program = PurePosixPath(spec.command[0]).name if spec.command else ""
    return spec.application or spec.name or program


def lessons_of_records(records: Iterable[JobRecord]) -> Iterator[Lesson]:
    """Yield what ended jobs of the service teach: those that have run."""
    for record in records:
        if record.started_at is None or record.ended_at is None or record.ended_at <= record.started_at:
            continue
        spec, run_time = record.spec, record.ended_at - record.started_at
        yield Lesson(record.owner, application_of(spec), spec.processors, spec.time_limit, run_time)


def lessons_of_experiences(experiences: Iterable[Experience]) -> Iterator[Lesson]:
    """Yield what the jobs of recorded runs teach; these know no requested times."""
    for one in experiences:
        if one.run > 0:
            yield Lesson(one.user, one.application, one.nodes, None, one.run)


def lessons_of_workload(workload: Workload) -> Iterator[Lesson]:
    """Yield what the jobs of a log teach, such as accounting files of Slurm, in the order of their ends."""
    import numpy as np

    names = workload.names
    users, programs = names.get("user", ()), names.get("executable", ())
    ends = workload.submit_time + workload.float_column("wait_time").clip(min=0) + workload.run_time
    for position in np.argsort(ends, kind="stable").tolist():
        job = workload[position]
        if job.run_time > 0 and job.processors > 0:
            requested = job.requested_time if job.requested_time > 0 else None
            user, program = _name(users, job.user), _name(programs, job.executable)
            yield Lesson(user, program, job.processors, requested, job.run_time)


def _name(names: tuple[str, ...], code: int) -> str:
    """Return the name behind a code, the code in digits where the log has no names."""
    if 1 <= code <= len(names):
        return names[code - 1]
    return str(code) if code >= 0 else ""
