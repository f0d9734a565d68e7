"""Our own file of outages: ``node,down,up,kind,announced,site``."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.availability.traces.building import TraceRows, trace_of
from echelon.availability.traces.dates import iso_date
from echelon.availability.traces.text_table import TextTable, delimited
from echelon.errors import InputError, UnknownNameError
from echelon.model.jobs.fields import LARGEST
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from datetime import tzinfo

    from numpy.typing import NDArray

    from echelon.availability.traces.failure_trace import FailureTrace
    from echelon.model.jobs.columns import FloatColumn

COLUMNS = {
    "node": "a number from 1, a range such as 3-7, or a node's name",
    "down": "seconds of the log, or a date such as 2026-03-01T08:00",
    "up": "as down, and no earlier; empty if the node never returns",
    "kind": "fail (default), drain or maintenance",
    "announced": "as down: when it was known; empty: always",
    "site": "path of the node's site; empty on one machine",
}
"""The columns, and what each holds; the first three are needed."""

NEEDED = frozenset({"node", "down"})
"""Columns by which the format is recognized."""

KINDS = {"fail": OutageKind.FAIL, "drain": OutageKind.DRAIN, "maintenance": OutageKind.MAINTENANCE}
MOST_ROWS = 20_000_000
"""Most rows, with ranges of nodes written out."""

_RANGE = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?", re.ASCII)
_NEVER = frozenset({"", "inf", "never"})


class _Time(NamedTuple):
    seconds: float
    is_date: bool | None


def read_outages(text: str, file: str, zone: tzinfo) -> FailureTrace:
    """Return the outages of a table with the columns of `COLUMNS`, in any order.

    Parameters
    ----------
    text : str
        The whole file, separated by commas, semicolons or tabs.
    file : str
        For messages.
    zone : tzinfo
        Of dates without an offset.

    Raises
    ------
    UnknownNameError
        If a column or a kind is unknown.
    InputError
        If a column is missing, a cell is not what it must be, or some times are dates and others are not:
        file, line and column are named.
    """
    table = delimited(text, file)
    for name in table.names:
        if name not in COLUMNS:
            raise UnknownNameError("column of outages", name, COLUMNS, where=f"{file}, line 1")
    down = _times(table, "down", zone)
    up = _times(table, "up", zone, empty=float("inf"))
    announced = _times(table, "announced", zone, empty=float("-inf"))
    row, nodes = _nodes(table)
    sites = table.texts("site") if table.has("site") else [""] * len(table)
    rows = TraceRows(
        [sites[one] for one in row],
        nodes,
        _seconds(down)[row],
        _seconds(up)[row],
        _kinds(table)[row],
        _seconds(announced)[row],
        [table.lines[one] for one in row],
    )
    is_dated = _is_dated(table, (down, up, announced))
    return trace_of(rows, file, "outages", is_dated=is_dated, numbering="machine")


def _times(table: TextTable, name: str, zone: tzinfo, empty: float | None = None) -> list[_Time]:
    if empty is not None and not table.has(name):
        if name in ("down", "up"):
            table.texts(name)
        return [_Time(empty, None)] * len(table)
    found = []
    for row, text in enumerate(table.texts(name)):
        if empty is not None and text.lower() in _NEVER:
            found.append(_Time(empty, None))
            continue
        number = _number(text)
        date = iso_date(text, zone) if number is None else None
        if number is None and date is None:
            raise table.refuse(row, name, COLUMNS[name])
        found.append(_Time(number, False) if number is not None else _Time(date or 0.0, True))
    return found


def _number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    # 20260301 would also be a date in ISO 8601; a number is a number. Larger ones are no seconds.
    return number if abs(number) <= LARGEST else None


def _seconds(times: list[_Time]) -> FloatColumn:
    return np.array([time.seconds for time in times], dtype=np.float64)


def _is_dated(table: TextTable, columns: tuple[list[_Time], ...]) -> bool:
    """Return whether times are dates; some being dates and others seconds of the log is refused."""
    kinds = {one.is_date for column in columns for one in column} - {None}
    if len(kinds) < 2:
        return kinds == {True}
    first = columns[0][0].is_date
    row = next(
        row for row in range(len(table)) if any(column[row].is_date is (not first) for column in columns)
    )
    raise InputError(
        "has dates and seconds of the log; expected one or the other in all columns and rows",
        file=table.file,
        line=table.lines[row],
    )


def _kinds(table: TextTable) -> NDArray[np.int8]:
    texts = table.texts("kind") if table.has("kind") else [""] * len(table)
    found = np.zeros(len(table), dtype=np.int8)
    for row, text in enumerate(texts):
        word = text.lower() or "fail"
        if word not in KINDS:
            where = f"{table.file}, line {table.lines[row]}"
            raise UnknownNameError("kind of outage", text, KINDS, where=where)
        found[row] = KINDS[word]
    return found


def _nodes(table: TextTable) -> tuple[list[int], list[str]]:
    """Return the row and the node of each outage of one node: ranges are written out."""
    rows: list[int] = []
    nodes: list[str] = []
    for row, text in enumerate(table.texts("node")):
        match = _RANGE.fullmatch(text)
        if match is None:
            if not text:
                raise table.refuse(row, "node", COLUMNS["node"])
            rows.append(row)
            nodes.append(text)
            continue
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last or len(rows) + last - first >= MOST_ROWS:
            raise table.refuse(row, "node", f"{COLUMNS['node']}, upwards, and not more than {MOST_ROWS:,}")
        rows += [row] * (last - first + 1)
        nodes += map(str, range(first, last + 1))
    return rows, nodes
