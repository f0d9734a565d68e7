"""Simulation: estimators that simulate the cluster's queue, each with its own model of run times."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

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


class SimulatingForecaster:
    """Simulates the queue with fixed slowdowns; it learns nothing.

    Parameters
    ----------
    slowdown : callable (view) -> Slowdown, optional
        What the jobs of a cluster are slowed down by; default by SP and SC, as its nodes and links show.
    """

    def __init__(self, slowdown: Callable[[ClusterView], Slowdown] | None = None) -> None:
        self._slowdown = slowdown

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        """Return wait and run of `job`, in seconds; None if it would never start."""
        return view.simulate(job, None if self._slowdown is None else self._slowdown(view))

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        """Learn nothing."""
