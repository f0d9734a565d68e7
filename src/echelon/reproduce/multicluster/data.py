"""What the M-CISNE thesis printed: its tables, the numbers of its text, and what of them is printed wrong."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from echelon.reproduce.machinery.printed_table import Misprint, Printed, printed_figures, printed_table

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.machinery.printed_table import Cell, PrintedFigure
    from echelon.reproduce.multicluster.evidence import Predicted


TABLES: Mapping[str, tuple[Predicted, str]] = {
    "3.4": ("run", "dedicated"),
    "3.5": ("run", "shared"),
    "3.6": ("run", "high load"),
    "3.7": ("wait", "dedicated"),
    "3.8": ("wait", "shared"),
    "3.9": ("wait", "high load"),
}
"""Tables of accuracy: what is estimated, and under which load. The head of 3.9 says execution by mistake."""


@cache
def read_printed(table: str) -> Printed:
    """Return a table by its number: ``3.4`` ... ``3.11``."""
    return printed_table("multicluster", f"table{table}", 2 if table == "3.10" else 1)


@cache
def printed_in_text() -> tuple[PrintedFigure, ...]:
    """Return the numbers of E2 and E3, whose figures are lost, as the text gives them, in percent."""
    return tuple(printed_figures("multicluster", "text"))


MISPRINTS: Mapping[str, Mapping[Cell, Misprint]] = {
    "3.7": {(("Ra",), "Hanzich"): Misprint("0.9986", "the deviation is 4 %")}
}
"""Cells printed wrong, as they cannot be what they say."""
