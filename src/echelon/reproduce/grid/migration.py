"""The grid study's tables 8 and 9: how many jobs of each site's were taken by which other, under ST50."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.metrics import percent_taken, taken
from echelon.reproduce.grid.printed import MISPRINTS, never_taken, printed
from echelon.reproduce.machinery.printed_table import PrintedRow, PrintedTable

if TYPE_CHECKING:
    from collections.abc import Mapping

    import numpy as np
    from numpy.typing import NDArray

    from echelon.reproduce.grid.cases import Case
    from echelon.reproduce.grid.one_level import OneLevel

_WHY = "the study's weeks are others, and which is not said"
_LETTERS = {"a": "Grid 1", "b": "Grid 2"}


def migration_tables(found: Mapping[str, OneLevel], cases: Mapping[str, Case]) -> list[PrintedTable]:
    """Return tables 8 and 9 of both grids."""
    return [
        _table(number, letter, found.get(grid), cases[grid].missing)
        for number in ("8", "9")
        for letter, grid in _LETTERS.items()
    ]


def _table(number: str, letter: str, grid: OneLevel | None, missing: str) -> PrintedTable:
    file = f"table{number}{letter}"
    heads, columns, lines = printed(file)
    matrix = None
    if grid is not None:
        matrix = taken(grid.moved()) if number == "8" else percent_taken(grid.moved())
    unit = "jobs" if number == "8" else "% of jobs"
    rows = [
        PrintedRow(labels, texts, _ours(matrix, labels[0], columns), missing, unit, ranked=False)
        for labels, texts in lines.items()
    ]
    title = (
        "Mean number of jobs that migrated" if number == "8" else "Share of the jobs of a site that migrated"
    )
    return PrintedTable(
        f"table {number} {letter}",
        f"{_LETTERS[letter]}: {title}, from row to column",
        f"section 4.6, table {number} {letter}",
        heads,
        columns,
        tuple(rows),
        MISPRINTS.get(file, {}),
        never_taken(file),
        _WHY,
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
