"""Building a failure trace from the rows of a file, with what a person wants to know before trusting it."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.availability.traces.failure_trace import FailureTrace
from echelon.errors import InputError
from echelon.model.jobs.workload import Anomaly
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


class TraceRows(NamedTuple):
    """Outages as a reader finds them, each of one node; columns of equal length."""

    systems: Sequence[str]
    nodes: Sequence[str]
    down: FloatColumn
    up: FloatColumn
    kind: NDArray[np.int8]
    announced: FloatColumn
    lines: Sequence[int]


def trace_of(
    rows: TraceRows,
    file: str,
    format: str,  # noqa: A002  (what it is)
    *,
    is_dated: bool = True,
    numbering: str = "order",
    anomalies: Sequence[Anomaly] = (),
) -> FailureTrace:
    """Return the trace of these rows, with what is unusual in it.

    Raises
    ------
    InputError
        If an outage ends before it begins: file, line and both times are named.
    """
    back = rows.up < rows.down
    if back.any():
        row = int(back.argmax())
        raise InputError(
            f"an outage must end no earlier than it begins, got {rows.down[row]:.15g} s to "
            f"{rows.up[row]:.15g} s",
            file=file,
            line=rows.lines[row],
        )
    systems = {name: place for place, name in enumerate(dict.fromkeys(rows.systems))}
    keys = list(zip(rows.systems, rows.nodes, strict=True))
    nodes = {key: place for place, key in enumerate(dict.fromkeys(keys))}
    trace = FailureTrace(
        file,
        format,
        tuple(node for _, node in nodes),
        np.array([systems[system] for system, _ in nodes], dtype=np.int64),
        tuple(systems),
        np.array([nodes[key] for key in keys], dtype=np.int64),
        rows.down,
        rows.up,
        rows.kind,
        rows.announced,
        is_dated,
        numbering,
    )
    lines = np.array(rows.lines, dtype=np.int64)
    return replace(trace, anomalies=(*_find_anomalies(trace, lines), *anomalies))


def _find_anomalies(trace: FailureTrace, lines: IntColumn) -> tuple[Anomaly, ...]:
    """Return what is unusual in the outages of any trace, in a fixed order of kinds."""
    kinds = (
        ("no-length", trace.up == trace.down, "of no length: what runs there dies, and the node is back"),
        ("not-over", np.isinf(trace.up), "not over when the file was written: the node never returns"),
        (
            "overlapping",
            _overlap(trace),
            "beginning before an earlier one of the same node is over; their union counts",
        ),
        (
            "simultaneous",
            _begin_together(trace),
            "beginning with another failure of the same system: one incident of many nodes has many rows",
        ),
    )
    return tuple(count_rows(kind, rows, sentence, lines) for kind, rows, sentence in kinds if rows.any())


def _overlap(trace: FailureTrace) -> NDArray[np.bool_]:
    """Return which outages begin before an earlier one of the same node is over."""
    order = np.lexsort((trace.up, trace.down, trace.node))
    node, down, up = trace.node[order], trace.down[order], trace.up[order]
    # Ends as ranks, so that the latest so far of each node is one running maximum.
    ends, rank = np.unique(up, return_inverse=True)
    latest = ends[np.maximum.accumulate(node * len(ends) + rank) - node * len(ends)] if len(node) else up
    overlaps = np.zeros(len(node), dtype=np.bool_)
    overlaps[order[1:]] = (node[1:] == node[:-1]) & (down[1:] < latest[:-1])
    return overlaps


def _begin_together(trace: FailureTrace) -> NDArray[np.bool_]:
    """Return which failures begin with another one of the same system."""
    failed = np.flatnonzero(trace.kind == OutageKind.FAIL)
    system = trace.system[trace.node[failed]]
    order = np.lexsort((trace.down[failed], system))
    together = np.zeros(len(trace), dtype=np.bool_)
    together[failed[order[1:]]] = (np.diff(trace.down[failed][order]) == 0) & (np.diff(system[order]) == 0)
    return together


def count_rows(kind: str, rows: NDArray[np.bool_], sentence: str, lines: IntColumn) -> Anomaly:
    """Return the anomaly of some rows: their count, what they are, and the line of the first."""
    count = int(np.count_nonzero(rows))
    noun = "outage" if count == 1 else "outages"
    return Anomaly(kind, count, f"{count:,} {noun} {sentence}", int(lines[rows].min()))


def report_unmodeled(columns: Sequence[str]) -> tuple[Anomaly, ...]:
    """Return the anomaly of columns that are in a file and change nothing here."""
    if not columns:
        return ()
    listed = ", ".join(columns)
    return (Anomaly("not-modeled", len(columns), f"columns that nothing here models: {listed}", None),)
