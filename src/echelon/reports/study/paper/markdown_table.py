"""Table of means as Markdown."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING

from echelon.quantities import bounds, half_width

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.reports.study.paper.means_table import Column, MeansTable

_MARKUP = re.compile(r"([\\`*_{}\[\]<>#|~$])")


def markdown_text(table: MeansTable) -> str:
    """Return a table that GitHub, Pandoc and others read, and a sentence on its intervals."""
    heads = [*map(_escaped, table.heads), *map(_escaped, _heads(table))]
    rules = [":--"] * len(table.heads) + ["--:"] * len(table.columns)
    rows = [
        [*map(_escaped, row), *(_cell(table, column, place) for column in table.columns)]
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
    mean = quantity.said(cell.mean)
    if math.isnan(high):
        return mean
    if table.is_cut(column):
        return f"{mean} {_escaped(bounds(low, high))}"
    return f"{mean} {half_width(quantity.scaled(cell.high - cell.mean))}"


def _escaped(text: str) -> str:
    return _MARKUP.sub(r"\\\1", text)
