"""The contract of co-allocations: the choice of nodes of several clusters for a job."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True)
class Reading:
    """The interpretation of equation 4.16: which links count, and whether an idle link speeds a job up.

    Parameters
    ----------
    links : {"used", "all"}, default "used"
        Links that a job with 0 < t_k < tau tasks in cluster k crosses, or those of all clusters, each with
        what is consumed of it already.
    clamp : bool, default True
        SC >= 1: communication never takes less than on dedicated nodes. Without it an idle link shrinks
        T^c, as the printed formulas do.
    """

    links: Literal["used", "all"] = "used"
    clamp: bool = True

    def least(self, problem: SpanningProblem) -> float:
        """Return the SC of a job that crosses no link."""
        floor = 1.0 if self.clamp else 0.0
        if self.links == "used" or not len(problem.link):
            return floor
        import numpy as np

        # Of a link of next to nothing the degree is beyond all numbers: infinite.
        with np.errstate(over="ignore"):
            return max(floor, float((problem.consumed / problem.link).max()))


PHYSICAL = Reading()
"""The reading that a job which really runs obeys."""


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
        Effective power Gamma of each node, 0 to 1; one of 0 can take no task.
    link : FloatColumn, shape (n_clusters,)
        Capacity of the link of each cluster to the others, in bytes a second, > 0, perhaps infinite.
    consumed : FloatColumn, shape (n_clusters,)
        What is in use of it, in bytes a second, >= 0; more than the capacity if it is saturated.

    Raises
    ------
    InputError
        If a figure is out of its range, columns differ in length, or clusters are not ascending.
    """

    tasks: int
    bandwidth: float
    compute_time: float
    communication_time: float
    cluster: IntColumn
    power: FloatColumn
    link: FloatColumn
    consumed: FloatColumn

    def __post_init__(self) -> None:
        if self.tasks < 1:
            raise InputError(f"must be >= 1, got {self.tasks}", field="spanning problem, tasks")
        import numpy as np

        for name in ("bandwidth", "compute_time", "communication_time"):
            if not 0 <= (value := getattr(self, name)) < np.inf:
                raise InputError(f"must be finite and >= 0, got {value}", field=f"spanning problem, {name}")
        if (problem := self._find_fault()) is not None:
            raise InputError(problem, field="spanning problem")

    def _find_fault(self) -> str | None:
        if len(self.cluster) != len(self.power) or len(self.link) != len(self.consumed):
            return "columns of nodes, and columns of clusters, must be of one length each"
        if not ((self.power >= 0) & (self.power <= 1)).all():
            return "the power of each node must be from 0 to 1"
        import numpy as np

        if not ((self.link > 0).all() and ((self.consumed >= 0) & np.isfinite(self.consumed)).all()):
            return "links must be above 0, and what is consumed of them finite and >= 0"
        ends = self.cluster[[0, -1]] if len(self.cluster) else np.zeros(0)
        inside = not len(ends) or (ends[0] >= 0 and ends[1] < len(self.link))
        if not inside or (np.diff(self.cluster) < 0).any():
            return f"clusters of nodes must ascend from 0 to at most {len(self.link) - 1}"
        return None

    def traffic(self, tasks_here: int) -> float:
        """Return what the job sends over the link of a cluster with so many of its tasks (equation 4.14)."""
        if not 0 < tasks_here < self.tasks:
            return 0.0
        return tasks_here * (self.tasks - tasks_here) / (self.tasks - 1) * self.bandwidth

    def slowdowns(self, nodes: IntColumn, reading: Reading = PHYSICAL) -> tuple[float, float]:
        """Return SP and SC of the job on these nodes: equations 4.11 to 4.16."""
        import numpy as np

        counts = np.bincount(self.cluster[nodes], minlength=len(self.link))
        crossing = reading.least(self)
        for k in np.flatnonzero((counts > 0) & (counts < self.tasks)).tolist():
            with np.errstate(over="ignore"):
                crossing = max(crossing, (self.consumed[k] + self.traffic(int(counts[k]))) / self.link[k])
        least = float(self.power[nodes].min())
        return 1.0 / least if least else math.inf, float(crossing)

    def time(self, nodes: IntColumn, reading: Reading = PHYSICAL) -> float:
        """Return T^e of the job on these nodes, in seconds (equation 4.10)."""
        computing, communicating = self.slowdowns(nodes, reading)
        # Without a part that computes it does not matter how slowly it would.
        parts = ((self.compute_time, computing), (self.communication_time, communicating))
        return sum(time * slowdown for time, slowdown in parts if time)


class Span(NamedTuple):
    """A solution of a `SpanningProblem`.

    Attributes
    ----------
    nodes : tuple of int
        Indices of the chosen nodes in the problem's columns, ascending; as many as tasks.
    time : float
        T^e there, in seconds, as the rule reads equation 4.16.
    gap : float
        Bound on the excess of T^e over the least possible, as a share of it: 0 if proved optimal; nan if
        unknown.
    proved : bool
        Whether no better solution of the requested kind exists.
    seconds : float
        Wall-clock time that finding it took.
    found_by : str, default ``""``
        The name of the rule that found it, or of the fallback rule when the time limit was reached.
    """

    nodes: tuple[int, ...]
    time: float
    gap: float
    proved: bool
    seconds: float
    found_by: str = ""


@runtime_checkable
class CoAllocation(Protocol):
    """A co-allocation: chooses the nodes. A frozen rule with its parameters."""

    @property
    def name(self) -> str:
        """Name after ``--co-allocate``, kebab-case."""

    def span(self, problem: SpanningProblem) -> Span | None:
        """Return the nodes for the job, or None if no solution exists or was found in time."""
