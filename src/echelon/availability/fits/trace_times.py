"""Times of a trace: how long nodes were up and down, and from failure to failure."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.availability.traces.failure_trace import FailureTrace
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def down_times(trace: FailureTrace) -> FloatColumn:
    """Return how long each failure lasted, in seconds, row by row; those not over are left out."""
    failures = trace.of_kind(OutageKind.FAIL)
    lengths = failures.up - failures.down
    return lengths[np.isfinite(lengths)]


def up_times(trace: FailureTrace) -> FloatColumn:
    """Return the times from the end of a failure to the next failure of the same node, in seconds.

    Notes
    -----
    What is before the first failure of a node and after its last one is not known, and left out. Times are
    negative where rows of a node overlap.
    """
    failures, order = _by_node(trace)
    node, down, up = failures.node[order], failures.down[order], failures.up[order]
    gaps: FloatColumn = down[1:] - up[:-1]
    return _only(gaps, (node[1:] == node[:-1]) & np.isfinite(gaps))


def node_gaps(trace: FailureTrace) -> FloatColumn:
    """Return the times from failure to failure of the same node, in seconds, however long each lasted."""
    failures, order = _by_node(trace)
    node, down = failures.node[order], failures.down[order]
    gaps: FloatColumn = down[1:] - down[:-1]
    return _only(gaps, node[1:] == node[:-1])


def machine_gaps(trace: FailureTrace) -> FloatColumn:
    """Return the times from failure to failure of the same system, of whichever node, in seconds.

    Notes
    -----
    One incident that is listed for many nodes has times of 0.
    """
    failures = trace.of_kind(OutageKind.FAIL)
    system = failures.system[failures.node]
    order = np.lexsort((failures.down, system))
    gaps: FloatColumn = np.diff(failures.down[order])
    return _only(gaps, np.diff(system[order]) == 0)


def _by_node(trace: FailureTrace) -> tuple[FailureTrace, IntColumn]:
    failures = trace.of_kind(OutageKind.FAIL)
    return failures, np.lexsort((failures.up, failures.down, failures.node))


def _only(times: FloatColumn, chosen: NDArray[np.bool_]) -> FloatColumn:
    subset: FloatColumn = times[chosen]
    return subset
