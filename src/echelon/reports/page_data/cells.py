"""Cells of tables: what is read, and what is saved as CSV."""

from __future__ import annotations

import math
from typing import NamedTuple

from echelon.quantities import duration


class Cell(NamedTuple):
    """A cell of a table: the text that is read, and what is saved: nothing for NaN, seconds for times."""

    text: str
    value: float | str

    @property
    def saved(self) -> str:
        """What is saved, as text."""
        if isinstance(self.value, str):
            return self.value
        return f"{self.value:.9g}" if math.isfinite(self.value) else ""


def duration_cell(seconds: float) -> Cell:
    """Return a cell with a time."""
    return Cell(duration(seconds), seconds)


def in_unit(text: str, unit: str) -> Cell:
    """Return a head or a label whose unit is said where numbers are saved; none for an empty unit."""
    return Cell(text, f"{text} ({unit})" if unit else text)


UNKNOWN = Cell("–", math.nan)
"""A cell of which nothing is known."""
