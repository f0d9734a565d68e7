"""FailureSummary: what a failure trace says in figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.availability.fits.law_fit import TimeSample, fit_laws
from echelon.errors import InputError
from echelon.model.machines.outages import OutageKind

if TYPE_CHECKING:
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
    times: FloatColumn = gaps[(node[1:] == node[:-1]) & np.isfinite(gaps)]
    return times


def node_gaps(trace: FailureTrace) -> FloatColumn:
    """Return the times from failure to failure of the same node, in seconds, however long each lasted."""
    failures, order = _by_node(trace)
    node, down = failures.node[order], failures.down[order]
    gaps: FloatColumn = np.diff(down)[node[1:] == node[:-1]]
    return gaps


def machine_gaps(trace: FailureTrace) -> FloatColumn:
    """Return the times from failure to failure of the same system, of whichever node, in seconds.

    Notes
    -----
    One incident that is listed for many nodes has times of 0.
    """
    failures = trace.of_kind(OutageKind.FAIL)
    system = failures.system[failures.node]
    order = np.lexsort((failures.down, system))
    gaps: FloatColumn = np.diff(failures.down[order])[np.diff(system[order]) == 0]
    return gaps


def _by_node(trace: FailureTrace) -> tuple[FailureTrace, IntColumn]:
    failures = trace.of_kind(OutageKind.FAIL)
    return failures, np.lexsort((failures.up, failures.down, failures.node))


@dataclass(frozen=True, slots=True)
class SystemSummary:
    """The failures of one system of a trace.

    Parameters
    ----------
    name : str
        Its name in the trace; empty if the trace has no systems.
    nodes : int
        Nodes that failed; a trace may list no others.
    failures : int
        Failures, each of one node.
    first, last : float
        Begin of the first and of the last failure, in seconds of the trace.
    between : TimeSample
        Times from failure to failure, of whichever node: their mean is the MTBF of the system.
    down : TimeSample
        How long failures lasted: their mean is the MTTR.
    """

    name: str
    nodes: int
    failures: int
    first: float
    last: float
    between: TimeSample
    down: TimeSample

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON: times in seconds."""
        plain = {"name": self.name, "nodes": self.nodes, "failures": self.failures}
        times = {"first": self.first, "last": self.last}
        return {**plain, **times, "between": self.between.to_dict(), "down": self.down.to_dict()}


_COUNTS = ("failures", "drains", "maintenances", "nodes", "first", "last")


@dataclass(frozen=True, slots=True)
class FailureSummary:
    """What a person wants to know of a failure trace before simulating it.

    Parameters
    ----------
    trace : FailureTrace
        With its anomalies.
    failures, drains, maintenances : int
        Outages of each kind, each of one node.
    nodes : int
        Nodes that failed.
    up : TimeSample
        Times from the end of a failure to the node's next one: what a law of nodes is fitted to.
    down : TimeSample
        How long failures lasted: what a law of repairs is fitted to.
    between : TimeSample
        Times from failure to failure of a node.
    systems : tuple of SystemSummary
        Each system of the trace that had a failure, in the trace's order.
    """

    trace: FailureTrace
    failures: int
    drains: int
    maintenances: int
    nodes: int
    up: TimeSample
    down: TimeSample
    between: TimeSample
    systems: tuple[SystemSummary, ...]

    @property
    def first(self) -> float:
        """Begin of the first failure, in seconds of the trace."""
        return min(system.first for system in self.systems)

    @property
    def last(self) -> float:
        """Begin of the last failure, in seconds of the trace."""
        return max(system.last for system in self.systems)

    @property
    def availability(self) -> float | None:
        """Mean time up / (mean time up + mean time down), 0 to 1; None if one of them is unknown.

        Overlapping outages of a node, whose time up is negative, count as no time up.
        """
        up, down = self.up, self.down
        if not (up.n > up.zeros and down.n):
            return None
        mean_up = up.mean_positive * (up.n - up.zeros) / up.n
        return mean_up / (mean_up + down.mean)

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values for JSON: times in seconds."""
        trace = self.trace
        return {
            "file": trace.file,
            "format": trace.format,
            "dated": trace.is_dated,
            **{name: getattr(self, name) for name in _COUNTS},
            "mtbf_node": self.between.mean,
            "mean_up": self.up.mean,
            "mttr": self.down.mean,
            "availability": self.availability,
            **{name: getattr(self, name).to_dict() for name in ("up", "down", "between")},
            "systems": [system.to_dict() for system in self.systems],
            "anomalies": [asdict(one) for one in trace.anomalies],
        }


def failure_summary(trace: FailureTrace) -> FailureSummary:
    """Return what a trace says, with laws fitted to its times.

    Raises
    ------
    InputError
        If it has no failure, only drains and maintenance.

    Notes
    -----
    Cost: O(n log n); half a second for 23,000 failures.
    """
    counts = np.bincount(trace.kind, minlength=len(OutageKind))
    if not counts[OutageKind.FAIL]:
        raise InputError("has no failure, only drains or maintenance", file=trace.file)
    systems = (trace.of_system(name) for name in trace.systems) if len(trace.systems) > 1 else [trace]
    return FailureSummary(
        trace,
        int(counts[OutageKind.FAIL]),
        int(counts[OutageKind.DRAIN]),
        int(counts[OutageKind.MAINTENANCE]),
        len(np.unique(trace.node[trace.kind == OutageKind.FAIL])),
        fit_laws(up_times(trace)),
        fit_laws(down_times(trace)),
        fit_laws(node_gaps(trace)),
        tuple(_system(one) for one in systems if (one.kind == OutageKind.FAIL).any()),
    )


def _system(trace: FailureTrace) -> SystemSummary:
    failures = trace.of_kind(OutageKind.FAIL)
    return SystemSummary(
        trace.systems[0],
        len(np.unique(failures.node)),
        len(failures),
        float(failures.down.min()),
        float(failures.down.max()),
        fit_laws(machine_gaps(trace)),
        fit_laws(down_times(trace)),
    )
