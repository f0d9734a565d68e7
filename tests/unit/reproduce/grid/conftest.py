"""Values made so that they give what the study printed: what its tables and claims say must come of them."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.reproduce.grid.claims.evidence import Evidence
from echelon.reproduce.grid.data import BETTER, GRIDS, METRICS, read_printed
from echelon.reproduce.grid.one_level import ONE_QUEUE, VARIANTS, OneLevel, Week
from echelon.reproduce.grid.two_levels import TwoLevels
from echelon.reproduce.grid.workloads import Case, Character


def values_of(symbol, percent):
    """Return values with these degradations."""
    shares = np.asarray(percent, dtype=float) / 100
    return 1 + shares if BETTER[symbol] == "low" else 1 - shares


def two_levels_as_printed(grid):
    """Return values of eight weeks, each a little above the one before, with the printed degradations."""
    if grid == "Grid 3":
        rows = [list(read_printed("table12").numbers(symbol).values()) for symbol in METRICS]
        both = np.array([values_of(symbol, row) for symbol, row in zip(METRICS, rows, strict=True)])
        with_, without = both[:, ::2], both[:, 1::2]
    else:
        rows = [list(read_printed("table10").numbers(symbol, grid).values()) for symbol in METRICS]
        without = np.array([values_of(symbol, row) for symbol, row in zip(METRICS, rows, strict=True)])
        with_ = 0.9 * without
    weeks = 1 + 0.01 * np.arange(8) - 0.035
    return TwoLevels(*(np.stack([week * part for week in weeks], axis=1) for part in (without, with_)))


def one_level_as_printed(letter, sizes):
    """Return weeks in which jobs move as in table 8, each home with as many jobs as table 9 implies."""
    table = read_printed(f"table8{letter}")
    sites = len(table.columns)
    moved = np.array([list(table.numbers(f"site {place}").values()) for place in range(1, sites + 1)])
    shares = read_printed(f"table9{letter}")
    for place in range(sites):
        share = shares.number(f"site {place + 1}", column="total")
        moved[place, place] = moved[place].sum() * (100 / share - 1) if share else 10.0
    # Work by the size of the site, so that what is run is even.
    work = np.diag(np.asarray(sizes, dtype=float) * 9)
    work[:] = work.sum() * np.asarray(sizes) / sum(sizes) / sites

    def week(name, k):
        bad = 1.0 if name in ONE_QUEUE else 1.002
        wait = 1.0 if name in ONE_QUEUE else 2.0
        spread = 0.0 if name in ("ST0", "ST100") else 0.001 * k
        large = work.sum(axis=0) * np.linspace(0.1, 0.9, sites)
        return Week([bad + spread, *([wait] * (len(METRICS) - 1))], moved, work, large)

    return OneLevel({name: [week(name, k) for k in range(8)] for name in VARIANTS}, tuple(sizes))


SHARES = {1: 0.37, 2: 0.23, 4: 0.1, 8: 0.06, 16: 0.1, 32: 0.05}
CHARACTER = Character(
    jobs_a_week=6000.0,
    load=0.6,
    by_site=np.array([9, 1, 1]),
    work_by_site=np.array([0.5, 0.3, 0.2]),
    sizes=SHARES,
    small=0.97,
    daytime=0.6,
    lone_job=0.1,
)
SIZES = {
    "Grid 1": (100, 128, 240, 430, 1024, 1152, 1368),
    "Grid 2": (64, 64, 64, 64, 100, 144, 240, 430, 1024),
}


@pytest.fixture
def as_printed():
    """Return evidence that gives the printed tables."""
    return Evidence(
        {grid: Case(None) for grid in GRIDS},
        {grid: two_levels_as_printed(grid) for grid in GRIDS},
        {
            grid: one_level_as_printed(letter, SIZES[grid])
            for letter, grid in (("a", "Grid 1"), ("b", "Grid 2"))
        },
        dict.fromkeys(GRIDS, CHARACTER),
    )


@pytest.fixture
def without_grid_2(as_printed):
    """Return the same where Grid 2's logs are missing."""
    return Evidence(
        {**as_printed.cases, "Grid 2": Case(None, "its logs are missing")},
        {grid: found for grid, found in as_printed.two.items() if grid != "Grid 2"},
        {"Grid 1": as_printed.one["Grid 1"]},
        as_printed.character,
    )
