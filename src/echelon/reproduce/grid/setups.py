"""Setups: what is simulated over all weeks of a grid, many at once, each week measured."""

from __future__ import annotations

import os
import sys
from concurrent.futures import ThreadPoolExecutor, as_completed
from functools import cache
from typing import TYPE_CHECKING, NamedTuple, TypeVar

import numpy as np

from echelon.engine.contract import Scenario
from echelon.engine.system_model import tree_of_sites
from echelon.experiments.simulation import run_scenario
from echelon.metrics import Measured, metric_named
from echelon.metrics.schedule.grid_study import GRID_STUDY
from echelon.model import Instance
from echelon.policies import broker_named, policy_named
from echelon.policies.broker.admissible import admissible

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.model import Schedule
    from echelon.reproduce.machinery.experiments import Progress
    from echelon.workloads.grid import GridWorkload

    Measures = Mapping["Setup", NDArray[np.float64]]
    """Of each setup, the ten metrics of each week, shape (n_weeks, 10)."""


Task = TypeVar("Task")
Seen = TypeVar("Seen")


class Setup(NamedTuple):
    """What is simulated over all weeks of a grid.

    Attributes
    ----------
    grid : str
        Which workload, by its name in the laboratory.
    broker : str
        Specification of a broker or a decentralized protocol.
    admissible, policy, estimates : str
        As of ``echelon run``.
    """

    grid: str
    broker: str
    admissible: str = "1"
    policy: str = "easy"
    estimates: str = "raise"


class Laboratory:
    """Runs setups on grids by an engine of `echelon.simulate`, and keeps the metrics of each."""

    def __init__(self, grids: Mapping[str, GridWorkload], *, engine: str = "auto") -> None:
        self.grids = dict(grids)
        self.engine = engine
        self.runs = 0
        self._measured: dict[tuple[Setup, int], list[float]] = {}
        self._instance = cache(self._make_instance)

    def measures(
        self, setups: Sequence[Setup], *, weeks: int | None = None, progress: Progress | None = None
    ) -> Measures:
        """Return the ten metrics of the first `weeks` weeks of setups, by default all; new ones are run."""
        tasks = self._tasks(dict.fromkeys(setups), weeks)
        new = [task for task in tasks if task not in self._measured]
        self._measured |= self._each(new, ten_metrics, progress)
        return {
            setup: np.array([self._measured[task] for task in tasks if task[0] == setup]) for setup in setups
        }

    def map_schedules(
        self, setups: Sequence[Setup], see: Callable[[Schedule], Seen], *, progress: Progress | None = None
    ) -> dict[Setup, list[Seen]]:
        """Return what `see` makes of the schedule of each week, running on all processors of this machine."""
        tasks = self._tasks(setups, None)
        seen_by_task = self._each(tasks, see, progress)
        return {setup: [seen_by_task[task] for task in tasks if task[0] == setup] for setup in setups}

    def _tasks(self, setups: Iterable[Setup], weeks: int | None) -> list[tuple[Setup, int]]:
        return [
            (setup, week)
            for setup in setups
            for week in range(1, min(weeks or sys.maxsize, len(self.grids[setup.grid])) + 1)
        ]

    def _each(
        self, tasks: Sequence[tuple[Setup, int]], see: Callable[[Schedule], Seen], progress: Progress | None
    ) -> dict[tuple[Setup, int], Seen]:
        seen_by_task: dict[tuple[Setup, int], Seen] = {}
        for task, one in _map_in_threads(lambda task: see(self._schedule(*task)), tasks):
            seen_by_task[task] = one
            if progress:
                progress(len(seen_by_task), len(tasks))
        self.runs += len(tasks)
        return seen_by_task

    def _schedule(self, setup: Setup, week: int) -> Schedule:
        scenario = Scenario(
            self._instance(setup.grid, week, setup.estimates),
            policy_named(setup.policy),
            system_model=tree_of_sites(broker_named(setup.broker), admissible(setup.admissible)),
        )
        return run_scenario(scenario, engine=self.engine).schedule

    def _make_instance(self, grid: str, week: int, estimates: str) -> Instance:
        source = self.grids[grid]
        return Instance.of(source.week(week), source.platform, estimates=estimates)


def ten_metrics(schedule: Schedule) -> list[float]:
    """Return the study's metrics of a schedule, in the order of its complete tables."""
    measured = Measured(schedule)
    return [float(metric_named(name).function(measured) or 0.0) for name in GRID_STUDY.values()]


def _map_in_threads(work: Callable[[Task], Seen], tasks: Sequence[Task]) -> Iterator[tuple[Task, Seen]]:
    """Yield each task and its result, as they end; compiled simulations run at the same time."""
    if not tasks:
        return
    # The first alone: it may have to compile.
    yield tasks[0], work(tasks[0])
    pool = ThreadPoolExecutor(max_workers=os.cpu_count() or 1)
    waiting = {pool.submit(work, task): task for task in tasks[1:]}
    try:
        for ended in as_completed(waiting):
            yield waiting[ended], ended.result()
    finally:
        # After an error, or an interruption, what has not begun is not begun.
        pool.shutdown(cancel_futures=True)
