"""Our own file of outages: ``node,down,up,kind,announced,site``."""

from __future__ import annotations

import re
from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.availability.log_clock import log_seconds
from echelon.availability.outage_row import KINDS, NEVER
from echelon.availability.traces.building import TraceRows, trace_of
from echelon.availability.traces.text_table import TextTable, iso_date, numbers_of, read_delimited
from echelon.errors import InputError, UnknownNameError
from echelon.model.jobs.fields import LARGEST

if TYPE_CHECKING:
    from datetime import tzinfo

    from numpy.typing import NDArray

    from echelon.availability.traces.failure_trace import FailureTrace
    from echelon.model.jobs.columns import FloatColumn

COLUMNS = {
    "node": "a number from 1, a range such as 3-7, or a node's name, or several with + between them",
    "down": "seconds of the log (or with a unit, 3d), or a date such as 2026-03-01T08:00",
    "up": "as down, and no earlier, or + and a length such as +8h; empty if the node never returns",
    "kind": "fail (default), drain or maintenance",
    "announced": "as down: when it was known; empty: always",
    "site": "path of the node's site; empty on one machine",
}
"""The columns, and what each holds; the first three are needed."""

_OF_RUNS = frozenset({"jobs_killed"})
"""Columns of the ``outages.csv`` of a run, which can be read again; they say nothing of the outages."""

MOST_ROWS = 5_000_000
"""Most rows, with ranges of nodes written out."""

_RANGE = re.compile(r"(\d{1,12})(?:-(\d{1,12}))?", re.ASCII)


class _Times(NamedTuple):
    """Times of one column, and which of them were dates and which numbers; empty cells were neither."""

    seconds: FloatColumn
    is_date: NDArray[np.bool_]
    is_number: NDArray[np.bool_]


def read_outages(text: str, file: str, zone: tzinfo) -> FailureTrace:
    """Return the outages of a table with the columns of `COLUMNS`, in any order.

    Parameters
    ----------
    text : str
        The whole file, separated by commas, semicolons or tabs.

    Raises
    ------
    UnknownNameError
        If a column or a kind is unknown.
    InputError
        If a column is missing, a cell is not what it must be, or some times are dates and others are not:
        file, line and column are named.
    """
    table = read_delimited(text, file)
    if "nodes" in table.names and "node" not in table.names:
        table = replace(table, names=tuple("node" if name == "nodes" else name for name in table.names))
    for name in table.names:
        if name not in COLUMNS and name not in _OF_RUNS:
            raise UnknownNameError("column of outages", name, COLUMNS, where=f"{file}, line 1")
    down = _times(table, "down", zone)
    up = _times(table, "up", zone, empty=float("inf"), since=down)
    announced = _times(table, "announced", zone, empty=float("-inf"))
    row, nodes = _nodes(table)
    sites = table.texts("site") if table.has("site") else [""] * len(table)
    rows = TraceRows(
        [sites[one] for one in row],
        nodes,
        down.seconds[row],
        up.seconds[row],
        _kinds(table)[row],
        announced.seconds[row],
        [table.lines[one] for one in row],
    )
    is_dated = _is_dated(table, (down, up, announced))
    return trace_of(rows, file, "outages", is_dated=is_dated, numbering="machine")


def _times(
    table: TextTable, name: str, zone: tzinfo, empty: float | None = None, since: _Times | None = None
) -> _Times:
    """Return the times of a column; `empty` where a cell, or the whole column, is; ``+`` is after `since`."""
    none = np.zeros(len(table), dtype=np.bool_)
    if name == "announced" and not table.has(name):
        return _Times(np.full(len(table), empty), none, none)
    texts = table.texts(name)
    missing = none if empty is None else np.array([text.lower() in NEVER for text in texts])
    after = np.array([since is not None and text.startswith("+") for text in texts], dtype=np.bool_)
    apart = missing | after
    seconds = numbers_of(["0" if is_apart else text for text, is_apart in zip(texts, apart, strict=True)])
    # What is a number is one, though 20260301 would also be a date. Larger ones are no seconds.
    is_date = ~(np.abs(seconds) <= LARGEST)
    for row in np.flatnonzero(is_date).tolist():
        if (number := log_seconds(texts[row])) is not None:
            seconds[row], is_date[row] = number, False
        elif (date := iso_date(texts[row], zone)) is not None:
            seconds[row] = date
        else:
            raise table.refuse(row, name, COLUMNS[name])
    if empty is not None:
        seconds[missing] = empty
    for row in np.flatnonzero(after).tolist():
        length = log_seconds(texts[row][1:].strip())
        if since is None or length is None or not length >= 0:
            raise table.refuse(row, name, COLUMNS[name])
        seconds[row] = since.seconds[row] + length
    return _Times(seconds, is_date, ~is_date & ~apart)


def _is_dated(table: TextTable, columns: tuple[_Times, ...]) -> bool:
    """Return whether times are dates; some being dates and others seconds of the log is refused."""
    dates, numbers = (np.stack(masks) for masks in zip(*(column[1:] for column in columns), strict=True))
    if not (dates.any() and numbers.any()):
        return bool(dates.any())
    other = numbers if columns[0].is_date[0] else dates
    raise InputError(
        "has dates and seconds of the log; expected one or the other in all columns and rows",
        file=table.file,
        line=table.lines[int(other.any(axis=0).argmax())],
    )


def _kinds(table: TextTable) -> NDArray[np.int8]:
    kinds = np.zeros(len(table), dtype=np.int8)
    if not table.has("kind"):
        return kinds
    for row, text in enumerate(table.texts("kind")):
        word = text.lower() or "fail"
        if word not in KINDS:
            where = f"{table.file}, line {table.lines[row]}"
            raise UnknownNameError("kind of outage", text, KINDS, where=where)
        kinds[row] = KINDS[word]
    return kinds


def _nodes(table: TextTable) -> tuple[list[int], list[str]]:
    """Return the row and the node of each outage of one node: ranges are written out."""
    rows: list[int] = []
    nodes: list[str] = []
    names_by_text: dict[str, list[str]] = {}
    for row, text in enumerate(table.texts("node")):
        if (names := names_by_text.get(text)) is None:
            names = names_by_text[text] = _list_nodes(table, row, text)
        if len(rows) + len(names) > MOST_ROWS:
            raise table.refuse(row, "node", f"such that all rows have at most {MOST_ROWS:,} nodes together")
        rows += [row] * len(names)
        nodes += names
    return rows, nodes


def _list_nodes(table: TextTable, row: int, text: str) -> list[str]:
    """Return the nodes of a cell, each once: names, numbers and the numbers of ranges."""
    names: dict[str, None] = {}
    for part in text.split("+"):
        match = _RANGE.fullmatch(part.strip())
        if match is None and part.strip():
            names[part.strip()] = None
            continue
        first, last = (int(match[1]), int(match[2] or match[1])) if match else (0, 0)
        if not 1 <= first <= last or last - first >= MOST_ROWS:
            raise table.refuse(row, "node", f"{COLUMNS['node']}, upwards, and not more than {MOST_ROWS:,}")
        names |= dict.fromkeys(map(str, range(first, last + 1)))
    return list(names)
