"""Experiments: all that the grid study's reproduction simulates, in order, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from echelon.reproduce.grid.claims.evidence import Evidence
from echelon.reproduce.grid.load_experiments import LOADED, offered_work, other_loads, with_load
from echelon.reproduce.grid.one_level import one_level
from echelon.reproduce.grid.readings import DEFAULT, READINGS, Tried, applies, try_reading
from echelon.reproduce.grid.setups import Laboratory
from echelon.reproduce.grid.two_levels import sweep, two_levels
from echelon.reproduce.grid.workloads import cases, character
from echelon.reproduce.machinery.repetitions import check_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.grid.load import Offered
    from echelon.reproduce.grid.readings import Reading
    from echelon.reproduce.machinery.parts import Parts, Progress
    from echelon.workloads.grid import GridWorkload


WEEKS = 30
QUICK_WEEKS = 2
FEW_WEEKS = 5
SWEEP = (0.2, 0.4, 0.5, 0.6, 0.8, 1.0)
QUICK_SWEEP = (0.5, 1.0)


@dataclass(frozen=True, slots=True)
class GridSettings:
    """How much of the study is run.

    Parameters
    ----------
    weeks : int, default 30
        Weekly experiments of each grid, 1 to 30, the study's number.
    quick : bool, default False
        Few factors of admissibility, and other readings only on Grid 3, the fastest.
    stand_ins : bool, default False
        Let jobs of a model stand in for the logs that are not to be had.

    Raises
    ------
    InputError
        If `weeks` is out of its bounds.
    """

    weeks: int = WEEKS
    quick: bool = False
    stand_ins: bool = False

    def __post_init__(self) -> None:
        check_count(self.weeks, least=1, most=WEEKS, field="weeks")

    @property
    def few_weeks(self) -> int:
        """Weeks of the sweep and of readings tried: the first ones."""
        return min(self.weeks, FEW_WEEKS)

    @property
    def sweep(self) -> tuple[float, ...]:
        """Factors of admissibility of the sweep, ascending; 1 is the last."""
        return QUICK_SWEEP if self.quick else SWEEP


ON_ONE_LEVEL = ("Grid 1", "Grid 2")
"""Grids of the study's experiments without a broker."""


@dataclass(frozen=True, slots=True, eq=False)
class Experiments:
    """What was simulated.

    Parameters
    ----------
    evidence : Evidence
        What claims are judged by.
    readings : list of Tried
        The default first on each grid.
    loads : list of (Tried, float)
        Grid 1 by default and with other loads, on all weeks, and the load offered.
    offered : list of Offered
        How much work each reading of Grid 1's workload offers.
    sweeps : mapping of str to mapping of float to list of float
        By grid and factor of admissibility.
    grids : mapping of str to GridWorkload
        Those that are testable.
    runs : int
        Simulations in all.
    seconds : mapping of str to float
        What each part took.
    """

    evidence: Evidence
    readings: list[Tried]
    loads: list[tuple[Tried, float]]
    offered: list[Offered]
    sweeps: Mapping[str, Mapping[float, list[float]]]
    grids: Mapping[str, GridWorkload]
    runs: int
    seconds: Mapping[str, float]


def experiments(settings: GridSettings, parts: Parts) -> Experiments:
    """Run everything, part by part."""
    case_by_name = parts("reading the logs", lambda _: cases(settings))
    grids = {name: case.grid for name, case in case_by_name.items() if case.grid is not None}
    bench = Laboratory(grids)
    two = parts.each("two levels", grids, lambda grid, progress: two_levels(bench, grid, progress=progress))
    without = [grid for grid in ON_ONE_LEVEL if grid in grids]
    one = parts.each("one level", without, lambda grid, progress: one_level(bench, grid, progress=progress))
    few, factors = settings.few_weeks, settings.sweep
    sweeps = parts.each(
        "sweep of a", grids, lambda grid, progress: sweep(bench, grid, factors, weeks=few, progress=progress)
    )
    loads, loaded = other_loads(bench, parts, two, settings) if LOADED in grids else ([], "")
    offered = parts(f"{LOADED}, offered load", lambda _: offered_work(bench, settings)) if loaded else []
    readings = [
        parts(f"{grid}, {reading.question}: {reading.name}", partial(_try_reading, bench, grid, reading, few))
        for grid in grids
        for reading in (DEFAULT, *READINGS)
        if applies(reading, grid) and (grid == "Grid 3" or not settings.quick)
    ]
    characters = {grid: character(jobs) for grid, jobs in grids.items()}
    evidence = Evidence(case_by_name, two, one, characters)
    if loaded:
        evidence = with_load(evidence, bench, parts, loaded)
    return Experiments(evidence, readings, loads, offered, sweeps, grids, bench.runs, parts.seconds)


def _try_reading(
    bench: Laboratory, grid: str, reading: Reading, weeks: int | None, progress: Progress | None = None
) -> Tried:
    return try_reading(bench, grid, reading, weeks=weeks, progress=progress)
