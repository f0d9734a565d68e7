"""What the grid study printed: its tables as texts, and the cells that are printed wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce.printed_table import Misprint
from echelon.reproduce.published import Printed, printed_cells

if TYPE_CHECKING:
    from collections.abc import Mapping


_LABELS = {"table3": 2, "table4": 2, "table10": 2}
"""Columns of labels, where they are not one."""


def printed(table: str) -> Printed:
    """Return a table of the study by the name of its file: ``table3`` ... ``table13``, ``table8a`` ..."""
    head, lines = printed_cells("grid", table)
    labels = _LABELS.get(table, 1)
    return Printed(head[:labels], head[labels:], {line[:labels]: line[labels:] for line in lines})


_TOTALS = "the sum of the column above"

MISPRINTS: Mapping[str, Mapping[tuple[tuple[str, ...], str], Misprint]] = {
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
