"""What the grid study prints and runs: tables, misprints, nine strategies, two factors and ten metrics."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from echelon.metrics import metric_named
from echelon.metrics.schedule.grid_study import GRID_STUDY, GRID_STUDY_MAIN
from echelon.reproduce.machinery.figure import Apart
from echelon.reproduce.machinery.printed_table import Misprint, Printed, printed_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.machinery.printed_table import Cell


SPECS: Mapping[str, str] = MappingProxyType(
    {
        "MCT": "mct",
        "MLB": "mlb",
        "LBal_S": "lbal-s",
        "MLp": "mlp",
        "MPL": "mpl",
        "Random": "random",
        "MST": "mst",
        "MWWT_S": "mwwt-s",
        "MWT": "mwt",
    }
)
"""The study's name of each strategy, in the order of its tables, and our spec."""

NINE = tuple(SPECS)
EIGHTEEN = tuple(name for one in NINE for name in (f"{one}_a", one))
"""With and without admissibility, in the order of the study's tables; ``_a`` is with a = 0.5."""

WITHOUT, WITH = "1", "0.5"
"""The two factors of admissibility."""

METRICS = tuple(GRID_STUDY)
"""The study's symbols of its ten metrics, in the order of its complete tables."""

MAIN = GRID_STUDY_MAIN
BETTER = MappingProxyType({symbol: metric_named(name).better or "low" for symbol, name in GRID_STUDY.items()})
"""Which end of each metric's scale is good."""

GRIDS = ("Grid 1", "Grid 2", "Grid 3")
LEVEL_FOUR = ("MCT", "MST", "MWT", "MWWT_S")
"""The strategies that look at schedules by estimates."""


_LABELS = {"table3": 2, "table4": 2, "table10": 2}
"""Columns of labels, where they are not one."""


def read_printed(table: str) -> Printed:
    """Return a table of the study by the name of its file: ``table3`` ... ``table13``, ``table8a`` ..."""
    return printed_table("grid", table, _LABELS.get(table, 1))


_TOTALS = "the sum of the column above"

MISPRINTS: Mapping[str, Mapping[Cell, Misprint]] = {
    "table6": {
        (("1",), "MLp"): Misprint("9", "tables 4 and 7 have MLp last without admissibility"),
        (("1",), "Random"): Misprint("8", "tables 4 and 7 have Random before MLp"),
    },
    "table8b": {
        (("total",), "site 2"): Misprint("2121", _TOTALS),
        (("total",), "site 3"): Misprint("1184", _TOTALS),
        (("total",), "site 4"): Misprint("710", _TOTALS),
    },
    "table13": {(("average",), "MWWT_S_a"): Misprint("66.8", "table 12 and the mean of the column above")},
}
"""Cells printed wrong by the study's own other numbers."""

BEST = Apart("must be so", "the best of a row is 0 % worse than the best")
NOT_TAKEN = Apart("must be so", "a site takes jobs from smaller ones alone")


def repeats_of(table: str) -> dict[Cell, Apart]:
    """Return the cells of a table that are printed in an earlier one, too.

    Table 3 is part of table 10, the metrics of table 7 are rows of table 12, table 13 is half of table 12,
    and the first row of table 6 is table 4's ranks on Grid 3.
    """
    content = read_printed(table)
    where: Mapping[str, tuple[str, list[tuple[str, ...]]]] = {
        "table6": ("table 4", [("1",)]),
        "table10": ("table 3", [labels for labels in content.rows if labels[0] in MAIN]),
        "table12": ("table 7", [(symbol,) for symbol in MAIN]),
        "table13": ("table 12", list(content.rows)),
    }
    earlier, rows = where.get(table, ("", []))
    apart = Apart("printed before", f"in {earlier}")
    return {(labels, column): apart for labels in rows for column in content.columns}


def cells_never_taken(table: str) -> dict[Cell, Apart]:
    """Return the cells of tables 8 and 9 that must be 0, as no job is taken from a larger site."""
    content = read_printed(table)
    places = {name: place for place, name in enumerate(content.columns)}
    return {
        (labels, column): NOT_TAKEN
        for labels in content.rows
        for column in content.columns
        if _must_be_zero(labels[0], column, places)
    }


def _must_be_zero(row: str, column: str, places: Mapping[str, int]) -> bool:
    if row == "total":
        return places[column] == 0
    last = max(place for name, place in places.items() if name != "total")
    return places[row] == last if column == "total" else places[column] <= places[row]
