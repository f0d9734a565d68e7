"""Whether the grid study's printed tables follow from each other."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.analysis import ranks
from echelon.reproduce.grid.data import EIGHTEEN, GRIDS, MAIN, METRICS, NINE, read_printed

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    Cell = tuple[str, tuple[str, ...], str, float]
    """Table, labels of the row, column, and what follows from other cells."""


class Consistency(NamedTuple):
    """Cells of a printed table that follow from others.

    Attributes
    ----------
    what : str
        Which follow from which.
    cells : int
        How many were worked out.
    apart : tuple of str
        Those that are not as printed, with what they should be.
    """

    what: str
    cells: int
    apart: tuple[str, ...]

    def sentence(self) -> str:
        """Return it as one sentence."""
        right = self.cells - len(self.apart)
        wrong = f"; not {', '.join(self.apart)}" if self.apart else ""
        return f"{self.what}: {right} of {self.cells} cells{wrong}."


def consistency() -> list[Consistency]:
    """Return every check of the printed tables against each other."""
    return [
        _check("Table 3 is part of table 10", _three_in_ten()),
        _check("Table 4 follows from table 3", _table4()),
        _check("Ranks of table 6 follow from table 7", _table6()),
        _check("Averages and ranks of table 7 follow from its metrics", _table7()),
        _check("Totals of table 8 follow from its rows", _table8(), slack=1.0),
        _check("Averages of table 12 follow from its metrics", _averages("table12", EIGHTEEN)),
        _check("Averages of table 13 follow from its metrics", _averages("table13", EIGHTEEN[::2])),
        _check("Table 13 is part of table 12", _thirteen_in_twelve()),
        _check("Every row of tables 3, 7, 10 and 12 has a best of 0 to its half", _zeros()),
    ]


def _check(what: str, cells: Iterable[Cell], *, slack: float = 0.5) -> Consistency:
    """Compare; `slack` is how many units of the last digit printed may come of rounding."""
    listed = list(cells)
    apart = []
    for table, labels, column, wanted in listed:
        text = read_printed(table).rows[labels][read_printed(table).columns.index(column)]
        unit = 10.0 ** -len(text.partition(".")[2])
        if abs(float(text) - wanted) > slack * unit + 1e-9:
            apart.append(f"{column} of {', '.join(labels)} of {table}: {text} printed, {wanted:.6g} follows")
    return Consistency(what, len(listed), tuple(apart))


def _three_in_ten() -> Iterator[Cell]:
    for labels in read_printed("table3").rows:
        for column in NINE:
            yield "table3", labels, column, read_printed("table10").number(*labels, column=column)


def _main(table: str, columns: tuple[str, ...], grid: str | None = None) -> NDArray[np.float64]:
    """Return the mean of the three main metrics of a table as printed."""
    rows = [
        read_printed(table).numbers(symbol, grid) if grid else read_printed(table).numbers(symbol)
        for symbol in MAIN
    ]
    means: NDArray[np.float64] = np.array([[row[one] for one in columns] for row in rows]).mean(axis=0)
    return means


def _row(
    table: str, labels: tuple[str, ...], columns: tuple[str, ...], values: NDArray[np.float64]
) -> Iterator[Cell]:
    return ((table, labels, column, value) for column, value in zip(columns, values, strict=True))


def _table4() -> Iterator[Cell]:
    means = {grid: _main("table3", NINE, grid) for grid in GRIDS}
    # The mean over all is of the grids' means as printed, to one decimal.
    means["all"] = np.array(
        [list(read_printed("table4").numbers("average", grid).values()) for grid in GRIDS]
    ).mean(axis=0)
    for grid, values in means.items():
        yield from _row("table4", ("average", grid), NINE, values)
        yield from _row("table4", ("rank", grid), NINE, ranks(values))


def _table6() -> Iterator[Cell]:
    averages = read_printed("table7").numbers("average")
    for factor, ending in (("1", ""), ("0.5", "_a")):
        yield from _row("table6", (factor,), NINE, ranks([averages[name + ending] for name in NINE]))


def _table7() -> Iterator[Cell]:
    values = _main("table7", EIGHTEEN)
    yield from _row("table7", ("average",), EIGHTEEN, values)
    yield from _row("table7", ("rank",), EIGHTEEN, ranks(values))


def _table8() -> Iterator[Cell]:
    for table in ("table8a", "table8b"):
        columns = read_printed(table).columns
        rows = [read_printed(table).numbers(f"site {place}") for place in range(1, len(columns) + 1)]
        for column in columns:
            yield table, ("total",), column, sum(row[column] for row in rows)


def _averages(table: str, columns: tuple[str, ...]) -> Iterator[Cell]:
    for column in columns:
        yield (
            table,
            ("average",),
            column,
            float(np.mean([read_printed(table).number(one, column=column) for one in METRICS])),
        )


def _thirteen_in_twelve() -> Iterator[Cell]:
    for labels in read_printed("table13").rows:
        for column in EIGHTEEN[::2]:
            yield "table13", labels, column, read_printed("table12").number(*labels, column=column)


def _zeros() -> Iterator[Cell]:
    for table in ("table3", "table7", "table10", "table12"):
        for labels in read_printed(table).rows:
            if labels[0] in METRICS:
                row = read_printed(table).numbers(*labels)
                yield table, labels, min(row, key=row.__getitem__), 0.0
