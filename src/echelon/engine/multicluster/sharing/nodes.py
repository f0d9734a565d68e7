"""SharedNodes: all nodes of a multicluster during a run: their local load, and the jobs on them."""

from __future__ import annotations

from copy import copy
from typing import TYPE_CHECKING

import numpy as np

from echelon.execution.cpu_sharing import cpu_use, fair_level
from echelon.execution.time_shared import availability
from echelon.model import AWAY, Application

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Job, LocalUse, Platform
    from echelon.model.jobs.columns import FloatColumn

LEAST_LINK = 0.01
"""Share of a link's capacity that local traffic always leaves: parallel tasks never stand still for it."""

LEAST_PROCESSOR = 0.05
"""Share of a node's processors that an owner leaves if he takes more of them than he uses."""

BYTES_PER_KB = 1024.0


class SharedNodes:
    """The nodes of all clusters in their present state, numbered through the platform.

    Parameters
    ----------
    platform : Platform
        A multicluster.
    owners : float, default 1
        See `echelon.execution.time_shared.TimeShared`.

    Attributes
    ----------
    first : list of int
        First node of each cluster; the last entry is the number of nodes.
    processors : FloatColumn
        Processors of each node that parallel tasks may use now, as monitors show it: those that the owner
        leaves and the contract allows.
    served : FloatColumn
        Processors of each node that parallel tasks actually get.
    link : FloatColumn
        Capacity of each node's link for parallel tasks now, in bytes a second.
    ceiling : FloatColumn
        Limit of their demand on it by the contract, in bytes a second.
    asked : FloatColumn
        Their demand, in bytes a second.
    jobs : list of dict
        Running jobs with a task in each node, by position, in the order of their starts.
    """

    def __init__(self, platform: Platform, owners: float = 1.0) -> None:
        self._owners = owners
        clusters = platform.clusters
        self.clusters = clusters
        counts = [len(cluster) for cluster in clusters]
        self.first: list[int] = np.concatenate(([0], np.cumsum(counts))).tolist()
        self.site_of: list[int] = np.repeat(np.arange(len(clusters)), counts).tolist()
        self.power = np.concatenate([cluster.power for cluster in clusters])
        self.all_processors = np.concatenate([cluster.processors for cluster in clusters]).astype(np.float64)
        self.all_memory = np.concatenate([cluster.memory for cluster in clusters])
        self.bandwidth = np.concatenate([cluster.bandwidth for cluster in clusters])
        each = [cluster.contract for cluster in clusters for _ in range(len(cluster))]
        self.ceiling: FloatColumn = self.bandwidth * np.array([contract.bandwidth for contract in each])
        self.allowed_memory = self.all_memory * np.array([contract.memory for contract in each])
        self.cpu_ceiling = self.all_processors * np.array([contract.cpu for contract in each])
        self.use: list[LocalUse] = [AWAY] * len(each)
        self.processors: FloatColumn = self.all_processors.copy()
        self.served: FloatColumn = self.processors.copy()
        self.link: FloatColumn = self.bandwidth.copy()
        self.asked: FloatColumn = np.zeros(len(each))
        self.held: FloatColumn = np.zeros(len(each))
        self.taken_beyond: FloatColumn = np.zeros(len(each))
        self.jobs: list[dict[int, Job]] = [{} for _ in each]

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.site_of)

    def copy(self) -> SharedNodes:
        """Return the nodes in their present state, whatever happens to these later."""
        twin = copy(self)
        for name in ("processors", "served", "link", "asked", "held", "taken_beyond"):
            setattr(twin, name, getattr(self, name).copy())
        twin.use, twin.jobs = list(self.use), [dict(jobs) for jobs in self.jobs]
        return twin

    def of(self, site: int) -> slice:
        """Return the slice of the nodes of cluster `site`."""
        return slice(self.first[site], self.first[site + 1])

    def use_by_owner(self, node: int, use: LocalUse) -> None:
        """Set the use of `node` by its owner from now on."""
        self.use[node] = use
        processors = self.all_processors[node]
        ceiling = self.cpu_ceiling[node] if use.is_active else processors
        left = max(0.0, processors * (1.0 - use.cpu))
        self.processors[node] = min(left, ceiling)
        used = processors * (1.0 - self._owners * use.cpu)
        # An owner whose taken share exceeds the used one leaves the least share, unless the use itself is
        # larger.
        really = left if self._owners == 1.0 else max(used, min(left, LEAST_PROCESSOR * processors))
        self.served[node] = min(really, ceiling)
        bandwidth = self.bandwidth[node]
        self.link[node] = max(bandwidth - use.network, LEAST_LINK * bandwidth) if use.network else bandwidth
        memory = self.all_memory[node]
        kept = memory - self.allowed_memory[node] if np.isfinite(memory) else 0.0
        wanted = memory * use.memory if use.memory and np.isfinite(memory) else 0.0
        self.taken_beyond[node] = max(0.0, wanted - kept)

    def enter(self, job: Job, nodes: Sequence[int]) -> None:
        """Add a task of `job` to each of `nodes`."""
        program = program_of(job)
        for node in nodes:
            self.jobs[node][job.position] = job
            self.held[node] += program.memory
        if job.processors > 1:
            self.asked[list(nodes)] += program.bandwidth

    def leave(self, job: Job, nodes: Sequence[int]) -> None:
        """Remove the tasks of `job` from `nodes`."""
        program = program_of(job)
        for node in nodes:
            del self.jobs[node][job.position]
            # Sums of fractions need not return to exactly 0.
            self.held[node] = self.held[node] - program.memory if self.jobs[node] else 0.0
            if job.processors > 1:
                self.asked[node] = self.asked[node] - program.bandwidth if self.jobs[node] else 0.0

    def tasks(self, node: int) -> int:
        """Return the parallel tasks in `node`."""
        return len(self.jobs[node])

    def effective_power(self, node: int) -> float:
        """Return Gamma = P x A of each task in `node`, 0 to 1; there is at least one."""
        return float(self.power[node]) * availability(float(self.served[node]), self.tasks(node))

    def cpu_level(self, node: int) -> float:
        """Return the largest share of a processor of a task in `node` if tasks share by use."""
        power = float(self.power[node])
        programs = map(program_of, self.jobs[node].values())
        uses = [cpu_use(each.compute_share, 1.0 - each.compute_share, power) for each in programs]
        return fair_level(uses, float(self.served[node]))

    def overfull(self, node: int) -> float:
        """Return the memory demand of tasks and owner beyond the node's memory, as a share of it."""
        memory = float(self.all_memory[node])
        if memory == np.inf:
            return 0.0
        return max(0.0, float(self.held[node]) / memory + self.use[node].memory - 1.0)


def program_of(job: Job) -> Application:
    """Return the application of `job`; by default, one that computes all the time."""
    if job.application is not None:
        return job.application
    return Application("", 1.0, max(job.memory, 0.0) * BYTES_PER_KB, 0.0)
