"""Experiments: all that the reproduction of the M-CISNE thesis simulates, in the order in which it does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from echelon.reproduce.multicluster import arrangements
from echelon.reproduce.multicluster.accuracy import accuracy, history, setup_of, slopes
from echelon.reproduce.multicluster.evidence import Evidence
from echelon.reproduce.multicluster.fit import searched
from echelon.reproduce.multicluster.program import program_by_nodes, program_scaling, program_study
from echelon.reproduce.multicluster.setups import UNEQUAL, measured_setups
from echelon.reproduce.multicluster.spanned import spanned
from echelon.reproduce.multicluster.world import BARE, FITTED, ONE_SLOPE

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.experiments.processes import Processes
    from echelon.reproduce.multicluster.evidence import FloatTable
    from echelon.reproduce.multicluster.fit import Candidate, Target
    from echelon.reproduce.multicluster.settings import MulticlusterSettings
    from echelon.reproduce.multicluster.setups import Setup
    from echelon.reproduce.multicluster.world import World
    from echelon.reproduce.study import Step

    Progress = Callable[[int, int | None], None]

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
        Of the world fitted to all that is printed of it, of the one set by one slope, and of one that is as
        SDPN believes.
    baselines, co_allocations, predictors : mapping of (group, arrangement) to array of shape (n_seeds, 6)
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


def experiments(
    settings: MulticlusterSettings, processes: Processes, step: Step | None = None
) -> Experiments:
    """Run everything; see `echelon.reproduce.multicluster.study.run`."""
    timed = _Timed(step)
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
            _World(settings_there, world, processes).run(timed),
            program=program,
            scaling=scaling,
            by_nodes=nodes,
        )
        for settings_there, world in ((settings, FITTED), (settings.other, ONE_SLOPE), (settings.few, BARE))
    ]
    named = [
        timed(name, partial(measured_setups, _sized(setups, settings), settings.seeds, processes))
        for name, setups in (
            ("baselines", arrangements.baselines()),
            ("co-allocation", arrangements.co_allocations()),
            ("predictors", arrangements.predictors()),
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
            lambda told: searched(
                settings.candidates,
                seeds=settings.search_seeds,
                jobs=settings.jobs,
                processes=processes,
                progress=told,
            ),
        ),
        timed.seconds,
    )


def _sized(setups: Mapping[Case, Setup], settings: MulticlusterSettings) -> dict[Case, Setup]:
    return {case: setup._replace(jobs=settings.jobs_of_choices) for case, setup in setups.items()}


class _World:
    """E0 to E3, and what co-allocated jobs take, in one world.

    Parameters
    ----------
    settings : MulticlusterSettings
        How much of it.
    world : World
        Which.
    processes : Processes
        Where it is run.
    """

    def __init__(self, settings: MulticlusterSettings, world: World, processes: Processes) -> None:
        self._settings, self._world, self._processes = settings, world, processes
        self._name = "" if world == FITTED else f", {world.name}"

    def run(self, timed: _Timed) -> Evidence:
        settings, where = self._settings, self._processes
        past = timed(
            f"E1: history{self._name}",
            lambda _: history(settings.history_runs, settings.jobs, self._world, where),
        )
        estimates = timed(
            f"E1: estimators{self._name}",
            lambda told: accuracy(
                settings.seeds, settings.jobs, past, processes=where, world=self._world, progress=told
            ),
        )
        return Evidence(
            accuracy=estimates.accuracy,
            cost=estimates.cost,
            experiences=estimates.experiences,
            selection=self._cases(timed, arrangements.selection(settings.owners), "E2: choice of clusters"),
            queueing=self._cases(
                timed,
                arrangements.queueing(settings.owners_of_queues, more=not settings.beside),
                "E3: rules of queues",
            ),
            spanned=timed(
                f"E4: co-allocated jobs{self._name}",
                lambda told: spanned(
                    settings.seeds, settings.jobs_of_choices, where, world=self._world, progress=told
                ),
            ),
            central=self._cases(timed, arrangements.central(settings.owners), "E0: one queue or many"),
        )

    def _cases(self, timed: _Timed, which: Mapping[Case, Setup], what: str) -> dict[Case, FloatTable]:
        sized = _sized(which, self._settings)
        setups = {case: setup._replace(world=self._world) for case, setup in sized.items()}
        seeds = self._settings.seeds
        return timed(f"{what}{self._name}", partial(measured_setups, setups, seeds, self._processes))


def unequal_nodes(
    settings: MulticlusterSettings, processes: Processes, progress: Progress | None = None
) -> dict[tuple[str, str, str], FloatTable]:
    """Return slope, Ra and deviation of SDPN and Hanzich under sharing, on equal and on unequal nodes."""
    setups = {"16 equal nodes": _compared(settings), UNEQUAL: _compared(settings)._replace(platform=UNEQUAL)}
    found: dict[tuple[str, str, str], FloatTable] = {}
    for name, setup in setups.items():
        seeds = range(min(settings.seeds, UNEQUAL_SEEDS))
        rows = processes.each(slopes, [(setup, seed, _TWO) for seed in seeds], progress)
        for quantity, estimator in rows[0]:
            found[name, quantity, estimator] = np.array([row[quantity, estimator] for row in rows])
    return found


_TWO = ("SDPN", "Hanzich")


def _compared(settings: MulticlusterSettings) -> Setup:
    """Return the shared load of E1 with these two asked."""
    return setup_of("shared", settings.jobs)._replace(estimator="sdpn", watch=("hanzich",))


class _Timed:
    """Announces each part, runs it, and notes how long it took."""

    def __init__(self, step: Step | None) -> None:
        self._step = step
        self.seconds: dict[str, float] = {}

    def __call__(self, what: str, work: Callable[[Progress | None], Found]) -> Found:
        began = perf_counter()
        found = work(self._step(what) if self._step else None)
        self.seconds[what] = round(perf_counter() - began, 1)
        return found
