"""Experienced: by what a job is known again among jobs that have ended, and what is remembered of it."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.model import Experience

if TYPE_CHECKING:
    from echelon.model import Job

UNKNOWN = -1
"""Jobs and work of a queue that nobody looked at."""


class Names(NamedTuple):
    """Who submitted a job, to which queue, and what it runs; empty if unknown."""

    user: str
    queue: str
    application: str


def names_of(job: Job) -> Names:
    """Return the names by which experiences know `job`.

    The user, the queue and the executable are the log's codes in digits; a job with an application that has
    a name is known by that name instead of its executable's code.
    """
    application = job.application.name if job.application is not None else ""
    return Names(_code(job.user), _code(job.queue), application or _code(job.executable))


def case_of(
    job: Job, *, waiting_jobs: int = UNKNOWN, waiting_work: float = UNKNOWN, mpl: int = 1
) -> Experience:
    """Return what is known of `job` when it joins a queue, as an experience without an outcome.

    Parameters
    ----------
    job : Job
        Needs a node for each of its processors.
    waiting_jobs : int, default unknown
        Jobs in the queue that it joins.
    waiting_work : float, default unknown
        What those compute on dedicated nodes, in processor-seconds.
    mpl : int, default 1
        Most parallel tasks in one of its nodes, itself included.
    """
    user, queue, application = names_of(job)
    return Experience(user, queue, application, job.processors, waiting_jobs, waiting_work, mpl, 0.0, 0.0)


def _code(code: int) -> str:
    return str(code) if code >= 0 else ""
