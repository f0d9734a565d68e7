"""Experiments: all that the reproduction of the M-CISNE thesis simulates, in order, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, ClassVar, TypeVar

import numpy as np

from echelon.reproduce.machinery.experiments import SeedSettings
from echelon.reproduce.multicluster import queue_setups
from echelon.reproduce.multicluster.accuracy import accuracy, history, setup_of, slopes
from echelon.reproduce.multicluster.evidence import Evidence
from echelon.reproduce.multicluster.fit import Candidate, search_candidates
from echelon.reproduce.multicluster.program import (
    measure_spans,
    program_by_nodes,
    program_scaling,
    program_study,
)
from echelon.reproduce.multicluster.setups import BARE, FITTED, ONE_SLOPE, UNEQUAL, measure_setups

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.experiments.processes import Processes
    from echelon.reproduce.machinery.experiments import FloatTable, Parts, Progress
    from echelon.reproduce.multicluster.fit import Target
    from echelon.reproduce.multicluster.setups import Setup, World

FEW_SEEDS = 4
OTHER_SEEDS = 6

_SHARING = (0.3, 0.4, 0.5)
_OWNERS = (2.0, 2.25, 2.5)
"""Interference and owners' cost among which the world was looked for."""


@dataclass(frozen=True, slots=True)
class MulticlusterSettings(SeedSettings):
    """How much of the study is run.

    Parameters
    ----------
    seeds, quick
        As of `SeedSettings`; if quick, few jobs of E1, a short history, and few cases of E2 to E4.
    beside : bool, default False
        Few cases of E0, E2 and E3 and a shorter history: of what is only set beside the results.
    """

    beside: bool = False

    usual: ClassVar[int] = 30
    preview: ClassVar[int] = 3
    most: ClassVar[int] = 1000

    @property
    def jobs(self) -> int:
        """Jobs of a run of E1: the thesis' number."""
        return 200 if self.quick else 700

    @property
    def jobs_of_choices(self) -> int:
        """Jobs of a run of all other experiments: the thesis' number."""
        return 60

    @property
    def history_runs(self) -> int:
        """Warm-up runs under each load of E1: 72 of 700 jobs are 50,400 experiences."""
        return 2 if self.quick else 8 if self.beside else 24

    @property
    def owners(self) -> tuple[int, ...]:
        """Percents of nodes with owners in E0, E2 and E3."""
        return (0, 60) if self.quick or self.beside else (0, 30, 60, 100)

    @property
    def owners_of_queues(self) -> tuple[int, ...]:
        """Percents of nodes with owners in E3, the dearest experiment; the thesis also has 30 and 100."""
        return (60,) if self.quick or self.beside else (0, 60)

    @property
    def bandwidths(self) -> tuple[int, ...]:
        """Bandwidths of a task in E4, in percent of a cluster's link."""
        return (25, 75) if self.quick else (25, 35, 45, 55, 65, 75)

    @property
    def clusters(self) -> tuple[int, ...]:
        """Clusters of eight nodes for which the program is timed."""
        return (2, 4, 8, 16) if self.quick else (2, 4, 8, 16, 32, 64)

    @property
    def nodes(self) -> tuple[int, ...]:
        """Nodes of each of two clusters for which the program is timed."""
        return (5, 10, 20) if self.quick else (5, 10, 20, 40, 80)

    @property
    def program_seeds(self) -> int:
        """Seeds of the program's study, which is timed in one process."""
        return min(self.seeds, 3 if self.quick else 5)

    @property
    def candidates(self) -> tuple[Candidate, ...]:
        """Worlds among which the study's was looked for."""
        if self.quick:
            return (Candidate("use", 0.4, 2.25), Candidate("count", 0.4, 2.25))
        grid = [Candidate("use", sharing, owners) for sharing in _SHARING for owners in _OWNERS]
        near = Candidate("use", 0.4, 2.25)
        others = [
            near._replace(decides=False),
            near._replace(owners=1.0),
            near._replace(interference=0.0),
            near._replace(cpu="count", interference=0.0),
            near._replace(cpu="count", interference=6.0, owners=1.0, decides=False),
        ]
        return (*grid, *others)

    @property
    def search_seeds(self) -> int:
        """Seeds of the search, which are those of the history."""
        return min(self.seeds, 2)

    @property
    def other(self) -> MulticlusterSettings:
        """The same with fewer seeds and cases, for the other world that is judged."""
        return self._limit_seeds(OTHER_SEEDS)

    @property
    def few(self) -> MulticlusterSettings:
        """The same with few seeds and cases, for what is only set beside it."""
        return self._limit_seeds(FEW_SEEDS)

    def _limit_seeds(self, most: int) -> MulticlusterSettings:
        return MulticlusterSettings(min(self.seeds, 2 if self.quick else most), self.quick, beside=True)


UNEQUAL_SEEDS = 10
"""Most seeds of the comparison on unequal nodes, of 700 jobs each, about which nothing is claimed."""

Found = TypeVar("Found")
Case = TypeVar("Case")


@dataclass(frozen=True, slots=True, eq=False)
class Experiments:
    """What was simulated.

    Parameters
    ----------
    evidence, one_slope, bare : Evidence
        Of the world fitted to all its printed values, of the one set by one slope, and of one that is as SDPN
        believes.
    baselines, co_allocations, predictors : mapping of (group, setup) to array of shape (n_seeds, 6)
        `MEASURES` of what the thesis cites, announces or leaves open.
    unequal : mapping of (load, quantity, estimator) to array of shape (n_seeds, 3)
        Accuracy of SDPN and Hanzich on equal and on unequal nodes.
    search : mapping of Candidate to mapping of Target to float
        Slopes of Smith and Li in the worlds that were looked at.
    seconds : mapping of str to float
        What each part took.
    """

    evidence: Evidence
    one_slope: Evidence
    bare: Evidence
    baselines: Mapping[tuple[str, str], FloatTable]
    co_allocations: Mapping[tuple[str, str], FloatTable]
    predictors: Mapping[tuple[str, str], FloatTable]
    unequal: Mapping[tuple[str, str, str], FloatTable]
    search: Mapping[Candidate, Mapping[Target, float]]
    seconds: Mapping[str, float]


def experiments(settings: MulticlusterSettings, processes: Processes, timed: Parts) -> Experiments:
    """Run everything, part by part."""
    # What is timed in seconds comes first and in one process, so that nothing else disturbs it.
    program = timed("E4: the program", partial(program_study, settings.program_seeds, settings.bandwidths))
    scaling = timed(
        "E4: the program by clusters", partial(program_scaling, settings.program_seeds, settings.clusters)
    )
    nodes = timed(
        "E4: the program by nodes", partial(program_by_nodes, settings.program_seeds, settings.nodes)
    )
    worlds = [
        replace(
            _run_world(settings_there, world, processes, timed),
            program=program,
            scaling=scaling,
            by_nodes=nodes,
        )
        for settings_there, world in ((settings, FITTED), (settings.other, ONE_SLOPE), (settings.few, BARE))
    ]
    named = [
        timed(name, partial(measure_setups, _set_size(setups, settings), settings.seeds, processes))
        for name, setups in (
            ("baselines", queue_setups.baselines()),
            ("co-allocation", queue_setups.co_allocations()),
            ("predictors", queue_setups.predictors()),
        )
    ]
    evidence, one_slope, bare = worlds
    baselines, co_allocations, predictors = named
    return Experiments(
        evidence,
        one_slope,
        bare,
        baselines,
        co_allocations,
        predictors,
        timed("unequal nodes", partial(unequal_nodes, settings, processes)),
        timed(
            "search of a world",
            lambda progress: search_candidates(
                settings.candidates,
                seeds=settings.search_seeds,
                jobs=settings.jobs,
                processes=processes,
                progress=progress,
            ),
        ),
        timed.seconds,
    )


def _set_size(setups: Mapping[Case, Setup], settings: MulticlusterSettings) -> dict[Case, Setup]:
    return {case: setup._replace(jobs=settings.jobs_of_choices) for case, setup in setups.items()}


def _run_world(settings: MulticlusterSettings, world: World, processes: Processes, timed: Parts) -> Evidence:
    """Run E0 to E3, and what co-allocated jobs take, in one world."""
    name = "" if world == FITTED else f", {world.name}"

    def measure_cases(which: Mapping[Case, Setup], what: str) -> dict[Case, FloatTable]:
        sized = _set_size(which, settings)
        setups = {case: setup._replace(world=world) for case, setup in sized.items()}
        return timed(f"{what}{name}", partial(measure_setups, setups, settings.seeds, processes))

    past = timed(
        f"E1: history{name}", lambda _: history(settings.history_runs, settings.jobs, world, processes)
    )
    estimates = timed(
        f"E1: estimators{name}",
        lambda progress: accuracy(
            settings.seeds, settings.jobs, past, processes=processes, world=world, progress=progress
        ),
    )
    queues = queue_setups.queueing(settings.owners_of_queues, more=not settings.beside)
    return Evidence(
        accuracy=estimates.accuracy,
        cost=estimates.cost,
        experiences=estimates.experiences,
        selection=measure_cases(queue_setups.selection(settings.owners), "E2: choice of clusters"),
        queueing=measure_cases(queues, "E3: rules of queues"),
        spanned=timed(
            f"E4: co-allocated jobs{name}",
            lambda progress: measure_spans(
                settings.seeds, settings.jobs_of_choices, processes, world=world, progress=progress
            ),
        ),
        central=measure_cases(queue_setups.central(settings.owners), "E0: one queue or many"),
    )


def unequal_nodes(
    settings: MulticlusterSettings, processes: Processes, progress: Progress | None = None
) -> dict[tuple[str, str, str], FloatTable]:
    """Return slope, Ra and deviation of SDPN and Hanzich under sharing, on equal and on unequal nodes."""
    setups = {
        "16 equal nodes": _comparison_setup(settings),
        UNEQUAL: _comparison_setup(settings)._replace(platform=UNEQUAL),
    }
    tables: dict[tuple[str, str, str], FloatTable] = {}
    for name, setup in setups.items():
        seeds = range(min(settings.seeds, UNEQUAL_SEEDS))
        rows = processes.each(slopes, [(setup, seed, _TWO) for seed in seeds], progress)
        for quantity, estimator in rows[0]:
            tables[name, quantity, estimator] = np.array([row[quantity, estimator] for row in rows])
    return tables


_TWO = ("SDPN", "Hanzich")


def _comparison_setup(settings: MulticlusterSettings) -> Setup:
    """Return the shared load of E1 with these two asked."""
    return setup_of("shared", settings.jobs)._replace(estimator="sdpn", watch=("hanzich",))
