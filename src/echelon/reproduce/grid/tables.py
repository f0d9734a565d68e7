"""The grid study's tables 3 to 10, 12 and 13: as printed, and worked out from what was measured."""

from __future__ import annotations

from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import ranks
from echelon.metrics import transfer_percentages, transfers
from echelon.reproduce.grid.data import (
    BEST,
    GRIDS,
    MAIN,
    METRICS,
    MISPRINTS,
    WITH,
    WITHOUT,
    cells_never_taken,
    read_printed,
    repeats_of,
)
from echelon.reproduce.grid.two_levels import MAIN_ROWS
from echelon.reproduce.machinery.printed_table import beside_print

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from echelon.reproduce.grid.one_level import OneLevel
    from echelon.reproduce.grid.two_levels import TwoLevels
    from echelon.reproduce.grid.workloads import Case
    from echelon.reproduce.machinery.figure import Apart
    from echelon.reproduce.machinery.printed_table import Cell, PrintedTable

    Means = Mapping[str, TwoLevels]
    """By the names of the grids that are testable."""
    Values = NDArray[np.float64]
    Labels = tuple[str, ...]
    Row = Callable[[Labels], Values | None]

_WHY = {
    True: "the load of Grid 1 differs from the study's, and the study used other weeks",
    False: "jobs of DAS-2 are missing, and by the definition a site of 32 processors is admissible to no job",
}
"""Why ours differ, of tables about several grids, and of those about Grid 3."""


def two_level_tables(experiments: Means, cases: Mapping[str, Case]) -> list[PrintedTable]:
    """Return the study's tables of two levels: those over all grids, then those of Grid 3."""
    missing = {name: case.missing for name, case in cases.items()}
    missing["all"] = "; ".join(dict.fromkeys(why for why in missing.values() if why))
    three, grid3 = {"Grid 3": missing["Grid 3"]}, experiments.get("Grid 3")
    return [
        *(
            _table(name, title, where, partial(row, experiments), missing)
            for name, title, where, row in _OVER_GRIDS
        ),
        *(
            _table(name, f"Grid 3: {title}", where, _nothing if grid3 is None else partial(row, grid3), three)
            for name, title, where, row in _OF_GRID_3
        ),
    ]


def _table(name: str, title: str, where: str, row: Row, missing: Mapping[str, str]) -> PrintedTable:
    """Return one table; `missing` has reasons by grid, of one grid alone if the whole table is of it."""
    file = name.replace(" ", "")
    table = beside_print(
        read_printed(file),
        (name, title, f"{where}, {name}"),
        row,
        unit=lambda labels: _unit(file, labels),
        untested=lambda labels: missing[labels[-1] if labels[-1] in missing else next(iter(missing))],
        misprints=MISPRINTS.get(file),
        why=_WHY[len(missing) > 1],
    )
    return replace(table, apart={**_best(table), **repeats_of(file)})


def _best(table: PrintedTable) -> dict[Cell, Apart]:
    """Return the cells of degradations that are 0 in print and whose strategy is ours best, too."""
    return {
        (row.labels, column): BEST
        for row in table.rows
        if row.got is not None and row.unit == "%"
        for column, text, ours in zip(table.columns, row.printed, row.got, strict=True)
        if text == "0" and ours == 0.0
    }


def _unit(file: str, labels: Labels) -> str:
    if "rank" in labels or file == "table6":
        return "rank"
    return "% better" if file == "table5" else "%"


def _by_metric(experiments: Means, labels: Labels) -> Values | None:
    """Return a row of tables 3 and 10; None where its grid is not testable."""
    symbol, grid = labels
    return experiments[grid].percent()[METRICS.index(symbol)] if grid in experiments else None


def _by_grid(experiments: Means, labels: Labels) -> Values | None:
    """Return a row of table 4; None where a grid of it is not testable."""
    what, grid = labels
    grids = GRIDS if grid == "all" else (grid,)
    if any(name not in experiments for name in grids):
        return None
    means: Values = np.mean([experiments[name].main() for name in grids], axis=0)
    return ranks(means) if what == "rank" else means


_OVER_GRIDS = (
    ("table 3", "Mean degradation without admissibility", "section 4.5", _by_metric),
    ("table 4", "Mean of the three metrics, and ranks", "section 4.5", _by_grid),
    ("table 10", "Degradation without admissibility, all metrics", "appendix B", _by_metric),
)
"""Name, title and section of a table, and what gives our rows by the results of all grids and by labels."""


def _nothing(_: Labels) -> None:
    return None


def _improvement_row(grid: TwoLevels, labels: Labels) -> Values:
    """Return a row of table 5, where rank 1 is the largest improvement."""
    if labels[0] in MAIN:
        return np.asarray(grid.improvements[MAIN.index(labels[0])])
    mean = grid.improvements.mean(axis=0)
    return ranks(mean.max() - mean) if labels[0] == "rank" else mean


def _rank_row(grid: TwoLevels, labels: Labels) -> Values:
    return grid.ranks({"1": WITHOUT, "0.5": WITH}[labels[0]])


def _eighteen(grid: TwoLevels, labels: Labels) -> Values:
    return grid.ranks("both") if labels[0] == "rank" else _row(grid.percent("both"), labels[0], MAIN_ROWS)


_OF_GRID_3 = (
    ("table 5", "improvement by admissible allocation", "section 4.5", _improvement_row),
    ("table 6", "ranks with and without admissibility", "section 4.5", _rank_row),
    ("table 7", "eighteen strategies, three metrics", "section 4.5", _eighteen),
    ("table 12", "eighteen strategies, all metrics", "appendix B",
     lambda grid, labels: _row(grid.percent("both"), labels[0])),
    ("table 13", "a = 0.5 only, all metrics", "appendix B",
     lambda grid, labels: _row(grid.percent("both"), labels[0])[::2]),
)  # fmt: skip
"""The same of those by the results of one grid."""


def _row(percent: Values, label: str, averaged: list[int] | None = None) -> Values:
    """Return the row of a metric, or the average of the rows `averaged`, else of all."""
    if label == "average":
        means: Values = percent[averaged if averaged is not None else slice(None)].mean(axis=0)
        return means
    return np.asarray(percent[METRICS.index(label)])


_WHY_MOVED = "the study used other weeks, which it does not state"
_LETTERS = {"a": "Grid 1", "b": "Grid 2"}


def migration_tables(experiments: Mapping[str, OneLevel], cases: Mapping[str, Case]) -> list[PrintedTable]:
    """Return tables 8 and 9 of both grids."""
    return [
        _migration(number, letter, experiments.get(grid), cases[grid].missing)
        for number in ("8", "9")
        for letter, grid in _LETTERS.items()
    ]


def _migration(number: str, letter: str, grid: OneLevel | None, missing: str) -> PrintedTable:
    file = f"table{number}{letter}"
    table = read_printed(file)
    matrix = None
    if grid is not None:
        matrix = transfers(grid.mean_moves()) if number == "8" else transfer_percentages(grid.mean_moves())
    title = (
        "Mean number of jobs that migrated" if number == "8" else "Share of the jobs of a site that migrated"
    )
    return beside_print(
        table,
        (
            f"table {number} {letter}",
            f"{_LETTERS[letter]}: {title}, from row to column",
            f"section 4.6, table {number} {letter}",
        ),
        lambda labels: _ours(matrix, labels[0], table.columns),
        unit="jobs" if number == "8" else "% of jobs",
        ranked=False,
        untested=missing,
        misprints=MISPRINTS.get(file),
        apart=cells_never_taken(file),
        why=_WHY_MOVED,
    )


def _ours(matrix: Values | None, label: str, columns: tuple[str, ...]) -> tuple[float, ...] | None:
    """Return a row of the matrix, or its sums by column; with its sum where the table has a total."""
    if matrix is None:
        return None
    row = matrix.sum(axis=0) if label == "total" else matrix[int(label.removeprefix("site ")) - 1]
    total = (float(row.sum()),) if columns[-1] == "total" else ()
    return (*map(float, row), *total)
