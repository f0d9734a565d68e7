"""Recollection: what ended jobs are remembered by, and predictions from them, alone and on clusters."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

from echelon.model import Experience, Forecast
from echelon.model import Names as Names
from echelon.model import names_of as names_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Job
    from echelon.policies.estimators.forecast import ClusterView, Forecaster


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


class Recollection(Protocol):
    """A memory of ended jobs, with predictions for a new job."""

    def add(self, experience: Experience) -> None:
        """Remember a job that has ended."""

    def recall(self, case: Experience) -> Forecast | None:
        """Return wait and run by jobs like `case`, whose outcome is not known yet; None if there are none."""


class RecallingMemory:
    """A `Recollection` for run times on one machine or a grid, where nodes are not shared."""

    def __init__(self, recollection: Recollection) -> None:
        self._recollection = recollection
        self._cases: dict[int, Experience] = {}
        self._waiting: tuple[int, float] = (UNKNOWN, UNKNOWN)

    def watch_queue(self, waiting_jobs: int, waiting_work: float) -> None:
        """See `echelon.policies.estimators.rule.QueueWatcher`."""
        self._waiting = (waiting_jobs, waiting_work)

    def predict(self, job: Job) -> float | None:
        """Return the run of jobs like `job`, in seconds."""
        jobs, work = self._waiting
        case = self._cases[job.position] = case_of(job, waiting_jobs=jobs, waiting_work=work)
        recalled = self._recollection.recall(case)
        return None if recalled is None else recalled.run

    def learn(self, job: Job, run_time: float) -> None:
        """Remember `job`, which ran for `run_time` seconds."""
        case = self._cases.pop(job.position, None) or case_of(job)
        self._recollection.add(case._replace(run=run_time))


class RecallingForecaster:
    """A `Recollection` for waits and runs on a multicluster.

    A job like no other is forecast to run for its dedicated time, and to wait for the work of the queue
    spread over all nodes.

    Parameters
    ----------
    recollection : Recollection
        Empty.
    past : sequence of Experience
        Jobs that ended before the run.
    """

    def __init__(self, recollection: Recollection, past: Sequence[Experience]) -> None:
        self._recollection = recollection
        for experience in past:
            recollection.add(experience)

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        """Return wait and run of jobs like `job`, in seconds."""
        work = view.waiting_work
        case = case_of(job, waiting_jobs=len(view.waiting), waiting_work=work)
        recalled = self._recollection.recall(case)
        return Forecast(work / view.nodes, view.dedicated_time(job)) if recalled is None else recalled

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        """Remember a job that has ended."""
        self._recollection.add(experience)


class Recalling:
    """The common base of estimators by recollection: each run uses a new recollection."""

    __slots__ = ()

    def recollection(self) -> Recollection:
        """Return what remembers, empty."""
        raise NotImplementedError

    def memory(self) -> RecallingMemory:
        """Return a memory without experiences."""
        return RecallingMemory(self.recollection())

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return a forecaster that knows the jobs of `past`."""
        return RecallingForecaster(self.recollection(), past)
