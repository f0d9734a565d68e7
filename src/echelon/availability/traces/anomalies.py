"""Anomalies of failure traces: what a person wants to know before trusting one."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.workload import Anomaly
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from echelon.availability.traces.failure_trace import FailureTrace
    from echelon.model.jobs.columns import IntColumn


def usual_anomalies(trace: FailureTrace, lines: IntColumn) -> tuple[Anomaly, ...]:
    """Return what is unusual in the outages of any trace, in a fixed order of kinds.

    Parameters
    ----------
    trace : FailureTrace
        Its rows.
    lines : IntColumn, shape (n_rows,)
        1-based line of each row in the file.
    """
    return tuple(_find_anomalies(trace, lines))


def _find_anomalies(trace: FailureTrace, lines: IntColumn) -> Iterator[Anomaly]:
    none = trace.up == trace.down
    if none.any():
        yield count_rows("no-length", none, "of no length: what runs there dies, and the node is back", lines)
    lasting = np.isinf(trace.up)
    if lasting.any():
        sentence = "not over when the file was written: the node never returns"
        yield count_rows("not-over", lasting, sentence, lines)
    order = np.lexsort((trace.up, trace.down, trace.node))
    node, down, up = trace.node[order], trace.down[order], trace.up[order]
    # Ends as ranks, so that the latest so far of each node is one running maximum.
    ends, rank = np.unique(up, return_inverse=True)
    latest = ends[np.maximum.accumulate(node * len(ends) + rank) - node * len(ends)] if len(node) else up
    overlaps = np.zeros(len(node), dtype=np.bool_)
    overlaps[order[1:]] = (node[1:] == node[:-1]) & (down[1:] < latest[:-1])
    if overlaps.any():
        sentence = "beginning before an earlier one of the same node is over; their union counts"
        yield count_rows("overlapping", overlaps, sentence, lines)
    failed = np.flatnonzero(trace.kind == OutageKind.FAIL)
    system = trace.system[trace.node[failed]]
    order = np.lexsort((trace.down[failed], system))
    together = np.zeros(len(node), dtype=np.bool_)
    again = (np.diff(trace.down[failed][order]) == 0) & (np.diff(system[order]) == 0)
    together[failed[order[1:]]] = again
    if together.any():
        sentence = (
            "beginning with another failure of the same system: one incident of many nodes has many rows"
        )
        yield count_rows("simultaneous", together, sentence, lines)


def count_rows(kind: str, rows: NDArray[np.bool_], sentence: str, lines: IntColumn) -> Anomaly:
    """Return the anomaly of some rows: their count, what they are, and the line of the first."""
    count = int(np.count_nonzero(rows))
    noun = "outage" if count == 1 else "outages"
    return Anomaly(kind, count, f"{count:,} {noun} {sentence}", int(lines[rows].min()))


def not_modeled(columns: Sequence[str]) -> tuple[Anomaly, ...]:
    """Return the anomaly of columns that are in a file and change nothing here."""
    if not columns:
        return ()
    listed = ", ".join(columns)
    return (Anomaly("not-modeled", len(columns), f"columns that nothing here models: {listed}", None),)
