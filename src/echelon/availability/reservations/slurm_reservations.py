"""Reservations of Slurm's accounting database, as ``sacctmgr -P show reservation`` prints them."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from echelon.availability.calendar_entry import CalendarEntry
from echelon.availability.log_clock import naming_cell
from echelon.availability.node_list import parse_nodes
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.availability.log_clock import LogClock, Moment
    from echelon.availability.node_list import ListedNodes

SLURM_FIELDS = ("name", "start", "end", "nodenames", "flags", "associations", "tres", "cluster")
"""Fields that are read, in lower case."""

SLURM_TITLES = {"timestart": "start", "timeend": "end", "assocs": "associations"}
"""Titles of fields as sacctmgr prints them, in lower case, with the names by which it is asked for them."""

_ENDLESS = ("", "unknown", "none", "none assigned", "unlimited", "infinite")
_WITHOUT_EFFECT = frozenset(
    (
        *("OVERLAP", "SPEC_NODES", "ALL_NODES", "ANY_NODES", "PART_NODES", "STATIC", "STATIC_ALLOC"),
        *("HOURLY", "DAILY", "WEEKLY", "WEEKDAY", "WEEKEND"),
    )
)
"""Flags that change nothing here: the nodes are listed, and each occurrence has a row of its own."""


def slurm_entries(
    rows: Sequence[tuple[int, Mapping[str, str]]], file: str, clock: LogClock
) -> tuple[tuple[CalendarEntry, ...], tuple[str, ...]]:
    """Return the entries of rows, and a clause on each thing that they carry and nothing models.

    Maintenance (``MAINT``) is a reservation here, too, as jobs may name it. Who else may use a reservation is
    not known, as its associations are numbers: jobs use those that they name. If the rows are of several
    clusters, each is the site of that name.

    Raises
    ------
    InputError
        If a cell is wrong: file, line, column, value and what is expected are named.
    """
    left: Counter[str] = Counter()
    stems: dict[str, list[tuple[str, int]]] = {}
    entries = []
    clusters = {row.get("cluster", "") for _, row in rows}
    for line, row in rows:
        for flag in _flags(row) - _WITHOUT_EFFECT - {"MAINT", "IGNORE_JOBS", "FLEX"}:
            left[f"flag {flag:.40}"] += 1
        if row.get("associations"):
            left["Associations, which are numbers: jobs use the reservations that they name"] += 1
        if row.get("nodenames", "").lower() in ("", "(null)", "none"):
            left["reservations without nodes, as of licenses"] += 1
            continue
        site = row.get("cluster", "") if len(clusters) > 1 else ""
        place = f"{file}, line {line}"
        nodes = _nodes(row, place, line, stems.setdefault(site, []))
        entries.append(_entry(row, place, clock, site, nodes))
    for name in sorted({name for _, row in rows for name in row} - {*SLURM_FIELDS}):
        left[f"column {name:.40}"] = len(rows)
    return tuple(entries), tuple(f"{what} ({count} rows)" for what, count in left.items())


def _entry(
    row: Mapping[str, str], place: str, clock: LogClock, site: str, nodes: ListedNodes
) -> CalendarEntry:
    start, end = _moment(row, "start", place, clock), _moment(row, "end", place, clock)
    if not end.seconds > start.seconds:
        raise InputError(f"{place}, end: got {row['end']!r:.60}, expected a time after {row['start']!r:.60}")
    flags = _flags(row)
    return CalendarEntry(
        start,
        end.seconds - start.seconds,
        row.get("name", ""),
        listed=nodes.numbers,
        site=site,
        is_maintenance=False,
        flex="FLEX" in flags,
        ignore_jobs="IGNORE_JOBS" in flags,
        place=place,
        names=nodes.names,
    )


def _nodes(row: Mapping[str, str], place: str, line: int, stems: list[tuple[str, int]]) -> ListedNodes:
    """Return the nodes of a row; the names of all rows must begin alike, as numbers say which they are."""
    node_names = row["nodenames"]
    with naming_cell(place, "nodenames"):
        nodes = parse_nodes(node_names)
    stems.append((nodes.stem, line))
    stem, first = stems[0]
    if stem != nodes.stem:
        raise InputError(
            f"{place}, nodenames: got {node_names!r:.60}, expected names that begin with {stem!r} as in line "
            f"{first}: their numbers alone say which nodes they are"
        )
    return nodes


def _flags(row: Mapping[str, str]) -> set[str]:
    return {flag.strip().upper() for flag in row.get("flags", "").split(",") if flag.strip()}


def _moment(row: Mapping[str, str], key: str, place: str, clock: LogClock) -> Moment:
    """Return a time as Slurm prints it: on the clock of the log, or as Unix seconds."""
    text = row.get(key, "")
    if text.lower() in _ENDLESS:
        raise InputError(f"{place}, {key}: got {text!r}, expected a date or Unix seconds")
    with naming_cell(place, key):
        return clock.of_unix(float(text), text) if text.isascii() and text.isdigit() else clock.moment(text)
