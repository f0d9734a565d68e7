"""Experiments about the load of the grid study: Grid 1 with other run times, and planned with them."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

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
    name_workload,
    try_reading,
)
from echelon.reproduce.grid.two_levels import TwoLevels, setups_of, stack_measures, two_levels
from echelon.reproduce.grid.workloads import character

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.grid.claims.evidence import Evidence
    from echelon.reproduce.grid.experiments import GridSettings
    from echelon.reproduce.grid.load import Offered
    from echelon.reproduce.grid.readings import Reading
    from echelon.reproduce.grid.setups import Laboratory
    from echelon.reproduce.machinery.parts import Parts, Progress

LOADED = "Grid 1"
"""The grid whose load is tried: Grid 2 needs a model, and on Grid 3 nearly all of turnaround is waiting."""

_OTHER_WORKLOADS = {"the whole week": "Monday to Friday", "from the 11th on": "30 weeks, not which"}
"""Readings that need a workload of their own to know its load, and what the text says of each."""


def other_loads(
    bench: Laboratory, parts: Parts, two: Mapping[str, TwoLevels], settings: GridSettings
) -> tuple[list[tuple[Tried, float]], str]:
    """Try other loads on all weeks of Grid 1; return them and the name of the load claims are judged with."""
    chosen = [LOAD] if settings.quick else LOADS
    base = two[LOADED]
    default = Tried(DEFAULT, LOADED, agreement_with_print(LOADED, base), base)
    others = [
        parts(
            f"{LOADED}, all weeks, {reading.question}: {reading.name}", partial(_try_reading, bench, reading)
        )
        for reading in chosen
    ]
    grids = [LOADED, *(name_workload(bench, LOADED, reading) for reading in chosen)]
    loads = [character(bench.grids[grid]).load for grid in grids]
    return list(zip([default, *others], loads, strict=True)), name_workload(bench, LOADED, LOAD)


def with_load(evidence: Evidence, bench: Laboratory, parts: Parts, loaded: str) -> Evidence:
    """Return the evidence with what exact estimates and the other load give on Grid 1."""
    exact, exact_loaded = (
        parts(f"{grid}, planned with run times", partial(_exact, bench, grid)) for grid in (LOADED, loaded)
    )
    both = {
        LOADED: parts(f"{loaded}, two levels", lambda progress: two_levels(bench, loaded, progress=progress))
    }
    alone = {
        LOADED: parts(f"{loaded}, one level", lambda progress: one_level(bench, loaded, progress=progress))
    }
    other = replace(
        evidence,
        two={**evidence.two, **both},
        one={**evidence.one, **alone},
        character={**evidence.character, LOADED: character(bench.grids[loaded])},
        exact=exact_loaded,
    )
    return replace(evidence, exact=exact, loaded=other)


def _exact(bench: Laboratory, grid: str, progress: Progress | None = None) -> TwoLevels:
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


def _try_reading(bench: Laboratory, reading: Reading, progress: Progress | None = None) -> Tried:
    return try_reading(bench, LOADED, reading, progress=progress)
