"""What the thesis printed of its runs, as numbers and as the texts they are."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

from echelon.reproduce.machinery.printed_table import Printed, printed_figures, printed_table

if TYPE_CHECKING:
    from collections.abc import Mapping


INCREASE = "8.7"
"""Percent by which the global run is longer with communications, by the text."""

FIGURE_4_4 = ("1 2 3 4 5 6", "1 2 3 4 5 6", "1 2 3 4 4 4")
"""Tasks of each job as figure 4.4 lists them; its text gives the third job four."""


@cache
def thesis_numbers() -> Mapping[tuple[str, str], float]:
    """Return every figure printed outside the global experiment, by experiment and quantity."""
    return {
        (line.subject, line.quantity): float(line.printed) for line in printed_figures("irmasim", "thesis")
    }


@cache
def global_table() -> Printed:
    """Return the table of the global experiment, its heads as printed; rows by parameter and unit."""
    return printed_table("irmasim", "global", 2)


def global_numbers(parameter: str) -> tuple[float, float]:
    """Return both numbers of a row of it, in the columns' order."""
    first, second = next(texts for (name, _), texts in global_table().rows.items() if name == parameter)
    return float(first), float(second)
