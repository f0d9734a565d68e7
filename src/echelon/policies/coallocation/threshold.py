"""The exact solution by two thresholds: one on SP, one on SC."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.coallocation.rule import Found, MaySaturate, SpanningRule

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.coallocation.loads import Loads


@dataclass(frozen=True, slots=True, kw_only=True)
class Threshold(MaySaturate, SpanningRule):
    """The nodes with the least T^e, exactly, without a program: a threshold on SP, then one on SC.

    For each SP that an answer can have, the least SC by bisection over the values that m tasks put on a
    link; whether one of them suffices is seen in one look at each cluster, see
    `echelon.policies.coallocation.filling`. A threshold on SP is skipped if it cannot beat the best answer.

    Parameters
    ----------
    non_saturated : bool, default False
        Only answers with SC <= 1 (constraint 4.19).

    Notes
    -----
    **Ties**: the least SP, then the least SC, then as few clusters as their room there allows, then the
    lowest clusters. **Cost**: O(thresholds x clusters x nodes of a cluster), times a logarithm at each better
    answer. **Source**: the model is that of Lérida Monsó, UAB 2009, section 4.6; the algorithm is ours.
    """

    non_saturated: bool = False

    name: ClassVar[str] = "threshold"
    source: ClassVar[str] = "no paper"

    def find(self, loads: Loads) -> Found | None:
        """Return the best counts; None if no link may saturate and each answer saturates one."""
        import numpy as np

        counts, time = sweep_levels(loads, np.arange(len(loads.levels)), ceilings(loads))
        return None if counts is None else Found(counts, time, proved=True, found_by=self.name)


def ceilings(loads: Loads) -> FloatColumn:
    """Return each allowed SC that a solution can have, ascending."""
    import numpy as np

    if loads.floor > loads.limit:
        return np.zeros(0)
    values = np.unique(loads.load)
    return np.concatenate(([loads.floor], values[(values > loads.floor) & (values <= loads.limit)]))


def sweep_levels(loads: Loads, levels: IntColumn, allowed: FloatColumn) -> tuple[IntColumn | None, float]:
    """Return tasks by cluster of least T^e, and it, with SP of `levels`, SC of `allowed`, both ascending."""
    best: IntColumn | None = None
    least = math.inf
    import numpy as np

    for level in levels.tolist():
        times = loads.times(loads.levels[level], allowed)
        better = int(np.searchsorted(times, least))
        if not better and least < math.inf:
            break
        at, counts = _least_ceiling(loads, loads.usable(level), allowed[:better])
        if counts is not None:
            best, least = counts, float(times[at])
    return best, least


def _least_ceiling(loads: Loads, usable: IntColumn, allowed: FloatColumn) -> tuple[int, IntColumn | None]:
    """Return which of the ceilings is the least possible, and counts for it; None if none is possible."""
    high = len(allowed) - 1
    from echelon.policies.coallocation.filling import fill_clusters

    counts = fill_clusters(loads, usable, float(allowed[high])) if high >= 0 else None
    low = 0
    while counts is not None and low < high:
        middle = (low + high) // 2
        tried = fill_clusters(loads, usable, float(allowed[middle]))
        if tried is None:
            low = middle + 1
        else:
            high, counts = middle, tried
    return high, counts
