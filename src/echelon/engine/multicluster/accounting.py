"""Accounting: the statistics of clusters that brokers read, with what they know of shared nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.tree.statistics import SiteStatistics
from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.multicluster.machine import SlotMachine
    from echelon.engine.multicluster.nodes import SharedNodes
    from echelon.engine.multicluster.site_view import SiteView
    from echelon.model import Job


class Accounting(SiteStatistics):
    """Counts and sums of the waiting and running jobs of each cluster; jobs of several count in each.

    Parameters
    ----------
    machines : sequence of SlotMachine
        The clusters.
    views : sequence of SiteView
        Of each.
    nodes : SharedNodes
        The nodes of all.
    """

    def __init__(
        self, machines: Sequence[SlotMachine], views: Sequence[SiteView], nodes: SharedNodes
    ) -> None:
        super().__init__(machines)
        self._machines, self._views, self._nodes = machines, views, nodes

    def occupied(self, job: Job, site: int) -> int:
        """Return the nodes with an owner at work among those that the cluster would give `job`."""
        cluster = self._machines[site].cluster
        return sum(self._nodes.use[cluster.first_node + node].is_active for node in cluster.nodes_for(job))

    def memory_use(self, site: int) -> float:
        """Return the mean share of its nodes' memory in use, by tasks and owners; 0 for infinite memory."""
        nodes, here = self._nodes, self._nodes.of(site)
        shares = nodes.held[here] / nodes.all_memory[here]
        owners = sum(use.memory for use in nodes.use[here])
        return float(shares.mean()) + owners / len(shares)

    def fullest_node(self, site: int) -> int:
        """Return the largest number of tasks in a node of cluster `site`."""
        here = self._nodes.of(site)
        return max(map(self._nodes.tasks, range(here.start, here.stop)))

    def planned_schedule(self, site: int, job: Job | None) -> list[Planned]:
        """Return the planned schedule of cluster `site` from a simulation of its queue."""
        cluster = self._machines[site].cluster
        jobs, times = self._views[site].whole(job)
        # Events that never happen in the simulation are at infinity.
        starts, ends = (np.nan_to_num(column, nan=np.inf).tolist() for column in (times.start, times.end))
        plan = [Planned(*planned) for planned in zip(jobs, starts, ends, strict=True)]
        count = len(cluster.running)
        running = [
            planned._replace(start=cluster.dispatches.first_start(planned.job)) for planned in plan[:count]
        ]
        rest = sorted(plan[count:], key=lambda p: (p.start, p.job.position))
        return [*sorted(running, key=lambda p: (p.end, p.job.position)), *rest]
