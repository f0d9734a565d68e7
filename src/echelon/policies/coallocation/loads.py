"""Loads: a spanning problem as the rules see it: thresholds on SP, and the load of m tasks on each link."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.coallocation.contract import Reading, SpanningProblem


@dataclass(frozen=True, eq=False)
class Loads:
    """A spanning problem in numbers of tasks by cluster.

    All tasks are alike and SP is a maximum, so that a cluster with t_k tasks gives its t_k most powerful
    nodes (of equals, the first): an answer is one t_k a cluster.

    Parameters
    ----------
    problem : SpanningProblem
        The job and the nodes.
    reading : Reading
        How equation 4.16 is read.
    limit : float, default infinity
        Largest SC allowed; 1 for constraint 4.19.
    """

    problem: SpanningProblem
    reading: Reading
    limit: float = math.inf
    order: IntColumn = field(init=False)
    """Places of the nodes with any power, from the most to the least powerful, ties by place."""
    levels: FloatColumn = field(init=False)
    """Distinct 1/Gamma that can be SP of a solution, ascending: enough nodes are at least as fast; may be
    empty."""
    ends: IntColumn = field(init=False)
    """Number of nodes, by `order`, that are at least as fast as each level."""

    def __post_init__(self) -> None:
        able = np.flatnonzero(self.problem.power > 0)
        order = able[np.argsort(-self.problem.power[able], kind="stable")]
        slow = 1.0 / self.problem.power[order]
        levels = np.unique(slow)
        ends = np.searchsorted(slow, levels, side="right")
        first = int(np.searchsorted(ends, self.problem.tasks))
        for name, value in (("order", order), ("levels", levels[first:]), ("ends", ends[first:])):
            object.__setattr__(self, name, value)

    @property
    def clusters(self) -> int:
        """Number of clusters."""
        return len(self.problem.link)

    @cached_property
    def floor(self) -> float:
        """SC of a job that crosses no link."""
        return self.reading.least(self.problem)

    def usable(self, level: int) -> IntColumn:
        """Return the number of nodes of each cluster at least as fast as the level, shape (n_clusters,)."""
        return np.bincount(
            self.problem.cluster[self.order[: self.ends[level]]], minlength=self.clusters
        ).astype(np.int64)

    @cached_property
    def load(self) -> NDArray[np.float64]:
        """SC_k with m tasks, (consumed_k + g(m)) / link_k, shape (n_clusters, most tasks in a cluster + 1).

        0 for m = 0 and m = tasks: the job does not use the link. It rises with m up to tasks / 2, then falls.
        """
        tasks = self.problem.tasks
        most = min(tasks, int(np.bincount(self.problem.cluster).max(initial=0)))
        counts = np.arange(most + 1)
        traffic = counts * (tasks - counts) / max(tasks - 1, 1) * self.problem.bandwidth
        with np.errstate(over="ignore"):
            load = (self.problem.consumed[:, None] + traffic[None, :]) / self.problem.link[:, None]
        load[:, counts % tasks == 0] = 0.0
        return load

    def nodes(self, counts: IntColumn) -> IntColumn:
        """Return the places, ascending, of the nodes that `counts` tasks in each cluster take."""
        cluster = self.problem.cluster[self.order]
        grouped = self.order[np.argsort(cluster, kind="stable")]
        groups = self.problem.cluster[grouped]
        first = np.searchsorted(groups, np.arange(self.clusters))
        return np.sort(grouped[np.arange(len(grouped)) - first[groups] < counts[groups]])

    def times(self, computing: float | FloatColumn, communicating: float | FloatColumn) -> FloatColumn:
        """Return T^e for values of SP and SC, in seconds."""
        problem = self.problem
        # Links of next to nothing make times beyond all numbers: infinite, and never the least.
        with np.errstate(over="ignore"):
            # A part that takes no time does not matter, however slow it would be.
            parts = (problem.compute_time, computing), (problem.communication_time, communicating)
            return np.asarray(sum(time * slow if time else 0.0 * np.isfinite(slow) for time, slow in parts))

    def time(self, counts: IntColumn) -> float:
        """Return T^e with so many tasks in each cluster, in seconds."""
        return self.problem.time(self.nodes(counts), self.reading)

    @property
    def least_time(self) -> float:
        """No answer takes less: the tightest threshold that leaves enough nodes, and no link crossed."""
        return float(self.times(self.levels[0], self.floor)) if len(self.levels) else math.inf
