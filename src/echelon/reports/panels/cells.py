"""Cells of tables: what is read, and what is saved as CSV; rows of metrics, with a cell for each run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.quantities import duration
from echelon.reports.summary import row_texts, shown_metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables


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


def metric_rows(runs: Sequence[RunTables], metrics: Sequence[str]) -> list[tuple[Cell, list[Cell]]]:
    """Return a row for each of these metrics that some run has: as it is read, and exactly, in its unit."""
    shown = {key: row for key, row in shown_metrics(runs).items() if key in metrics}
    rows = []
    for key, row in sorted(shown.items(), key=lambda pair: metrics.index(pair[0])):
        numbers = [float(run.metrics.get(key, math.nan)) for run in runs]
        texts = row_texts(row, numbers)
        cells = [Cell(text, number) for text, number in zip(texts, numbers, strict=True)]
        rows.append((in_unit(row.label, row.saved_unit), cells))
    return rows
