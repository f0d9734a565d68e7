"""E1: how exact and how dear the estimators are on one cluster, dedicated, shared, and shared with owners.

Corrected estimators and the Decisor learn from the jobs that have ended and change nothing of the run, so
that one run covers all: they are replayed from the forecasts of the others.
"""

from __future__ import annotations

from heapq import heappop, heappush
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.history import experiences_of
from echelon.metrics import forecast_accuracy
from echelon.model.schedules.features import there
from echelon.policies.estimators.corrected import Corrected, Correction
from echelon.policies.estimators.decisor import Contest, Decisor
from echelon.reproduce.multicluster.evidence import CORRECTED, LOADS, SIX
from echelon.reproduce.multicluster.setups import E1_DECISIONS, FITTED, Setup, owners_spec, simulate_setup

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.experiments.processes import Processes
    from echelon.model import Experience, Schedule
    from echelon.model.jobs.columns import FloatColumn
    from echelon.reproduce.machinery.experiments import FloatTable, Progress
    from echelon.reproduce.multicluster.evidence import Predicted
    from echelon.reproduce.multicluster.setups import World


class Times(NamedTuple):
    """When each job was forecast, when it started, and when it ended, in seconds, each of shape (n_jobs,)."""

    delivered: FloatColumn
    start: FloatColumn
    end: FloatColumn

    @classmethod
    def of(cls, schedule: Schedule) -> Times:
        """Return those of a schedule of a multicluster."""
        return cls(there(schedule.delivered), schedule.start_time, there(schedule.end))

    @property
    def wait(self) -> FloatColumn:
        """From delivery to start."""
        return self.start - self.delivered

    @property
    def run(self) -> FloatColumn:
        """From start to end."""
        return self.end - self.start


def correct_forecasts(forecasts: FloatColumn, real: FloatColumn, times: Times) -> FloatColumn:
    """Return forecasts of one quantity, each divided by the slope learned from jobs ended before; in s."""
    line = Correction(Corrected())
    corrections = np.empty(len(forecasts))
    for position, is_end in _events(times):
        if is_end:
            line.add(float(forecasts[position]), float(real[position]))
        else:
            corrections[position] = line.correct(float(forecasts[position]))
    return corrections


def choose_forecasts(forecasts: Sequence[FloatColumn], real: FloatColumn, times: Times) -> FloatColumn:
    """Return of each job the forecast of the estimator that had done best lately, by the Decisor's rule.

    `forecasts` has a column for every estimator it asks, in the order of its ties, in seconds.
    """
    contest = Contest(Decisor(of=" ".join(["smith"] * len(forecasts))))
    decisions = np.empty(len(real))
    for position, is_end in _events(times):
        if is_end:
            contest.add([float(column[position]) for column in forecasts], float(real[position]))
        else:
            decisions[position] = forecasts[contest.ranking[0]][position]
    return decisions


def _events(times: Times) -> Iterator[tuple[int, bool]]:
    """Yield (job, whether it ends) by time; at an instant ends come first, equal ones by start."""
    ends: list[tuple[float, float, int]] = []
    for position in np.argsort(times.delivered, kind="stable").tolist():
        while ends and ends[0][0] <= times.delivered[position]:
            yield heappop(ends)[-1], True
        yield position, False
        heappush(ends, (float(times.end[position]), float(times.start[position]), position))


GAP = 4.0
WARM_UP_SEED = 10_000
"""First seed of the runs that the history is of: none of those that are measured."""

QUEUES = {"dedicated": 1, "shared": 2, "high load": 2}
"""Queue of each load: BASIC of dedicated nodes, FCFS of shared ones, as the thesis names them."""

SPECS = {name: name.lower() for name in SIX}
DECISOR = "Decisor"
DECIDED = ("IBL", "Smith", f"{CORRECTED} SDPN", f"{CORRECTED} Hybrid")
"""The estimators that the Decisor asks, in the order of its ties."""


class Accuracy(NamedTuple):
    """What E1 gives; see `Evidence`.

    Attributes
    ----------
    accuracy : mapping of (load, quantity, estimator) to array of shape (n_seeds, 3)
        Slope, Ra and deviation.
    cost : mapping of (load, estimator) to array of shape (n_seeds,)
        Mean seconds a forecast.
    experiences : int
        In the history.
    """

    accuracy: dict[tuple[str, Predicted, str], FloatTable]
    cost: dict[tuple[str, str], FloatColumn]
    experiences: int


class _Task(NamedTuple):
    load: str
    seed: int
    jobs: int
    world: World
    past: tuple[Experience, ...]


def setup_of(load: str, jobs: int, world: World = FITTED) -> Setup:
    """Return the run of one load: 16 nodes, one cluster, first come first served.

    There is nothing to choose; but every job is predicted before it joins the queue, which takes its time.
    """
    return Setup(
        platform="cisne-16-dedicated" if load == "dedicated" else "cisne-16",
        jobs=jobs,
        gap=GAP,
        queue=QUEUES[load],
        broker="first-fit",
        estimator="smith",
        owners=owners_spec(50) if load == "high load" else "none",
        world=world,
        decision=E1_DECISIONS[load] if world.decides else 0.0,
    )


def history(runs: int, jobs: int, world: World, processes: Processes) -> tuple[Experience, ...]:
    """Return the experiences of so many runs of each load, which take turns."""
    tasks = [_Task(load, WARM_UP_SEED + run, jobs, world, ()) for run in range(runs) for load in LOADS]
    return tuple(chain.from_iterable(processes.each(_gather_experiences, tasks)))


def _gather_experiences(task: _Task) -> list[Experience]:
    setup = setup_of(task.load, task.jobs, task.world)
    return experiences_of(simulate_setup(setup, task.seed).schedule)


def accuracy(
    seeds: int,
    jobs: int,
    past: tuple[Experience, ...],
    *,
    processes: Processes,
    world: World = FITTED,
    progress: Progress | None = None,
) -> Accuracy:
    """Run E1: three loads with so many seeds, every estimator asked about every job of each run."""
    tasks = [_Task(load, seed, jobs, world, past) for load in reversed(LOADS) for seed in range(seeds)]
    rows = processes.each(_ask_estimators, tasks, progress)
    accuracy: dict[tuple[str, Predicted, str], list[tuple[float, ...]]] = {}
    cost: dict[tuple[str, str], list[float]] = {}
    for task, (statistics, seconds) in zip(tasks, rows, strict=True):
        for (quantity, name), values in statistics.items():
            accuracy.setdefault((task.load, quantity, name), []).append(values)
        for name, value in seconds.items():
            cost.setdefault((task.load, name), []).append(value)
    return Accuracy(
        {key: np.array(rows) for key, rows in accuracy.items()},
        {key: np.array(values) for key, values in cost.items()},
        len(past),
    )


def _ask_estimators(task: _Task) -> tuple[dict[tuple[Predicted, str], tuple[float, ...]], dict[str, float]]:
    """Return slope, Ra and deviation by quantity and estimator, and seconds by estimator."""
    setup = setup_of(task.load, task.jobs, task.world)._replace(watch=tuple(SPECS[name] for name in SIX[1:]))
    schedule = simulate_setup(setup, task.seed, task.past).schedule
    cost = {
        name: float(np.nanmean(forecast.seconds))
        for name, forecast in zip(SIX, schedule.forecasts, strict=True)
    }
    return dict(accuracies(schedule, SIX)), cost


def accuracies(
    schedule: Schedule, names: Sequence[str]
) -> Iterator[tuple[tuple[Predicted, str], tuple[float, ...]]]:
    """Yield slope, Ra and deviation of each estimator, of those corrected while they run, and of the Decisor.

    `names` are the thesis' names, in the order of the schedule's forecasts.
    """
    times = Times.of(schedule)
    quantities: tuple[tuple[Predicted, FloatColumn], ...] = (("run", times.run), ("wait", times.wait))
    for quantity, real in quantities:
        estimates = {
            name: getattr(forecasts, quantity)
            for name, forecasts in zip(names, schedule.forecasts, strict=True)
        }
        for name in ("SDPN", "Hybrid"):
            if name in estimates:
                estimates[f"{CORRECTED} {name}"] = correct_forecasts(estimates[name], real, times)
        if estimates.keys() >= {*DECIDED}:
            estimates[DECISOR] = choose_forecasts([estimates[name] for name in DECIDED], real, times)
        for name, estimate in estimates.items():
            statistics = forecast_accuracy(estimate, real)
            yield (quantity, name), (statistics.slope, statistics.adjusted_correlation, statistics.deviation)


def slopes(task: tuple[Setup, int, tuple[str, ...]]) -> dict[tuple[Predicted, str], tuple[float, ...]]:
    """Return slope, Ra and deviation of the estimators of a setup, by quantity and the names given."""
    setup, seed, names = task
    schedule = simulate_setup(setup, seed).schedule
    return {key: values for key, values in accuracies(schedule, names) if key[1] in names}
