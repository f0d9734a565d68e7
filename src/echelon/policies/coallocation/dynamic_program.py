"""The exact solution by dynamic programming over clusters, for each threshold on SP."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.coallocation.rule import Found, MaySaturate, SpanningRule

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.coallocation.loads import Loads


@dataclass(frozen=True, slots=True, kw_only=True)
class DynamicProgram(MaySaturate, SpanningRule):
    """The nodes with the least T^e, exactly, for any dependence of the traffic on the number of tasks.

    For each SP that an answer can have, the least SC of r tasks in the first k clusters is the least over m
    of max(SC of r - m tasks in the first k - 1, SC_k of m tasks). Unlike `threshold` it does not use that the
    traffic rises and then falls with m, so each checks the other.

    Parameters
    ----------
    non_saturated : bool, default False
        Only answers with SC <= 1 (constraint 4.19).

    Notes
    -----
    **Ties**: the least SP, then the least SC, then the fewest tasks in the last clusters.
    **Cost**: O(clusters x tasks x nodes of a cluster) a threshold, at most O(clusters x tasks^2).
    **Source**: ours, for the model of Lérida Monsó, UAB 2009, section 4.6.
    """

    non_saturated: bool = False

    name: ClassVar[str] = "dp"
    source: ClassVar[str] = "no paper"

    def find(self, loads: Loads) -> Found | None:
        """Return the best counts; None if no link may saturate and each answer saturates one."""
        best: IntColumn | None = None
        least = math.inf
        for level, computing in enumerate(loads.levels.tolist()):
            if loads.times(computing, loads.floor) >= least:
                break
            crossing, counts = _least_crossing(loads, loads.usable(level))
            if counts is not None and (time := float(loads.times(computing, crossing))) < least:
                best, least = counts, time
        return None if best is None else Found(best, least, proved=True, found_by=self.name)


def _least_crossing(loads: Loads, usable: IntColumn) -> tuple[float, IntColumn | None]:
    """Return the least allowed SC with so many nodes of each cluster, and counts for it, or None."""
    tasks = loads.problem.tasks
    import numpy as np

    least = np.full(tasks + 1, math.inf)
    least[0] = loads.floor
    counts_by_cluster = np.zeros((loads.clusters, tasks + 1), dtype=np.int32)
    for k in np.flatnonzero(usable).tolist():
        least = _with_cluster(least, loads.load[k, : usable[k] + 1], loads.limit, counts_by_cluster[k])
    if not np.isfinite(least[tasks]):
        return math.inf, None
    counts = np.zeros(loads.clusters, dtype=np.int64)
    left = tasks
    for k in range(loads.clusters - 1, -1, -1):
        counts[k] = counts_by_cluster[k, left]
        left -= int(counts[k])
    return float(least[tasks]), counts


def _with_cluster(
    before: FloatColumn, load: FloatColumn, limit: float, best_counts: IntColumn
) -> FloatColumn:
    """Return the least SC of each number of tasks with one cluster more; what it takes is written down."""
    after = before.copy()
    import numpy as np

    for m in range(1, len(load)):
        if load[m] > limit:
            continue
        tried = np.maximum(before[: len(before) - m], load[m])
        better = tried < after[m:]
        after[m:][better] = tried[better]
        best_counts[m:][better] = m
    return after
