"""Slurm's node events, as ``sacctmgr -P show event`` prints them."""

from __future__ import annotations

import math
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from echelon.availability.node_list import parse_nodes
from echelon.availability.traces.building import TraceRows, report_unmodeled, trace_of
from echelon.availability.traces.text_table import TextTable, iso_or_unix, read_delimited
from echelon.errors import InputError
from echelon.model.jobs.workload import Anomaly
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from datetime import tzinfo

    from echelon.availability.traces.failure_trace import FailureTrace

_STARTS, _ENDS = ("timestart", "start"), ("timeend", "end")
_OPEN = frozenset({"", "unknown", "none", "now"})
_NOT_MODELED = ("reason", "user", "duration", "tres", "cpus", "cpucount", "clusternodes", "cluster nodes")
_SEPARATORS = "|,;\t"


def read_slurm_events(text: str, file: str, zone: tzinfo) -> FailureTrace:
    """Return the outages of node events: columns ``NodeName, TimeStart, TimeEnd, State`` and perhaps others.

    Parameters
    ----------
    text : str
        The whole file; ``|`` between cells, as ``-P`` and ``-p`` print, or a comma, semicolon or tab.
    zone : tzinfo
        Of dates without an offset: the cluster's clock. Unix seconds (``SLURM_TIME_FORMAT=%s``) need none.

    Notes
    -----
    States with DOWN, FAIL or ERROR are failures, those with MAINT maintenance, those with DRAIN drains, the
    first of these that fits. Others (a node that only was switched off, rebooted or planned for) are counted
    and left out, and so are events of the whole cluster, which name no node. An end that is missing or
    Unknown is open. A bar in a reason is one of the reason.

    Raises
    ------
    InputError
        If the file is not such a table, a time is none, or no event takes a node out of use.
    """
    first = next(line for line in text.split("\n") if line.strip())
    table = read_delimited(text, file, separator=max(_SEPARATORS, key=first.count), spare="reason")
    start, end = (_column(table, names) for names in (_STARTS, _ENDS))
    kinds = [_kind(state) for state in table.texts("state")]
    nodes = table.texts("nodename")
    clusters = table.texts("cluster") if table.has("cluster") else [""] * len(table)
    event_rows = [row for row, node in enumerate(nodes) if node and kinds[row] is not None]
    anomalies = list(_list_left_out(table, kinds))
    if not event_rows:
        raise InputError("has no event of a node that is down, drained or in maintenance", file=file)
    date = "a date such as 2026-03-01T08:00:00, or Unix seconds"
    down = table.times(start, partial(iso_or_unix, zone=zone), date, event_rows)
    up = table.times(end, lambda text: _end(text, zone), date, event_rows)
    every = [(place, name) for place, row in enumerate(event_rows) for name in _names(table, row, nodes[row])]
    places = np.array([place for place, _ in every], dtype=np.int64)
    rows = TraceRows(
        [clusters[event_rows[place]] for place, _ in every],
        [name for _, name in every],
        down[places],
        up[places],
        np.array([kinds[event_rows[place]] for place, _ in every], dtype=np.int8),
        np.full(len(every), -np.inf),
        [table.lines[event_rows[place]] for place, _ in every],
    )
    anomalies += report_unmodeled([name for name in _NOT_MODELED if table.has(name)])
    return trace_of(rows, file, "slurm-events", anomalies=anomalies)


def _names(table: TextTable, row: int, text: str) -> tuple[str, ...]:
    """Return the nodes of a cell: one name, or those of a list such as ``n[1-3]``."""
    if "[" not in text:
        return (text,)
    try:
        return parse_nodes(text).names
    except InputError:
        raise table.refuse(row, "nodename", "a name, or a list such as n[001-003]") from None


def _kind(state: str) -> OutageKind | None:
    """Return the kind of outage of a state such as DOWN* or IDLE+DRAIN; None if the node is in use."""
    name = state.upper()
    # A node that is powered down to save energy is not broken: POWERED_DOWN, POWERING_DOWN, POWER_DOWN.
    broken = name.replace("POWERED_DOWN", "").replace("POWERING_DOWN", "").replace("POWER_DOWN", "")
    if any(word in broken for word in ("DOWN", "FAIL", "ERROR")):
        return OutageKind.FAIL
    if "MAINT" in name:
        return OutageKind.MAINTENANCE
    return OutageKind.DRAIN if "DRAIN" in name else None


def _column(table: TextTable, names: tuple[str, ...]) -> str:
    return next((name for name in names if table.has(name)), names[0])


def _end(text: str, zone: tzinfo) -> float | None:
    """Return the Unix time of an end; infinity of one that is open, None of what is no time."""
    return math.inf if text.lower() in _OPEN else iso_or_unix(text, zone)


def _list_left_out(table: TextTable, kinds: list[OutageKind | None]) -> list[Anomaly]:
    """Return the anomalies of rows that are no outage of a node."""
    anomalies = []
    nodes, states = table.texts("nodename"), table.texts("state")
    whole = [row for row, node in enumerate(nodes) if not node]
    if whole:
        sentence = "events of the whole cluster, which name no node; left out"
        anomalies.append(
            Anomaly("cluster-events", len(whole), f"{len(whole):,} {sentence}", table.lines[whole[0]])
        )
    other = [row for row, kind in enumerate(kinds) if kind is None and nodes[row]]
    if other:
        counts = Counter(states[row] or "no state" for row in other)
        listed = ", ".join(f"{count:,} {state}" for state, count in counts.most_common(8))
        sentence = f"{len(other):,} events in which the node is not out of use; left out: {listed}"
        anomalies.append(Anomaly("other-states", len(other), sentence, table.lines[other[0]]))
    return anomalies
