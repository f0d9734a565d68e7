"""Experience: the record of an ended job for estimators, and the forecast of another."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from echelon.model.jobs.job import Job


class Forecast(NamedTuple):
    """The forecast wait of a job in a cluster's queue, and its run time there, in seconds."""

    wait: float
    run: float

    @property
    def turnaround(self) -> float:
        """Wait plus run, in seconds."""
        return self.wait + self.run


class Experience(NamedTuple):
    """An ended job: the information at its submission to a cluster, and its outcome.

    Attributes
    ----------
    user, queue, application : str
        User, queue and executable; empty if unknown.
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


class Names(NamedTuple):
    """The user, queue and executable of a job; empty if unknown."""

    user: str
    queue: str
    application: str


def names_of(job: Job) -> Names:
    """Return the names of `job` in experiences.

    The user, the queue and the executable are the log's codes in digits; a job with an application that has
    a name is known by that name instead of its executable's code.
    """
    application = job.application.name if job.application is not None else ""
    return Names(_code(job.user), _code(job.queue), application or _code(job.executable))


def _code(code: int) -> str:
    return str(code) if code >= 0 else ""
