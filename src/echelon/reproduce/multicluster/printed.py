"""What the M-CISNE thesis printed: its tables, the numbers of its text, and what of them is printed wrong."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from echelon.reproduce.printed_table import Misprint
from echelon.reproduce.published import Printed, printed_cells, printed_figures

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.reproduce.multicluster.evidence import Quantity
    from echelon.reproduce.published import PrintedFigure


TABLES: Mapping[str, tuple[Quantity, str]] = {
    "3.4": ("run", "dedicated"),
    "3.5": ("run", "shared"),
    "3.6": ("run", "high load"),
    "3.7": ("wait", "dedicated"),
    "3.8": ("wait", "shared"),
    "3.9": ("wait", "high load"),
}
"""Tables of accuracy: what is estimated, and under which load. The head of 3.9 says execution by mistake."""


@cache
def printed(table: str) -> Printed:
    """Return a table by its number: ``3.4`` ... ``3.11``."""
    head, lines = printed_cells("multicluster", f"table{table}")
    labels = 2 if table == "3.10" else 1
    return Printed(head[:labels], head[labels:], {line[:labels]: line[labels:] for line in lines})


@cache
def printed_in_text() -> tuple[PrintedFigure, ...]:
    """Return the numbers of E2 and E3, whose figures are lost, as the text gives them, in percent."""
    return tuple(printed_figures("multicluster", "text"))


MISPRINTS: Mapping[str, Mapping[tuple[tuple[str, ...], str], Misprint]] = {
    "3.7": {(("Ra",), "Hanzich"): Misprint("0.9986", "its deviation is 4 %")},
}
"""Cells printed wrong, as they cannot be what they say."""
