"""Table of means as CSV, for spreadsheets and programs."""

from __future__ import annotations

import csv
import io
import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reports.study.paper.means_table import Column, MeansTable


def csv_text(table: MeansTable) -> str:
    """Return the axes of the rows by name, then mean, lower and upper bound of each column.

    Numbers are in full and in the unit of the metric; bounds lie within its range. What is unknown is empty.
    """
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([*table.axes, *(name for column in table.columns for name in _names(column))])
    for place, row in enumerate(table.rows):
        numbers = [cell for column in table.columns for cell in _numbers(column, place)]
        writer.writerow([*row, *numbers])
    return text.getvalue()


def _names(column: Column) -> Iterator[str]:
    """Yield ``mean_wait``, ``mean_wait_low``, ``mean_wait_high``; across an axis ``mean_wait[load=1]`` ..."""
    axis, value = column.place
    for ending in ("", "_low", "_high"):
        yield f"{column.name}{ending}" + (f"[{axis}={value}]" if axis else "")


def _numbers(column: Column, row: int) -> Iterator[str]:
    cell = column.cells[row]
    numbers = (math.nan,) * 3
    if cell is not None:
        numbers = (cell.mean, *column.quantity.metric.within(cell.low, cell.high))
    for number in numbers:
        yield repr(number) if math.isfinite(number) else ""
