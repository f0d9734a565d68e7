"""Experience: what is remembered of a job that has ended, and what is forecast of one that has not."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from echelon.model.job import Job


class Forecast(NamedTuple):
    """How long a job will wait in a cluster's queue and then run there, in seconds."""

    wait: float
    run: float

    @property
    def turnaround(self) -> float:
        """Wait plus run, in seconds."""
        return self.wait + self.run


class Experience(NamedTuple):
    """A job that has ended: what was known when it was submitted to a cluster, and what came of it.

    Attributes
    ----------
    user, queue, application : str
        Who, which queue, which executable; empty if unknown.
    nodes : int
        Nodes it needed, >= 1.
    waiting_jobs : int
        Jobs in the cluster's queue when it joined.
    waiting_work : float
        Processor-seconds that those jobs compute on dedicated nodes ("jiffies" of the queue, in seconds).
    mpl : int
        Most parallel tasks in one of its nodes when it started, itself included; 1 on dedicated nodes.
    wait, run : float
        In seconds: from joining the cluster's queue to its start, and from there to its end.
    end : float
        When it ended, in seconds.
    """

    user: str
    queue: str
    application: str
    nodes: int
    waiting_jobs: int
    waiting_work: float
    mpl: int
    wait: float
    run: float
    end: float = 0.0


def category_of(job: Job) -> tuple[str, str, str]:
    """Return user, queue and application of `job` in the words of an `Experience`, for equality.

    A code stands for itself, as its digits; an unknown one (-1) is empty. The application is the name of the
    job's `Application`, else the code of its executable.
    """
    name = "" if job.application is None else job.application.name
    return word_of_code(job.user), word_of_code(job.queue), name or word_of_code(job.executable)


def word_of_code(code: int) -> str:
    """Return the code's digits; empty if it is negative, unknown."""
    return str(code) if code >= 0 else ""
