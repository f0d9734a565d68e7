"""Hybrid: slowdowns learned from past jobs, inside a simulation of the queue."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.estimators.heom import NODE_STATE
from echelon.policies.estimators.ibl import InstanceBased
from echelon.policies.estimators.recollection import Names, case_of, names_of
from echelon.policies.estimators.simulation import slowdown_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Experience, Forecast, Job
    from echelon.policies.estimators.forecast import ClusterView, Forecaster
    from echelon.policies.estimators.instances import Instances


@dataclass(frozen=True, slots=True)
class Hybrid(InstanceBased):
    """Forecast T = T_ded x Sd inside a simulation of the cluster's queue, Sd learned from past jobs.

    Sd of a job and a number of tasks in its fullest node is T_estim / T_ded: T_estim is the run of the past
    jobs nearest by user, queue, application, nodes and that number of tasks, as `ibl` finds them by the
    state of the queue.

    On one dedicated machine, or a grid of such, it is that prediction for one task a node.

    Parameters
    ----------
    radius : float, default 0
        Distance by which an experience may be farther than the nearest and still count, >= 0.
    most : int or "unlimited", default "unlimited"
        Experiences that count at most, >= 1, as of `ibl`.

    Raises
    ------
    InputError
        If a parameter is out of its range.

    Notes
    -----
    Without any experience Sd is 1, and on one machine the request counts.

    **Ties**: averaged.
    **Cost**: one simulation of the queue a forecast; each kind of job and number of tasks is looked up once
    between two jobs that end.
    **Source**: Lérida Monsó, UAB 2009, section 3.3.2.2 (eqs. 3.10 to 3.12).
    """

    name: ClassVar[str] = "hybrid"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 3.3.2.2"
    numeric: ClassVar[tuple[str, ...]] = NODE_STATE

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return a forecaster that knows the jobs of `past`."""
        return _HybridForecaster(self.recollection(), past)


class _HybridForecaster:
    """Slowdowns by job and tasks in its fullest node, looked up again when an ended job may matter."""

    def __init__(self, instances: Instances, past: Sequence[Experience]) -> None:
        self._instances = instances
        self._names: dict[int, Names] = {}
        # Runs by nodes and tasks: by names where only a job of those names can change them, and others.
        self._settled: dict[tuple[str, ...], dict[tuple[int, int], float]] = {}
        self._open: dict[tuple[Names, int, int], float] = {}
        # Cached by position and tasks: a simulation needs those of all waiting jobs repeatedly.
        self._slowdowns: dict[tuple[int, int], float] = {}
        for experience in past:
            instances.add(experience)

    def forecast(self, job: Job, view: ClusterView) -> Forecast | None:
        slowdowns = self._slowdowns
        learned = slowdown_of(lambda job, mpl: self._run_time(job, mpl) or view.dedicated_time(job), view)

        def slowdown(job: Job, mpl: int) -> float:
            key = (job.position, mpl)
            if (value := slowdowns.get(key)) is None:
                value = slowdowns[key] = learned(job, mpl)
            return value

        return view.simulate(job, slowdown)

    def learn(self, experience: Experience, job: Job, said: Forecast | None) -> None:
        version = self._instances.version
        self._instances.add(experience)
        if self._instances.version == version:
            self._settled.pop((experience.user, experience.queue, experience.application), None)
        else:
            self._settled.clear()
        self._open.clear()
        self._slowdowns.clear()

    def _run_time(self, job: Job, mpl: int) -> float:
        """Return the run time of the past jobs most similar to `job` beside so many tasks; 0 without any."""
        if (names := self._names.get(job.position)) is None:
            names = self._names[job.position] = names_of(job)
        nodes = job.processors
        run = self._settled.get(names, {}).get((nodes, mpl))
        if run is None:
            run = self._open.get((names, nodes, mpl))
        return self._look_up(job, names, mpl) if run is None else run

    def _look_up(self, job: Job, names: Names, mpl: int) -> float:
        recalled = self._instances.recall(case_of(job, mpl=mpl))
        if recalled is None:
            return 0.0
        if self._instances.settled:
            self._settled.setdefault(names, {})[job.processors, mpl] = recalled.run
        else:
            self._open[names, job.processors, mpl] = recalled.run
        return recalled.run
