"""Tables of means as CSV, for spreadsheets and programs, and as Markdown."""

from __future__ import annotations

import csv
import io
import math
import re
from typing import TYPE_CHECKING

from echelon.quantities import bounds, half_width

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


_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def markdown_text(table: MeansTable) -> str:
    """Return a table that GitHub, Pandoc and others read, and a sentence on its intervals."""
    heads = [*map(_escape, table.heads), *map(_escape, _heads(table))]
    rules = [":--"] * len(table.heads) + ["--:"] * len(table.columns)
    rows = [
        [*map(_escape, row), *(_cell(table, column, place) for column in table.columns)]
        for place, row in enumerate(table.rows)
    ]
    lines = [f"| {' | '.join(cells)} |" for cells in (heads, rules, *rows)]
    sentence = table.intervals_sentence
    return "\n".join((*lines, "", f"{sentence[0].upper()}{sentence[1:]}.", ""))


def _heads(table: MeansTable) -> Iterator[str]:
    titles = [title for title, count in table.across for _ in range(count)]
    for place, column in enumerate(table.columns):
        yield f"{titles[place]}, {column.head}" if titles else column.head


def _cell(table: MeansTable, column: Column, row: int) -> str:
    cell, quantity = column.cells[row], column.quantity
    if cell is None:
        return "–"
    low, high = quantity.interval(cell)
    mean = quantity.format(cell.mean)
    if math.isnan(high):
        return mean
    if table.is_cut(column):
        return f"{mean} {_escape(bounds(low, high))}"
    return f"{mean} {half_width(quantity.scale(cell.high - cell.mean))}"


def _escape(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
