"""Experiments: all that the grid study's reproduction simulates, in order, and how much of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from echelon.reproduce.grid.claims.evidence import Evidence
from echelon.reproduce.grid.load import offered_loads
from echelon.reproduce.grid.one_level import one_level
from echelon.reproduce.grid.readings import (
    DEFAULT,
    EXACT,
    LOAD,
    LOADS,
    READINGS,
    Tried,
    Untried,
    agreement_with_print,
    applies,
    attempt_reading,
    name_workload,
    try_reading,
)
from echelon.reproduce.grid.setups import Laboratory
from echelon.reproduce.grid.two_levels import TwoLevels, setups_of, stack_measures, sweep, two_levels
from echelon.reproduce.grid.workloads import cases, character
from echelon.reproduce.machinery.experiments import check_count

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.grid.load import Offered
    from echelon.reproduce.machinery.experiments import Parts, Progress
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


LOADED = "Grid 1"
"""The grid whose load is tried: Grid 2 needs a model, and on Grid 3 nearly all of turnaround is waiting."""

_OTHER_WORKLOADS = {"the whole week": "Monday to Friday", "from the 11th on": "30 weeks, not which"}
"""Readings that need a workload of their own to know its load, and what the text says of each."""

ON_ONE_LEVEL = ("Grid 1", "Grid 2")
"""Grids of the study's experiments without a broker."""


@dataclass(frozen=True, slots=True, eq=False)
class Experiments:
    """What was simulated.

    Parameters
    ----------
    evidence : Evidence
        What claims are judged by.
    readings : list of Tried or Untried
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
    readings: list[Tried | Untried]
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
    two = parts.each("two levels", grids, partial(two_levels, bench))
    without = [grid for grid in ON_ONE_LEVEL if grid in grids]
    one = parts.each("one level", without, partial(one_level, bench))
    few, factors = settings.few_weeks, settings.sweep
    sweeps = parts.each(
        "sweep of a", grids, lambda grid, progress: sweep(bench, grid, factors, weeks=few, progress=progress)
    )
    loads, loaded = other_loads(bench, parts, two, settings) if LOADED in grids else ([], "")
    offered = parts(f"{LOADED}, offered load", lambda _: offered_work(bench, settings)) if loaded else []
    readings = [
        parts(
            f"{grid}, {reading.question}: {reading.name}", partial(attempt_reading, bench, grid, reading, few)
        )
        for grid in grids
        for reading in (DEFAULT, *READINGS)
        if applies(reading, grid) and (grid == "Grid 3" or not settings.quick)
    ]
    characters = {grid: character(jobs) for grid, jobs in grids.items()}
    evidence = Evidence(case_by_name, two, one, characters)
    if loaded:
        evidence = with_load(evidence, bench, parts, loaded)
    return Experiments(evidence, readings, loads, offered, sweeps, grids, bench.runs, parts.seconds)


def other_loads(
    bench: Laboratory, parts: Parts, two: Mapping[str, TwoLevels], settings: GridSettings
) -> tuple[list[tuple[Tried, float]], str]:
    """Try other loads on all weeks of Grid 1; return them and the name of the load claims are judged with."""
    chosen = [LOAD] if settings.quick else LOADS
    base = two[LOADED]
    default = Tried(DEFAULT, LOADED, agreement_with_print(LOADED, base), base)
    others = [
        parts(
            f"{LOADED}, all weeks, {reading.question}: {reading.name}",
            partial(try_reading, bench, LOADED, reading, None),
        )
        for reading in chosen
    ]
    grids = [LOADED, *(name_workload(bench, LOADED, reading) for reading in chosen)]
    loads = [character(bench.grids[grid]).load for grid in grids]
    return list(zip([default, *others], loads, strict=True)), name_workload(bench, LOADED, LOAD)


def with_load(evidence: Evidence, bench: Laboratory, parts: Parts, loaded: str) -> Evidence:
    """Return the evidence with what exact estimates and the other load give on Grid 1."""
    exact, exact_loaded = (
        parts(f"{grid}, planned with run times", partial(_plan, bench, grid)) for grid in (LOADED, loaded)
    )
    both = {LOADED: parts(f"{loaded}, two levels", partial(two_levels, bench, loaded))}
    alone = {LOADED: parts(f"{loaded}, one level", partial(one_level, bench, loaded))}
    other = replace(
        evidence,
        two={**evidence.two, **both},
        one={**evidence.one, **alone},
        character={**evidence.character, LOADED: character(bench.grids[loaded])},
        exact=exact_loaded,
    )
    return replace(evidence, exact=exact, loaded=other)


def _plan(bench: Laboratory, grid: str, progress: Progress | None = None) -> TwoLevels:
    setups = setups_of(grid, estimates=EXACT.estimates)
    values = stack_measures(bench.measures(setups, progress=progress), setups)
    return TwoLevels(values, values)


def offered_work(bench: Laboratory, settings: GridSettings) -> list[Offered]:
    """Return how much work each reading of Grid 1 offers; of few of them in the quick form."""
    chosen = [] if settings.quick else [one for one in READINGS if one.name in _OTHER_WORKLOADS]
    grids = {
        (f"{one.question}, {one.name}", _OTHER_WORKLOADS[one.name]): bench.grids[
            name_workload(bench, LOADED, one)
        ]
        for one in chosen
    }
    return offered_loads(bench.grids[LOADED], grids)
