"""The Failure Trace Archive's event trace: intervals in which nodes were available or not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.availability.traces.building import TraceRows, report_unmodeled, trace_of
from echelon.availability.traces.text_table import TextTable, read_delimited
from echelon.errors import InputError
from echelon.model.jobs.workload import Anomaly
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from datetime import tzinfo

    from echelon.availability.traces.failure_trace import FailureTrace

_DOWN, _UP = 0, 1


def read_fta(text: str, file: str, zone: tzinfo) -> FailureTrace:
    """Return the outages of an ``event_trace.tab``: events of type 0, unavailable.

    Parameters
    ----------
    text : str
        The whole file: a line of names, then cells with blanks between them: ``event_id component_id node_id
        platform_id node_name event_type event_start_time event_stop_time event_end_reason``.

    Notes
    -----
    A node is keyed by node_id, within its platform: names are not unique. Events of type 1, available, say
    nothing that those of type 0 do not, but where a node is neither is counted as an anomaly.

    Raises
    ------
    InputError
        If the file is not such a table, or no node is ever unavailable: file, line and column are named.
    """
    table = read_delimited(text, file, separator=" ")
    kind = table.numbers("event_type", "0 (unavailable) or 1 (available)")
    is_event = (kind == _DOWN) | (kind == _UP)
    if not is_event.all():
        raise table.refuse(int((~is_event).argmax()), "event_type", "0 (unavailable) or 1 (available)")
    start, stop = (
        table.numbers(_find_column(table, name), "a Unix time in seconds")
        for name in ("event_start_time", "event_stop_time")
    )
    down_rows = np.flatnonzero(kind == _DOWN).tolist()
    if not down_rows:
        raise InputError("has no event of type 0, in which a node is unavailable", file=file)
    nodes = table.texts("node_id")
    platforms = table.texts("platform_id") if table.has("platform_id") else [""] * len(table)
    if len(set(platforms)) == 1:
        platforms = [""] * len(table)
    rows = TraceRows(
        [platforms[row] for row in down_rows],
        [nodes[row] for row in down_rows],
        start[down_rows],
        stop[down_rows],
        np.full(len(down_rows), OutageKind.FAIL, dtype=np.int8),
        np.full(len(down_rows), -np.inf),
        [table.lines[row] for row in down_rows],
    )
    unread = report_unmodeled([name for name in ("component_id", "event_end_reason") if table.has(name)])
    keys = np.unique([f"{a} {b}" for a, b in zip(platforms, nodes, strict=True)], return_inverse=True)[1]
    order = np.lexsort((stop, start, keys))
    unseen = (np.diff(keys[order]) == 0) & (start[order][1:] > stop[order][:-1])
    anomalies = list(unread)
    if unseen.any():
        sentence = "times between events in which a node is neither available nor not; it counts as available"
        anomalies.append(Anomaly("unobserved", int(unseen.sum()), f"{unseen.sum():,} {sentence}"))
    return trace_of(rows, file, "fta", anomalies=anomalies)


def _find_column(table: TextTable, name: str) -> str:
    """Return the name of a column, which some files of the archive write without its last word."""
    short = name.removesuffix("_time")
    return name if table.has(name) or not table.has(short) else short
