"""The contract of estimators on multiclusters: forecasts of a job's wait and run in a cluster."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, TypeAlias, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Experience, Forecast, Job

Slowdown: TypeAlias = "Callable[[Job, int], float]"
"""By how much a job runs longer than alone on dedicated nodes, if so many tasks share its fullest node."""


class ClusterView(Protocol):
    """What an estimator may know of one cluster to which a job may be sent. Read-only.

    Where machines change, rooms and simulations are without the nodes that are down or closed to the job, and
    know when these are expected back: of failures what schedulers believe, of closures all that is announced.
    Whatever an estimator says, no wait counts that is shorter than until so many nodes are open.

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
        """Return the time of `job` alone on dedicated nodes of full power, in seconds, from its profile."""

    def mpl_of(self, job: Job) -> int:
        """Return the most parallel tasks in one of the nodes that `job` would get now, itself included.

        If there is no room now, of the nodes that it would get if all room of the contract were free.
        """

    def simulate(self, job: Job, slowdown: Slowdown | None = None) -> Forecast | None:
        """Return the wait and run of `job` if it joins the queue now, last; None if it never starts.

        The cluster's queue and running jobs are simulated from what its monitors show (algorithm 3.2 of the
        M-CISNE thesis): with `slowdown` for every job, else with SP and SC from the simulated occupation.
        """


class Forecaster(Protocol):
    """What one estimator has learned in a run on a multicluster; the engine makes a new one for each run."""

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        """Return how long `job` will wait and run if it joins the queue now; None if there is no forecast."""

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        """Learn from a job that has ended, with this estimator's forecast at the time when it joined."""


@runtime_checkable
class ForecastingEstimator(Protocol):
    """An estimator that forecasts waits and runs on a multicluster."""

    @property
    def name(self) -> str:
        """Name after ``--estimator``, kebab-case."""

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return a forecaster that knows only these jobs, which ended before the run, in order."""
