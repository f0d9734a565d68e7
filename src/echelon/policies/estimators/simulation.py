"""Estimators that learn nothing: on one machine they plan with what is known, on clusters they simulate."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.model import Experience, Forecast, Job
    from echelon.policies.estimators.forecast import ClusterView, Slowdown

RunTime: TypeAlias = "Callable[[Job, int], float]"
"""How long a job runs, in seconds, if so many tasks share its fullest node."""


def slowdown_of(run_time: RunTime, view: ClusterView) -> Slowdown:
    """Return the slowdown of jobs against dedicated nodes if they run for `run_time`.

    1 if one of the two times is 0, since the slowdown is then unknown.
    """

    def slowdown(job: Job, mpl: int) -> float:
        run, dedicated = run_time(job, mpl), view.dedicated_time(job)
        return run / dedicated if run > 0 and dedicated > 0 else 1.0

    return slowdown


class NoMemory:
    """Learns nothing and makes no predictions."""

    def predict(self, job: Job) -> float | None:
        """Return None: nothing is known."""

    def learn(self, job: Job, run_time: float) -> None:
        """Learn nothing."""


class SimulatingForecaster:
    """Simulates the queue with fixed slowdowns; it learns nothing.

    Parameters
    ----------
    slowdown : callable (view) -> Slowdown or None
        What the jobs of a cluster are slowed down by; None: by SP and SC, as its nodes and links show.
    """

    def __init__(self, slowdown: Callable[[ClusterView], Slowdown | None]) -> None:
        self._slowdown = slowdown

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        """Return wait and run of `job`, in seconds; None if it would never start."""
        return view.simulate(job, self._slowdown(view))

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        """Learn nothing."""


@dataclass(frozen=True, slots=True)
class Simulating:
    """The common base of these estimators, which differ in how long a job is taken to run on shared nodes."""

    learns_in_run: ClassVar[bool] = False

    def memory(self) -> NoMemory:
        """Return a memory that never predicts."""
        return NoMemory()

    def forecaster(self, past: Sequence[Experience]) -> SimulatingForecaster:
        """Return one that simulates the cluster's queue; it needs no past."""
        return SimulatingForecaster(self.slowdown)

    def slowdown(self, view: ClusterView) -> Slowdown | None:
        """Return what jobs are slowed down by; None for SP and SC, as nodes and links show."""
        return None


@dataclass(frozen=True, slots=True)
class Request(Simulating):
    """Plan with the times of ``--estimates``: with ``raise`` the larger of request and run time.

    The default. Nothing is learned.

    Cost: O(1) a job. Source: baseline, no paper.
    """

    name: ClassVar[str] = "request"
    source: ClassVar[str] = "baseline, no paper"
    predicts: ClassVar[bool] = False

    def slowdown(self, view: ClusterView) -> Slowdown:
        """Return the slowdown of jobs that run for what is planned with."""
        return slowdown_of(lambda job, mpl: job.planned_time, view)


@dataclass(frozen=True, slots=True)
class Exact(Simulating):
    """Plan with the actual run time of each job, to measure the value of perfect estimates.

    With ``--estimates raise`` the same as ``--estimates exact``. With ``--estimates kill`` jobs are still
    cut at their request, and the plan knows the time after the cut.

    Cost: O(1) a job. Source: baseline, no paper.
    """

    name: ClassVar[str] = "exact"
    source: ClassVar[str] = "baseline, no paper"
    knows_run_times: ClassVar[bool] = True

    # The memory never predicts: the instance already plans with run times.
    def slowdown(self, view: ClusterView) -> Slowdown:
        """Return 1: each job runs as if alone on dedicated nodes.

        Run times on shared nodes depend on the simulation itself, so they cannot be known before.
        """
        return lambda job, mpl: 1.0


@dataclass(frozen=True, slots=True)
class Hanzich(Simulating):
    """Forecast T = T_ded x MPL, inside a simulation of the cluster's queue.

    MPL is the most parallel tasks in one of the job's nodes, itself included. Neither owners nor links nor
    unequal nodes count.

    Elsewhere it plans with the request: nothing shares a node there, or all share the cores of a time-shared
    machine, which plans simulate whatever the estimator.

    Notes
    -----
    **Cost**: one simulation of the queue a forecast.
    **Source**: Hanzich et al., CLUSTER 2006, as described by Lérida Monsó, UAB 2009, table 3.3.
    """

    name: ClassVar[str] = "hanzich"
    source: ClassVar[str] = "Hanzich et al., CLUSTER 2006; Lérida Monsó, UAB 2009, table 3.3"

    def slowdown(self, view: ClusterView) -> Slowdown:
        """Return the tasks in the fullest node of each job."""
        return lambda job, mpl: float(mpl)


@dataclass(frozen=True, slots=True)
class SlowdownModel(Simulating):
    """Forecast T = T^p x SP + T^c x SC, inside a simulation of the cluster's queue.

    SP is how much slower the slowest of the job's nodes computes, SC how far the fullest of its links is
    overbooked, both from what owners and simulated tasks take at each moment of the simulation.

    Elsewhere it plans with the request: nothing shares a node there, or all share the cores of a time-shared
    machine, which plans simulate whatever the estimator.

    Notes
    -----
    **Cost**: one simulation of the queue a forecast, O(waiting x running).
    **Source**: Lérida et al., Euro-Par 2008; Lérida Monsó, UAB 2009, sections 3.3.2.1 and 3.4.2.
    """

    name: ClassVar[str] = "sdpn"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 3.3.2.1"
