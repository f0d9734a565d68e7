"""The type of a job: the parallel program that it runs, as far as the workload says so."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Job


def type_of(job: Job) -> str:
    """Return the type of `job`: the name of its application, else the log's number of its executable.

    Empty if the workload says neither. Two jobs are of one type if these are equal.

    Notes
    -----
    **Source**: M-CISNE thesis, sections 2.3 and A.1, which classify jobs by type and do not say what it is.
    """
    if job.application is not None and job.application.name:
        return job.application.name
    return str(job.executable) if job.executable >= 0 else ""


def is_of_type(job: Job, name: str) -> bool:
    """Return whether `name` is the job's type, the number of its executable, or software that it requires.

    Small and capital letters are the same. Software is a library such as ``mpi``, or a system.
    """
    names = {type_of(job), str(job.executable)}
    if job.application is not None:
        names |= job.application.software
    return bool(name) and name.casefold() in {one.casefold() for one in names}
