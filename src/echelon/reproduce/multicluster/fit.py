"""Fit: what the thesis prints of its world, and how near a world comes to it.

Smith and Li predict by means over the history, so the slopes of their forecasts describe the world itself: by
how much runs and waits differ from load to load. Li's error on dedicated nodes is the noise of run times, and
that of SDPN there is the error of profiles.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.reproduce.machinery.listing import Listing, listing
from echelon.reproduce.machinery.statement import mean_interval
from echelon.reproduce.multicluster.accuracy import WARM_UP_SEED, Times, setup_of
from echelon.reproduce.multicluster.data import TABLES, read_printed
from echelon.reproduce.multicluster.evidence import DEVIATION, LOADS, SLOPE
from echelon.reproduce.multicluster.setups import FITTED, applications_of, simulate_setup

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.execution.cpu_sharing import CpuSharing
    from echelon.experiments.processes import Processes
    from echelon.reproduce.machinery.experiments import Progress
    from echelon.reproduce.machinery.listing import Row
    from echelon.reproduce.multicluster.evidence import Evidence, Predicted
    from echelon.reproduce.multicluster.setups import Setup, World

    Moments = dict[str, NDArray[np.float64]]
    """By application: jobs, sums of runs and of waits, and of their squares."""


class Target(NamedTuple):
    """A printed number that describes the world: a statistic of an estimator in a table of accuracy."""

    table: str
    statistic: str
    estimator: str

    @property
    def where(self) -> tuple[Predicted, str]:
        """Of which quantity and load it is."""
        return TABLES[self.table]

    @property
    def printed(self) -> float:
        """As printed."""
        return float(read_printed(self.table).number(self.statistic, column=self.estimator))

    def measure(self, evidence: Evidence) -> float:
        """Return the same of ours, the mean over seeds."""
        quantity, load = self.where
        column = SLOPE if self.statistic == "slope" else DEVIATION
        return mean_interval(evidence.statistic(load, quantity, self.estimator, column)).mean


SLOPES = tuple(
    Target(table, "slope", estimator)
    for table in TABLES
    for estimator in ("Smith", "Li")
    # On dedicated nodes Li knows of nothing else, so that its slope is 1 in every world.
    if (table, estimator) not in (("3.4", "Li"), ("3.7", "Li"))
)
"""What interference and owners were fitted to."""

TARGETS = (Target("3.4", "deviation", "Li"), Target("3.4", "deviation", "SDPN"), *SLOPES)
"""All of them: the first two say what noise and the error of profiles are."""


class Candidate(NamedTuple):
    """A candidate world: how processors are shared, the costs of sharing and owners, times of decisions."""

    cpu: CpuSharing
    interference: float
    owners: float
    decides: bool = True

    @property
    def world(self) -> World:
        """All else as in the study's."""
        execution = replace(
            FITTED.execution, cpu=self.cpu, interference=self.interference, owners=self.owners
        )
        return FITTED._replace(name=str(self), execution=execution, decides=self.decides)


def search_candidates(
    candidates: Sequence[Candidate],
    *,
    seeds: int,
    jobs: int,
    processes: Processes,
    progress: Progress | None = None,
) -> dict[Candidate, dict[Target, float]]:
    """Return what each candidate gives for `SLOPES`, with its own runs as the history."""
    setups = {(one, load): _setup(one, load, jobs) for one in candidates for load in LOADS}
    different = list(dict.fromkeys(setups.values()))
    tasks = [(setup, WARM_UP_SEED + seed) for setup in different for seed in range(seeds)]
    rows = processes.each(_moments, tasks, progress)
    summed = {
        setup: _together(rows[place * seeds : (place + 1) * seeds]) for place, setup in enumerate(different)
    }
    return {one: _slopes({load: summed[setups[one, load]] for load in LOADS}) for one in candidates}


def _setup(candidate: Candidate, load: str, jobs: int) -> Setup:
    """Return the run of one load; what cannot matter there is left out, so that it is run once."""
    nobody = candidate._replace(owners=1.0) if load != "high load" else candidate
    alone = nobody._replace(interference=0.0) if load == "dedicated" else nobody
    return setup_of(load, jobs, alone.world._replace(name=""))


def _moments(task: tuple[Setup, int]) -> Moments:
    schedule = simulate_setup(*task).schedule
    moments: Moments = {}
    times = Times.of(schedule)
    for run, wait, application in zip(times.run, times.wait, applications_of(schedule.instance), strict=True):
        row = np.array([1.0, run, wait, run * run, wait * wait])
        moments[application.name] = moments.get(application.name, np.zeros(5)) + row
    return moments


def _together(parts: Sequence[Moments]) -> Moments:
    names = sorted({name for part in parts for name in part})
    return {name: np.sum([part[name] for part in parts if name in part], axis=0) for name in names}


def _slopes(loads: Mapping[str, Moments]) -> dict[Target, float]:
    """Return the slopes of Smith, which knows runs of all loads, and of Li, which knows their queues."""
    slopes = {}
    for target in SLOPES:
        quantity, load = target.where
        names = LOADS if target.estimator == "Smith" else LOADS[1:]
        column = 1 if quantity == "run" else 2
        here = loads[load]
        predictions = {
            name: np.mean(
                [loads[one][name][column] / loads[one][name][0] for one in names if name in loads[one]]
            )
            for name in here
        }
        over = sum(predictions[name] * moments[column] for name, moments in here.items())
        squares = sum(moments[column + 2] for moments in here.values())
        slopes[target] = float(over / squares) if squares > 0 else np.inf
    return slopes


WEIGHTS: Mapping[str, float] = {"run": 1.0, "wait": 0.25}
"""Of a slope in the distance: hardly any job waits under sharing, so that slopes of waits scatter far."""


def distance(reached: Mapping[Target, float]) -> float:
    """Return by what share what is reached is off what was printed: a mean of |ln(ours / printed)|."""
    weights = [WEIGHTS[target.where[0]] for target in reached]
    off = [abs(np.log(value / target.printed)) if value > 0 else np.inf for target, value in reached.items()]
    return float(np.average(off, weights=weights))


def fit_listing(worlds: Mapping[str, Evidence]) -> Listing:
    """Return every target as printed and as it came out in each world."""
    rows: list[Row] = [
        (
            f"table {target.table}",
            f"{target.statistic} of {target.estimator}, {target.where[0]}, {target.where[1]}",
            target.printed,
            *(target.measure(evidence) for evidence in worlds.values()),
        )
        for target in TARGETS
    ]
    off = [distance({target: target.measure(evidence) for target in SLOPES}) for evidence in worlds.values()]
    return Listing(
        "fit",
        "Printed values on the world, and those of our worlds",
        ("Where", "Of", "Printed", *worlds),
        (*rows, ("", "weighted mean of |ln(ours / printed)| of the slopes", 0.0, *off)),
        "Means over seeds. The forecasts of Smith and Li are means over the history, so that their slopes "
        "compare the runs and waits of one load with those of all. No other printed value was used for the "
        "fit.",
        labels=2,
    )


@listing(
    "search",
    "Candidate worlds, the nearest first",
    (
        "CPU shared by",
        "Interference",
        "Owners",
        "Decisions take time",
        *(f"{target.table} {target.estimator}" for target in SLOPES),
        "Distance",
    ),
    f"Slopes, printed: {', '.join(f'{target.printed:g}' for target in SLOPES)}. Empty where no job waited. "
    "The history is of the same runs, few seeds. Distance: mean of |ln(ours / printed)|, with slopes of "
    "waits counted a quarter.",
    labels=4,
)
def search_listing(candidates: Mapping[Candidate, Mapping[Target, float]]) -> Iterable[Row]:
    """Return how near each candidate comes to the slopes, the nearest first."""
    ranked = sorted(candidates.items(), key=lambda item: distance(item[1]))
    return [
        (
            one.cpu,
            f"{one.interference:g}",
            f"{one.owners:g}",
            "yes" if one.decides else "no",
            *(reached[target] if np.isfinite(reached[target]) else np.nan for target in SLOPES),
            distance(reached) if np.isfinite(distance(reached)) else np.nan,
        )
        for one, reached in ranked
    ]
