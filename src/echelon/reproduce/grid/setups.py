"""Setups: what is simulated over all weeks of a grid, many at once, each week measured."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.contract import Scenario
from echelon.experiments.simulation import run_scenario
from echelon.metrics import Measured, metric_named
from echelon.metrics.grid_study import GRID_STUDY
from echelon.model import Instance
from echelon.policies import broker_named, policy_named
from echelon.policies.broker.admissible import admissible

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.model import Schedule
    from echelon.workloads.grid import GridWorkload

    Measures = Mapping["Setup", NDArray[np.float64]]
    """Of each setup, the ten metrics of each week, shape (n_weeks, 10)."""


class Setup(NamedTuple):
    """What is simulated over all weeks of a grid.

    Attributes
    ----------
    grid : str
        Which workload, by its name in the laboratory.
    broker : str
        Words of a broker or an arrangement without one.
    admissible, policy, estimates : str
        As of ``echelon run``.
    """

    grid: str
    broker: str
    admissible: str = "1"
    policy: str = "easy"
    estimates: str = "raise"


class Laboratory:
    """Runs setups on grids, each once; what was measured is kept.

    Parameters
    ----------
    grids : mapping of str to GridWorkload
        By name.
    """

    def __init__(self, grids: Mapping[str, GridWorkload]) -> None:
        self.grids = grids
        self.runs = 0
        self._measured: dict[Setup, NDArray[np.float64]] = {}
        self._instances = cache(self._instance)

    def measures(
        self, setups: Sequence[Setup], *, progress: Callable[[int, int | None], None] | None = None
    ) -> Measures:
        """Return the metrics of the setups, running those that are new on all processors of this machine."""
        new = [setup for setup in dict.fromkeys(setups) if setup not in self._measured]
        tasks = [(setup, week) for setup in new for week in range(1, len(self.grids[setup.grid]) + 1)]
        found = {setup: np.empty((len(self.grids[setup.grid]), len(GRID_STUDY))) for setup in new}
        for done, (task, values) in enumerate(_each(self._measure, tasks), 1):
            found[task[0]][task[1] - 1] = values
            if progress:
                progress(done, len(tasks))
        self._measured |= found
        self.runs += len(tasks)
        return {setup: self._measured[setup] for setup in setups}

    def schedules(self, setup: Setup, see: Callable[[Schedule], object]) -> list[object]:
        """Return what `see` makes of the schedule of each week."""
        tasks = [(setup, week) for week in range(1, len(self.grids[setup.grid]) + 1)]
        found = dict(_each(lambda *task: see(self._schedule(*task)), tasks))
        self.runs += len(tasks)
        return [found[task] for task in tasks]

    def _measure(self, setup: Setup, week: int) -> list[float]:
        measured = Measured(self._schedule(setup, week))
        return [float(metric_named(name).function(measured) or 0.0) for name in GRID_STUDY.values()]

    def _schedule(self, setup: Setup, week: int) -> Schedule:
        scenario = Scenario(
            self._instances(setup.grid, week, setup.estimates),
            policy_named(setup.policy),
            broker=broker_named(setup.broker),
            admissible=admissible(setup.admissible),
        )
        return run_scenario(scenario).schedule

    def _instance(self, grid: str, week: int, estimates: str) -> Instance:
        source = self.grids[grid]
        return Instance.of(source.week(week), source.platform, estimates=estimates)


def _each(work: Callable[..., object], tasks: Sequence[tuple[object, ...]]):  # noqa: ANN202
    """Yield each task and what came of it, as they end; compiled simulations run at the same time."""
    if not tasks:
        return
    # The first alone: it may have to compile.
    yield tasks[0], work(*tasks[0])
    with ThreadPoolExecutor(max_workers=os.cpu_count() or 1) as pool:
        waiting = {pool.submit(work, *task): task for task in tasks[1:]}
        try:
            for ended in as_completed(waiting):
                yield waiting[ended], ended.result()
        finally:
            for future in waiting:
                future.cancel()
