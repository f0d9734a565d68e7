"""Baselines of co-allocation: a share of the tasks in one cluster, or only links that are wide enough."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.coallocation.rule import Found, SpanningRule

if TYPE_CHECKING:
    from echelon.policies.coallocation.loads import Loads


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule85(SpanningRule):
    """The cluster with the most usable nodes takes as many tasks as it can hold, if they are a large share.

    The other tasks go to as few more clusters as possible, so that the job crosses few links. What these
    carry is not looked at.

    Parameters
    ----------
    share : float, default 0.85
        Least share of the job's tasks that one cluster must hold, above 0 to 1.

    Raises
    ------
    InputError
        If `share` is out of its range.

    Notes
    -----
    **Ties**: the lowest cluster; in a cluster the most powerful nodes, of equals the first.
    **Cost**: O(nodes log nodes). **Source**: Jones, Ligon, Pang and Stanzione, Journal of Supercomputing
    2005, as quoted in Lérida Monsó, UAB 2009, section 4.7, which does not define the cluster if several can,
    or the clusters of the rest.
    """

    share: float = 0.85

    name: ClassVar[str] = "rule-85"
    source: ClassVar[str] = "Jones et al., Journal of Supercomputing 2005"

    def __post_init__(self) -> None:
        SpanningRule.__post_init__(self)
        if not 0 < self.share <= 1:
            raise InputError(
                f"must be a share above 0 and at most 1, got {self.share!r}", field="rule-85, share"
            )

    def find(self, loads: Loads) -> Found | None:
        """Return the counts, or None if no cluster holds enough of the job."""
        tasks, usable = loads.problem.tasks, loads.usable(len(loads.levels) - 1)
        main = int(usable.argmax())
        here = min(tasks, int(usable[main]))
        # In the share's decimals: 0.85 of 20 tasks are 17, which float64 exceeds.
        if here < math.ceil(Fraction(str(self.share)) * tasks):
            return None
        usable[main] = 0
        from echelon.policies.coallocation.filling import largest_first, only

        counts = only(main, here, loads.clusters) + largest_first(usable, tasks - here)
        return Found(counts, loads.least_time, proved=False, found_by=self.name)


@dataclass(frozen=True, slots=True, kw_only=True)
class LowCommunication(SpanningRule):
    """The most powerful nodes of all clusters, for jobs that need little of each link.

    A cluster takes part if one task of the job demands at most the share ``most`` of its link. A job that
    one cluster can hold stays whole, in the one whose slowest node taken is the fastest.

    Parameters
    ----------
    most : float, default 0.25
        Largest share of a cluster's link that one task may demand (PNBW / capacity), above 0. The papers
        give no figure; the thesis's own study starts at a quarter.

    Raises
    ------
    InputError
        If `most` is not above 0.

    Notes
    -----
    **Ties**: the lowest cluster, the first node. **Cost**: O(nodes log nodes), times the clusters that can
    hold the job alone. **Source**: Bucur and Epema, JSSPP 2002, as quoted in Lérida Monsó, UAB 2009, section
    4.7; what "little" means is ours.
    """

    most: float = 0.25

    name: ClassVar[str] = "low-communication"
    source: ClassVar[str] = "Bucur and Epema, JSSPP 2002"

    def __post_init__(self) -> None:
        SpanningRule.__post_init__(self)
        if not self.most > 0:
            raise InputError(f"must be a share above 0, got {self.most!r}", field="low-communication, most")

    def find(self, loads: Loads) -> Found | None:
        """Return the counts, or None if too few nodes are behind links that are wide enough."""
        problem = loads.problem
        import numpy as np

        whole = np.flatnonzero(loads.usable(len(loads.levels) - 1) >= problem.tasks).tolist()
        from echelon.policies.coallocation.filling import only

        if whole:
            each = [only(k, problem.tasks, loads.clusters) for k in whole]
            counts = min(each, key=lambda one: problem.slowdowns(loads.nodes(one))[0])
            return Found(counts, loads.least_time, proved=False, found_by=self.name)
        wide = problem.bandwidth <= self.most * problem.link
        nodes = loads.order[wide[problem.cluster[loads.order]]][: problem.tasks]
        if len(nodes) < problem.tasks:
            return None
        counts = np.bincount(problem.cluster[nodes], minlength=loads.clusters).astype(np.int64)
        return Found(counts, loads.least_time, proved=False, found_by=self.name)
