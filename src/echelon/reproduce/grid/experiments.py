"""Experiments: all that the grid study's reproduction simulates, in the order in which it does."""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

from echelon.reproduce.grid.cases import cases
from echelon.reproduce.grid.character import character
from echelon.reproduce.grid.evidence import Evidence
from echelon.reproduce.grid.load import offered_loads
from echelon.reproduce.grid.one_level import one_level
from echelon.reproduce.grid.readings import (
    DEFAULT,
    EXACT,
    LOAD,
    LOADS,
    READINGS,
    Tried,
    agreement_with_print,
    applies,
    named,
    tried,
)
from echelon.reproduce.grid.setups import Laboratory
from echelon.reproduce.grid.sweep import sweep
from echelon.reproduce.grid.two_levels import TwoLevels, setups_of, stacked, two_levels

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping

    from echelon.reproduce.grid.load import Offered
    from echelon.reproduce.grid.readings import Reading
    from echelon.reproduce.grid.settings import GridSettings
    from echelon.reproduce.grid.setups import Progress
    from echelon.reproduce.study import Step
    from echelon.workloads.grid import GridWorkload

ON_ONE_LEVEL = ("Grid 1", "Grid 2")
"""Grids of the study's experiments without a broker."""

_LOADED = "Grid 1"
"""The grid whose load is tried: Grid 2 needs a model, and on Grid 3 nearly all of turnaround is waiting."""

_OTHER_WORKLOADS = {"the whole week": "Monday to Friday", "from the 11th on": "30 weeks, not which"}
"""Readings that need a workload of their own to know its load, and what the text says of each."""

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
    loads, loaded = _loads(bench, each, two, settings) if _LOADED in grids else ([], "")
    offered = each.one(f"{_LOADED}, offered load", lambda _: _offered(bench, settings)) if loaded else []
    readings = [
        each.one(f"{grid}, {reading.question}: {reading.name}", partial(_tried, bench, grid, reading, few))
        for grid in grids
        for reading in (DEFAULT, *READINGS)
        if applies(reading, grid) and (grid == "Grid 3" or not settings.quick)
    ]
    characters = {grid: character(jobs) for grid, jobs in grids.items()}
    evidence = Evidence(found, two, one, characters)
    if loaded:
        evidence = _with_load(evidence, bench, each, loaded)
    return Experiments(evidence, readings, loads, offered, sweeps, grids, bench.runs, seconds)


def _loads(
    bench: Laboratory, each: _Timed, two: Mapping[str, TwoLevels], settings: GridSettings
) -> tuple[list[tuple[Tried, float]], str]:
    """Try other loads on all weeks of Grid 1; return them and the name of the load claims are judged with."""
    chosen = [LOAD] if settings.quick else LOADS
    base = two[_LOADED]
    default = Tried(DEFAULT, _LOADED, agreement_with_print(_LOADED, base), base)
    others = [
        each.one(
            f"{_LOADED}, all weeks, {reading.question}: {reading.name}",
            partial(_tried, bench, _LOADED, reading, None),
        )
        for reading in chosen
    ]
    grids = [_LOADED, *(named(bench, _LOADED, reading) for reading in chosen)]
    loads = [character(bench.grids[grid]).load for grid in grids]
    return list(zip([default, *others], loads, strict=True)), named(bench, _LOADED, LOAD)


def _with_load(evidence: Evidence, bench: Laboratory, each: _Timed, loaded: str) -> Evidence:
    """Return the evidence with what exact estimates and the other load give on Grid 1."""
    exact, exact_loaded = (
        each.one(f"{grid}, planned with run times", partial(_exact, bench, grid))
        for grid in (_LOADED, loaded)
    )
    both = {_LOADED: each.one(f"{loaded}, two levels", lambda told: two_levels(bench, loaded, progress=told))}
    alone = {_LOADED: each.one(f"{loaded}, one level", lambda told: one_level(bench, loaded, progress=told))}
    other = replace(
        evidence,
        two={**evidence.two, **both},
        one={**evidence.one, **alone},
        character={**evidence.character, _LOADED: character(bench.grids[loaded])},
        exact=exact_loaded,
    )
    return replace(evidence, exact=exact, loaded=other)


def _exact(bench: Laboratory, grid: str, told: Progress | None = None) -> TwoLevels:
    setups = setups_of(grid, estimates=EXACT.estimates)
    values = stacked(bench.measures(setups, progress=told), setups)
    return TwoLevels(values, values)


def _offered(bench: Laboratory, settings: GridSettings) -> list[Offered]:
    chosen = [] if settings.quick else [one for one in READINGS if one.name in _OTHER_WORKLOADS]
    made = {
        (f"{one.question}, {one.name}", _OTHER_WORKLOADS[one.name]): bench.grids[named(bench, _LOADED, one)]
        for one in chosen
    }
    return offered_loads(bench.grids[_LOADED], made)


def _tried(
    bench: Laboratory, grid: str, reading: Reading, weeks: int | None, told: Progress | None = None
) -> Tried:
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
