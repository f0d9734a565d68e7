"""What an estimator is asked: how long will a job run, by what is known when it is submitted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from echelon.model import Job


class Memory(Protocol):
    """What one estimator has learned in one run; the engine makes a fresh one for each run.

    The jobs it sees have in ``planned_time`` what ``--estimates`` plans with: the request, mostly.
    """

    def predict(self, job: Job) -> float | None:
        """Return how long `job`, just submitted, will run, in seconds; None if nothing is known.

        Asked once a job. Known is every job that ended before, at this very instant included.
        """

    def learn(self, job: Job, run_time: float) -> None:
        """Hear that `job` has ended after running for `run_time` seconds in all."""


@runtime_checkable
class QueueWatcher(Protocol):
    """A `Memory` that also wants to know the queue that a job joins. Optional: others are not told."""

    def watch_queue(self, waiting_jobs: int, waiting_work: float) -> None:
        """Hear what waits, just before `predict` is asked about a job that joins it.

        Parameters
        ----------
        waiting_jobs : int
            Jobs that wait, of all sites together; the one that arrives not counted.
        waiting_work : float
            Their processors times planned times as of their submission, in processor-seconds.
        """


@runtime_checkable
class Estimator(Protocol):
    """How long will it take? A frozen rule with its parameters; what it learns lives in a `Memory`.

    The planned time is the prediction in whole seconds, rounded up, at least 1 s and at most the limit, which
    is what ``--estimates`` plans with (never less than the run time); without a prediction it is the limit. A
    job that runs beyond its planned time is corrected: see `echelon.engine.prediction`.
    """

    @property
    def name(self) -> str:
        """Name after ``--estimator``, kebab-case."""

    def memory(self) -> Memory:
        """Return a memory that has learned nothing yet."""


class NoMemory:
    """The memory of a rule that learns nothing: it knows of no job how long it will run."""

    def predict(self, job: Job) -> float | None:
        """Return None: nothing is known."""

    def learn(self, job: Job, run_time: float) -> None:
        """Learn nothing."""
