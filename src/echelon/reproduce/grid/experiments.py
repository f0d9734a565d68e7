"""Experiments: all that the grid study's reproduction simulates, in the order in which it does."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from echelon.reproduce.grid.cases import cases
from echelon.reproduce.grid.character import character
from echelon.reproduce.grid.evidence import Evidence
from echelon.reproduce.grid.one_level import one_level
from echelon.reproduce.grid.readings import DEFAULT, READINGS, applies, tried
from echelon.reproduce.grid.setups import Laboratory
from echelon.reproduce.grid.sweep import sweep
from echelon.reproduce.grid.two_levels import two_levels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from echelon.reproduce.grid.readings import Reading, Tried
    from echelon.reproduce.grid.settings import GridSettings
    from echelon.reproduce.grid.setups import Progress
    from echelon.reproduce.study import Step
    from echelon.workloads.grid import GridWorkload

ON_ONE_LEVEL = ("Grid 1", "Grid 2")
"""Grids of the study's experiments without a broker."""

Found = TypeVar("Found")


@dataclass(frozen=True, slots=True, eq=False)
class Experiments:
    """What was simulated.

    Parameters
    ----------
    evidence : Evidence
        What claims are judged by.
    readings : list of Tried
        The default first on each grid.
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
    sweeps: Mapping[str, Mapping[float, list[float]]]
    grids: Mapping[str, GridWorkload]
    runs: int
    seconds: Mapping[str, float]


def experiments(settings: GridSettings, step: Step | None = None) -> Experiments:
    """Run everything; see `echelon.reproduce.grid.study.run`."""
    seconds: dict[str, float] = {}
    each = _Timed(step, seconds)
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
    readings = [
        each.one(f"{grid}, {reading.question}: {reading.name}", partial(_tried, bench, grid, reading, few))
        for grid in grids
        for reading in (DEFAULT, *READINGS)
        if applies(reading, grid) and (grid == "Grid 3" or not settings.quick)
    ]
    exact = {one.reading.name: one.found for one in readings if one.grid == "Grid 1" and one.found}
    evidence = Evidence(found, two, one, {grid: character(jobs) for grid, jobs in grids.items()}, exact)
    return Experiments(evidence, readings, sweeps, grids, bench.runs, seconds)


def _tried(bench: Laboratory, grid: str, reading: Reading, weeks: int, told: Progress | None = None) -> Tried:
    return tried(bench, grid, reading, weeks=weeks, progress=told)


class _Timed:
    """Announces each part, and notes how long it took."""

    def __init__(self, step: Step | None, seconds: dict[str, float]) -> None:
        self._step, self._seconds = step, seconds

    def one(self, what: str, work: Callable[[Progress | None], Found]) -> Found:
        began = perf_counter()
        found = work(self._step(what) if self._step else None)
        self._seconds[what] = round(perf_counter() - began, 1)
        return found

    def grid(
        self, what: str, grids: Iterable[str], work: Callable[[str, Progress | None], Found]
    ) -> dict[str, Found]:
        return {grid: self.one(f"{grid}, {what}", partial(work, grid)) for grid in grids}
