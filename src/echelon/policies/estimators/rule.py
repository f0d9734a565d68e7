"""The contract of estimators: predict a job's run time from what is known at its submission."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from echelon.model import Job


class Memory(Protocol):
    """What one estimator has learned in one run; the engine makes a new one for each run.

    The jobs it sees have in ``planned_time`` what ``--estimates`` plans with: the request, mostly.
    """

    def predict(self, job: Job) -> float | None:
        """Return how long `job`, just submitted, will run, in seconds; None if nothing is known.

        Called once per job. Known is every job that ended before, at this very instant included.
        """

    def learn(self, job: Job, run_time: float) -> None:
        """Learn that `job` has ended after running for `run_time` seconds in total.

        On a time-shared machine it is the time that it would have taken alone on a core of speed 1, on nodes
        where tasks take turns on a core the time with a core for each: what plans start from.
        """


@runtime_checkable
class QueueWatcher(Protocol):
    """A `Memory` that also watches the queue that a job joins. Optional."""

    def watch_queue(self, waiting_jobs: int, waiting_work: float) -> None:
        """Observe the waiting jobs, just before `predict` is called for a job that joins them.

        Parameters
        ----------
        waiting_jobs : int
            Jobs that wait, of all sites together; the one that arrives not counted.
        waiting_work : float
            Their processors times planned times as of their submission, in processor-seconds.
        """


@runtime_checkable
class Estimator(Protocol):
    """An estimator: a frozen rule with its parameters; what it learns is kept in a `Memory`.

    The planned time is the prediction in whole seconds, rounded up, at least 1 s and at most the limit, which
    is what ``--estimates`` plans with (but under ``request`` never less than the run time); without a
    prediction it is the limit. A job that runs beyond its planned time is corrected: see
    `echelon.engine.ledger.prediction`.
    """

    @property
    def name(self) -> str:
        """Name after ``--estimator``, kebab-case."""

    def memory(self) -> Memory:
        """Return a memory that has learned nothing yet."""
