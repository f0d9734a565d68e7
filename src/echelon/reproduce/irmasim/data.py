"""What the thesis printed of its runs, as numbers and as the texts they are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, NamedTuple

from echelon.reproduce.machinery.printed_data import printed_cells, printed_figures

if TYPE_CHECKING:
    from collections.abc import Mapping


INCREASE = "8.7"
"""Percent by which the global run is longer with communications, by the text."""

FIGURE_4_4 = ("1 2 3 4 5 6", "1 2 3 4 5 6", "1 2 3 4 4 4")
"""Tasks of each job as figure 4.4 lists them; its text gives the third job four."""


class GlobalTable(NamedTuple):
    """The table of the global experiment.

    Attributes
    ----------
    columns : tuple of str
        As headed.
    rows : mapping of str to (unit, numbers as printed)
        By parameter.
    """

    columns: tuple[str, ...]
    rows: Mapping[str, tuple[str, tuple[str, ...]]]

    def numbers(self, parameter: str) -> tuple[float, float]:
        """Return both numbers of a row, in the columns' order."""
        first, second = self.rows[parameter][1]
        return float(first), float(second)


@cache
def thesis_numbers() -> Mapping[tuple[str, str], float]:
    """Return every figure printed outside the global experiment, by experiment and quantity."""
    return {
        (line.subject, line.quantity): float(line.printed) for line in printed_figures("irmasim", "thesis")
    }


@cache
def global_table() -> GlobalTable:
    """Return the table of the global experiment, its heads as printed."""
    head, lines = printed_cells("irmasim", "global")
    return GlobalTable(head[2:], {line[0]: (line[1], line[2:]) for line in lines})
