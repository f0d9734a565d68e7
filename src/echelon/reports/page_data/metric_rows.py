"""Rows of metrics: a row of a table for each metric, a column for each run."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.reports.page_data.cells import Cell, in_unit
from echelon.reports.summary import row_texts, shown_metrics

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.reports.tables import RunTables


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
