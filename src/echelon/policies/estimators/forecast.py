"""What an estimator is asked on a multicluster: how long a job will wait in a cluster, and run there."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Experience, Forecast, Job

Slowdown: TypeAlias = "Callable[[Job, int], float]"
"""By how much a job runs longer than alone on dedicated nodes, if so many tasks share its fullest node."""


class ClusterView(Protocol):
    """What an estimator may know of one cluster when a job may be handed to it. Read-only.

    Attributes
    ----------
    now : float
        In seconds.
    site : int
        Which cluster, from 0.
    nodes : int
        Of the cluster.
    mpl : int
        Most parallel tasks in one of its nodes, by its contract.
    """

    now: float
    site: int
    nodes: int
    mpl: int

    @property
    def waiting(self) -> Sequence[Job]:
        """The queue of the cluster, in order."""

    @property
    def waiting_work(self) -> float:
        """Processor-seconds that the waiting jobs compute on dedicated nodes."""

    def dedicated_time(self, job: Job) -> float:
        """Return what `job` takes alone on dedicated nodes of full power, in seconds, as its profile says."""

    def mpl_of(self, job: Job) -> int:
        """Return the most parallel tasks in one of the nodes that `job` would get now, itself included.

        Of the nodes it would get if all of the contract's room were free when there is no room for it now.
        """

    def simulate(self, job: Job, slowdown: Slowdown | None = None) -> Forecast | None:
        """Return wait and run of `job` if it joined the queue now and nobody came after it, or None: never.

        The cluster's queue and running jobs are simulated from what its monitors show (algorithm 3.2 of the
        M-CISNE thesis): with `slowdown` for every job, else with SP and SC from the simulated occupation.
        """


class Forecaster(Protocol):
    """What one estimator has learned in one run on a multicluster; the engine makes a fresh one a run."""

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        """Return how long `job` will wait and run if it joins the cluster's queue now; None: no idea."""

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        """Hear what came of a job that has ended, and what this estimator had said of it when it joined."""


@runtime_checkable
class ForecastingEstimator(Protocol):
    """An estimator that can be asked about waits and runs on a multicluster."""

    @property
    def name(self) -> str:
        """Name after ``--estimator``, kebab-case."""

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return one that knows these jobs, which ended before the run, in order, and no other."""
