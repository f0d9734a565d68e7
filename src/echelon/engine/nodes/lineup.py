"""NodeLineup: jobs that may run side by side on nodes, running jobs on their cores."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.engine.nodes.cluster import NodeCluster
    from echelon.model import Job


class NodeLineup:
    """Implements `echelon.policies.contract.Lineup`, by what the placement finds beside the jobs added.

    Running jobs stay on their cores. Waiting jobs are placed, in the order in which they were added, in what
    these leave; so a running job that is added after them is admitted only if all of them find room beside
    it, perhaps elsewhere than before.

    Parameters
    ----------
    cluster : NodeCluster
        As it is now; it is not changed.

    Attributes
    ----------
    free : int
        Cores that are left beside the jobs added.

    Notes
    -----
    Cost: nothing but counting until the first waiting job for which enough cores are left; then a copy of the
    cluster, and a placement for each of those. A running job after some of them costs two more copies and a
    placement of each.
    """

    __slots__ = ("_all", "_cluster", "_kept", "_running", "_tried", "_waiting", "free")

    def __init__(self, cluster: NodeCluster) -> None:
        self._cluster = cluster
        self.free = cluster.processors
        self._kept: set[int] = set()
        self._waiting: list[Job] = []
        # With the running jobs added alone, and with all jobs added; made when first needed.
        self._running: NodeCluster | None = None
        self._all: NodeCluster | None = None
        # Both with a running job that was admitted last.
        self._tried: tuple[NodeCluster, NodeCluster] | None = None

    def admits(self, job: Job) -> bool:
        """See `Lineup.admits`."""
        if job.position in self._cluster.assignments:
            return self._stays(job)
        if self._cluster.as_left(job).processors > self.free:
            return False
        if self._running is None:
            self._running = self._cluster.with_only(self._kept)
        return (self._all or self._running).room_for(job) is not None

    def add(self, job: Job) -> None:
        """See `Lineup.add`."""
        cluster = self._cluster
        if job.position not in cluster.assignments:
            assert self._running is not None
            self._all = self._all or self._running.copy()
            self._all.put(job)
            self._waiting.append(job)
            self.free -= cluster.as_left(job).processors
            return
        if self._tried is not None:
            self._running, self._all = self._tried
        elif self._running is not None:
            self._running.put_back(job, cluster)
        self._tried = None
        self._kept.add(job.position)
        self.free -= len(cluster.assignments[job.position].cores)

    def _stays(self, job: Job) -> bool:
        """Return whether running `job` can resume where it is."""
        self._tried = None
        if self._all is None:
            return True
        assert self._running is not None
        running = self._running.copy()
        running.put_back(job, self._cluster)
        everything = running.copy()
        self._tried = running, everything
        return all(everything.put(waiting) for waiting in self._waiting)
