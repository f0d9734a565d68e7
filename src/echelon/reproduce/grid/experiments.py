"""Experiments: all that the grid study's reproduction simulates, in the order in which it does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING

from echelon.reproduce.grid.cases import cases
from echelon.reproduce.grid.character import character
from echelon.reproduce.grid.evidence import Evidence
from echelon.reproduce.grid.load_experiments import LOADED, offered_work, other_loads, with_load
from echelon.reproduce.grid.one_level import one_level
from echelon.reproduce.grid.readings import DEFAULT, READINGS, Tried, applies, tried
from echelon.reproduce.grid.setups import Laboratory
from echelon.reproduce.grid.sweep import sweep
from echelon.reproduce.grid.timed_parts import TimedParts
from echelon.reproduce.grid.two_levels import two_levels

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.grid.load import Offered
    from echelon.reproduce.grid.readings import Reading
    from echelon.reproduce.grid.settings import GridSettings
    from echelon.reproduce.grid.setups import Progress
    from echelon.reproduce.machinery.parts import Step
    from echelon.workloads.grid import GridWorkload

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


def experiments(settings: GridSettings, step: Step | None = None) -> Experiments:
    """Run everything; see `echelon.reproduce.grid.study.run`."""
    seconds: dict[str, float] = {}
    each = TimedParts(step, seconds)
    found = each.one("reading the logs", lambda _: cases(settings))
    grids = {name: case.grid for name, case in found.items() if case.grid is not None}
    bench = Laboratory(grids)
    two = each.grid("two levels", grids, lambda grid, told: two_levels(bench, grid, progress=told))
    without = [grid for grid in ON_ONE_LEVEL if grid in grids]
    one = each.grid("one level", without, lambda grid, told: one_level(bench, grid, progress=told))
    few, factors = settings.few_weeks, settings.sweep
    sweeps = each.grid(
        "sweep of a", grids, lambda grid, told: sweep(bench, grid, factors, weeks=few, progress=told)
    )
    loads, loaded = other_loads(bench, each, two, settings) if LOADED in grids else ([], "")
    offered = each.one(f"{LOADED}, offered load", lambda _: offered_work(bench, settings)) if loaded else []
    readings = [
        each.one(f"{grid}, {reading.question}: {reading.name}", partial(_tried, bench, grid, reading, few))
        for grid in grids
        for reading in (DEFAULT, *READINGS)
        if applies(reading, grid) and (grid == "Grid 3" or not settings.quick)
    ]
    characters = {grid: character(jobs) for grid, jobs in grids.items()}
    evidence = Evidence(found, two, one, characters)
    if loaded:
        evidence = with_load(evidence, bench, each, loaded)
    return Experiments(evidence, readings, loads, offered, sweeps, grids, bench.runs, seconds)


def _tried(
    bench: Laboratory, grid: str, reading: Reading, weeks: int | None, told: Progress | None = None
) -> Tried:
    return tried(bench, grid, reading, weeks=weeks, progress=told)
