"""The grid study's printed tables: whole, and consistent but for known misprints."""

from __future__ import annotations

import pytest

from echelon.reproduce.grid.consistency import consistency
from echelon.reproduce.grid.data import EIGHTEEN, METRICS, MISPRINTS, NINE, read_printed

SHAPES = {
    "table3": (9, 9),
    "table4": (8, 9),
    "table5": (5, 9),
    "table6": (2, 9),
    "table7": (5, 18),
    "table8a": (8, 7),
    "table8b": (10, 9),
    "table9a": (7, 8),
    "table9b": (9, 10),
    "table10": (30, 9),
    "table12": (11, 18),
    "table13": (11, 9),
}


@pytest.mark.parametrize(("table", "shape"), SHAPES.items())
def test_whole(table, shape):
    """Each table has its rows and columns, all numbers >= 0, under the names that we compute by."""
    found = read_printed(table)
    assert (len(found.rows), len(found.columns)) == shape
    for labels in found.rows:
        assert all(value >= 0 for value in found.numbers(*labels).values())
        assert len(found.numbers(*labels)) == shape[1]
    if table not in ("table8a", "table8b", "table9a", "table9b"):
        assert found.columns in (NINE, EIGHTEEN, EIGHTEEN[::2])
    assert {labels[0] for labels in read_printed("table12").rows} == {*METRICS, "average"}


@pytest.mark.slow
def test_all_follows_from_the_rest_but_known_misprints():
    """Every derived cell follows from the others, and those that do not are exactly the known misprints."""
    apart = {cell for check in consistency() for cell in check.apart}
    known = {
        f"{column} of {', '.join(labels)} of {table}: {read_printed(table).rows[labels][place]} printed, "
        f"{float(one.right):.6g} follows"
        for table, cells in MISPRINTS.items()
        for (labels, column), one in cells.items()
        for place in [read_printed(table).columns.index(column)]
    }
    assert apart == known
    assert len(known) == 6


def test_every_row_of_degradations_has_a_best():
    """What the notes say of means: some strategy has 0 in each row, which only degradations of means give."""
    for table in ("table3", "table7", "table10", "table12"):
        rows = [labels for labels in read_printed(table).rows if labels[0] in METRICS]
        assert all(min(read_printed(table).numbers(*labels).values()) == 0 for labels in rows)


@pytest.mark.parametrize(("grid", "least"), [("Grid 1", 3.7), ("Grid 2", 5.1), ("Grid 3", 0.95)])
def test_two_metrics_stand_in_one_ratio(grid, least):
    """The printed degradations in WWT_s and WTA have one ratio on a grid, as degradations of means must."""
    wait, turnaround = (read_printed("table10").numbers(symbol, grid) for symbol in ("WWT_s", "WTA"))
    ratios = [wait[name] / turnaround[name] for name in NINE if turnaround[name] >= 30]
    assert len(ratios) >= 3
    assert max(ratios) - min(ratios) < 0.12
    assert min(ratios) > least
