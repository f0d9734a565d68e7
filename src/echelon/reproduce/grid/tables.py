"""The grid study's tables 3 to 10, 12 and 13: as printed, and worked out from what was measured."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import ranks
from echelon.metrics import percent_taken, taken
from echelon.reproduce.grid.data import (
    BEST,
    GRIDS,
    MAIN,
    METRICS,
    MISPRINTS,
    WITH,
    WITHOUT,
    never_taken,
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

    Found = Mapping[str, TwoLevels]
    """By the names of the grids that are testable."""
    Row = Callable[[tuple[str, ...]], NDArray[np.float64] | None]

_WHY = {
    True: "the load of Grid 1 differs from the study's, and the study used other weeks",
    False: "jobs of DAS-2 are missing, and by the definition a site of 32 processors is admissible to no job",
}
"""Why ours differ, of tables about several grids, and of those about Grid 3."""


def two_level_tables(experiments: Found, cases: Mapping[str, Case]) -> list[PrintedTable]:
    """Return the study's tables of two levels, in their order."""
    missing = {name: case.missing for name, case in cases.items()}
    missing["all"] = "; ".join(dict.fromkeys(why for why in missing.values() if why))
    every = _Every(experiments)
    grid3 = {"Grid 3": missing["Grid 3"]}
    return [
        _table("table 3", "Mean degradation without admissibility", "section 4.5", every.by_metric, missing),
        _table("table 4", "Mean of the three metrics, and ranks", "section 4.5", every.by_grid, missing),
        _table(
            "table 5",
            "Grid 3: improvement by admissible allocation",
            "section 4.5",
            every.improvement_row,
            grid3,
        ),
        _table(
            "table 6", "Grid 3: ranks with and without admissibility", "section 4.5", every.rank_row, grid3
        ),
        _table("table 7", "Grid 3: eighteen strategies, three metrics", "section 4.5", every.eighteen, grid3),
        _table(
            "table 10",
            "Degradation without admissibility, all metrics",
            "appendix B",
            every.by_metric,
            missing,
        ),
        _table(
            "table 12", "Grid 3: eighteen strategies, all metrics", "appendix B", every.all_metrics, grid3
        ),
        _table("table 13", "Grid 3: a = 0.5 only, all metrics", "appendix B", every.admissible, grid3),
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


def _unit(file: str, labels: tuple[str, ...]) -> str:
    if "rank" in labels or file == "table6":
        return "rank"
    return "% better" if file == "table5" else "%"


class _Every:
    """Rows of tables by their labels; None where a grid is not testable."""

    def __init__(self, experiments: Found) -> None:
        self.found = experiments
        self.grid3 = experiments.get("Grid 3")

    def by_metric(self, labels: tuple[str, ...]) -> NDArray[np.float64] | None:
        """Return a row of tables 3 and 10."""
        symbol, grid = labels
        return self.found[grid].percent()[METRICS.index(symbol)] if grid in self.found else None

    def by_grid(self, labels: tuple[str, ...]) -> NDArray[np.float64] | None:
        """Return a row of table 4."""
        what, grid = labels
        if grid == "all":
            if any(name not in self.found for name in GRIDS):
                return None
            means = np.mean([self.found[name].main() for name in GRIDS], axis=0)
        elif grid not in self.found:
            return None
        else:
            means = self.found[grid].main()
        return ranks(means) if what == "rank" else means

    def improvement_row(self, labels: tuple[str, ...]) -> NDArray[np.float64] | None:
        """Return a row of table 5, where rank 1 is the largest improvement."""
        if self.grid3 is None:
            return None
        rows = self.grid3.improvements
        if labels[0] in MAIN:
            return np.asarray(rows[MAIN.index(labels[0])])
        mean = rows.mean(axis=0)
        return ranks(mean.max() - mean) if labels[0] == "rank" else mean

    def rank_row(self, labels: tuple[str, ...]) -> NDArray[np.float64] | None:
        """Return a row of table 6."""
        return None if self.grid3 is None else self.grid3.ranks({"1": WITHOUT, "0.5": WITH}[labels[0]])

    def eighteen(self, labels: tuple[str, ...]) -> NDArray[np.float64] | None:
        """Return a row of table 7."""
        if self.grid3 is None:
            return None
        if labels[0] == "rank":
            return self.grid3.ranks("both")
        return _row(self.grid3.percent("both"), labels[0], MAIN_ROWS)

    def all_metrics(self, labels: tuple[str, ...]) -> NDArray[np.float64] | None:
        """Return a row of table 12."""
        return None if self.grid3 is None else _row(self.grid3.percent("both"), labels[0])

    def admissible(self, labels: tuple[str, ...]) -> NDArray[np.float64] | None:
        """Return a row of table 13: those of table 12 with a = 0.5."""
        return None if self.grid3 is None else _row(self.grid3.percent("both"), labels[0])[::2]


def _row(percent: NDArray[np.float64], label: str, averaged: list[int] | None = None) -> NDArray[np.float64]:
    """Return the row of a metric, or the average of the rows `averaged`, else of all."""
    if label == "average":
        means: NDArray[np.float64] = percent[averaged if averaged is not None else slice(None)].mean(axis=0)
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
        matrix = taken(grid.mean_moves()) if number == "8" else percent_taken(grid.mean_moves())
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
        apart=never_taken(file),
        why=_WHY_MOVED,
    )


def _ours(
    matrix: NDArray[np.float64] | None, label: str, columns: tuple[str, ...]
) -> tuple[float, ...] | None:
    """Return a row of the matrix, or its sums by column; with its sum where the table has a total."""
    if matrix is None:
        return None
    row = matrix.sum(axis=0) if label == "total" else matrix[int(label.removeprefix("site ")) - 1]
    total = (float(row.sum()),) if columns[-1] == "total" else ()
    return (*map(float, row), *total)
