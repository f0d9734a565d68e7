"""Experienced: the attributes by which similar past jobs are found, and the experience kept of a job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.model import Experience
from echelon.model import Names as Names
from echelon.model import names_of as names_of

if TYPE_CHECKING:
    from echelon.model import Job

UNKNOWN = -1
"""Jobs and work of a queue that was not observed."""


def case_of(
    job: Job, *, waiting_jobs: int = UNKNOWN, waiting_work: float = UNKNOWN, mpl: int = 1
) -> Experience:
    """Return the known attributes of `job` when it joins a queue, as an experience without an outcome.

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
