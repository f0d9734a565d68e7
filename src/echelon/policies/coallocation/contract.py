"""What a co-allocation is asked: the nodes of which clusters a job should take."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, Protocol, runtime_checkable

import numpy as np

if TYPE_CHECKING:
    from echelon.model.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class SpanningProblem:
    """One job, and the nodes of all clusters that may each take one task of it.

    Parameters
    ----------
    tasks : int
        Of the job, tau, >= 1: as many nodes are needed.
    bandwidth : float
        That each task needs on its node's link (PNBW), in bytes a second, >= 0.
    compute_time, communication_time : float
        T^p and T^c on dedicated nodes, in seconds, >= 0.
    cluster : IntColumn, shape (n_nodes,)
        Cluster of each usable node, ascending, from 0. Nodes without room for a task are left out.
    power : FloatColumn, shape (n_nodes,)
        Effective power Gamma of each node, above 0 to 1.
    link : FloatColumn, shape (n_clusters,)
        Capacity of the link of each cluster to the others, in bytes a second, > 0, perhaps infinite.
    consumed : FloatColumn, shape (n_clusters,)
        What is in use of it, in bytes a second, >= 0.
    """

    tasks: int
    bandwidth: float
    compute_time: float
    communication_time: float
    cluster: IntColumn
    power: FloatColumn
    link: FloatColumn
    consumed: FloatColumn

    def traffic(self, tasks_here: int) -> float:
        """Return what the job sends over the link of a cluster with so many of its tasks (equation 4.14)."""
        if not 0 < tasks_here < self.tasks:
            return 0.0
        return tasks_here * (self.tasks - tasks_here) / (self.tasks - 1) * self.bandwidth

    def slowdowns(self, nodes: IntColumn) -> tuple[float, float]:
        """Return SP and SC (>= 1) of the job on these nodes: equations 4.11 to 4.16.

        SC counts only links that the job uses, and is at least 1: an idle link speeds nothing up.
        """
        counts = np.bincount(self.cluster[nodes], minlength=len(self.link))
        crossing = 1.0
        for k in np.flatnonzero((counts > 0) & (counts < self.tasks)).tolist():
            if math.isfinite(self.link[k]):
                crossing = max(crossing, (self.consumed[k] + self.traffic(int(counts[k]))) / self.link[k])
        return float((1.0 / self.power[nodes]).max()), float(crossing)

    def time(self, nodes: IntColumn) -> float:
        """Return T^e of the job on these nodes, in seconds (equation 4.10)."""
        computing, communicating = self.slowdowns(nodes)
        return self.compute_time * computing + self.communication_time * communicating


class Span(NamedTuple):
    """An answer to a `SpanningProblem`.

    Attributes
    ----------
    nodes : tuple of int
        Places in the problem's columns of the nodes taken, ascending; as many as tasks.
    time : float
        T^e there, in seconds.
    gap : float
        How far T^e may be above the least possible, as a share of it: 0 if that is proved; nan if unknown.
    proved : bool
        Whether nothing better is possible, of the kind that was asked for.
    seconds : float
        Wall-clock time that finding it took.
    """

    nodes: tuple[int, ...]
    time: float
    gap: float
    proved: bool
    seconds: float


@runtime_checkable
class CoAllocation(Protocol):
    """Which nodes? A frozen rule with its parameters."""

    @property
    def name(self) -> str:
        """Name after ``--co-allocate``, kebab-case."""

    def span(self, problem: SpanningProblem) -> Span | None:
        """Return the nodes for the job, or None if there is no answer, or none was found in time."""
