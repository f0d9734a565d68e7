"""NodeLineup: jobs that may run side by side on nodes, running jobs on their cores; and partial copies."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Container

    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.resource import Fits, PlacedResource
    from echelon.model import Job

    Placed = TypeVar("Placed", bound=PlacedResource)


class NodeLineup:
    """Implements `echelon.policies.contract.Lineup`, by what the placement finds beside the jobs added.

    Running jobs stay on their cores. Waiting jobs are placed, in the order in which they were added, in what
    these leave; so a running job that is added after them is admitted only if all of them find room beside
    it, perhaps elsewhere than before.

    Parameters
    ----------
    nodes : PlacedResource
        As they are now; they are not changed.
    cluster : Cluster
        Whose jobs run there and wait.

    Attributes
    ----------
    free : int
        Cores that are left beside the jobs added.

    Notes
    -----
    Cost: nothing but counting until the first waiting job for which enough cores are left; then a copy of the
    nodes, and a placement for each of those. A running job after some of them costs two more copies and a
    placement of each.
    """

    __slots__ = ("_all", "_cluster", "_kept", "_nodes", "_running", "_tried", "_waiting", "free")

    def __init__(self, nodes: PlacedResource, cluster: Cluster) -> None:
        self._nodes, self._cluster = nodes, cluster
        self.free = nodes.processors
        self._kept: set[int] = set()
        self._waiting: list[Job] = []
        # With the running jobs added alone, and with all jobs added; made when first needed.
        self._running: PlacedResource | None = None
        self._all: PlacedResource | None = None
        # Both with a running job that was admitted last.
        self._tried: tuple[PlacedResource, PlacedResource] | None = None

    def admits(self, job: Job) -> bool:
        """See `Lineup.admits`."""
        if job.position in self._nodes.held:
            return self._stays(job)
        left, now = self._cluster.as_left(job), self._cluster.now
        if left.processors > self.free:
            return False
        return (self._all or self._with_running()).room(left, now) is not None

    def add(self, job: Job) -> None:
        """See `Lineup.add`."""
        nodes, now = self._nodes, self._cluster.now
        if job.position not in nodes.held:
            left = self._cluster.as_left(job)
            self._all = self._all or self._with_running().copy()
            self._all.put(left, now)
            self._waiting.append(left)
            self.free -= left.processors
            return
        if self._tried is not None:
            self._running, self._all = self._tried
        elif self._running is not None:
            self._running.put_back(job, nodes, now)
        self._tried = None
        self._kept.add(job.position)
        self.free -= sum(nodes.place_held(job.position).values())

    def _with_running(self) -> PlacedResource:
        """Return the nodes with the running jobs added alone."""
        if self._running is None:
            self._running = self._nodes.with_only(self._kept, self._cluster)
        return self._running

    def _stays(self, job: Job) -> bool:
        """Return whether running `job` can resume where it is."""
        self._tried = None
        if self._all is None:
            return True
        running, now = self._with_running().copy(), self._cluster.now
        running.put_back(job, self._nodes, now)
        everything = running.copy()
        self._tried = running, everything
        return all(everything.put(waiting, now) for waiting in self._waiting)


class OnPlaces:
    """What every `PlacedResource` inherits: how jobs are tried in copies of it."""

    def test_in(self, cluster: Cluster) -> Fits:
        """See `PlannedResource.test_in`: a job fits with what it has left, and where it is reserved."""
        return cluster.fits

    def lineup(self: PlacedResource, cluster: Cluster) -> NodeLineup:
        """See `PlannedResource.lineup`."""
        return NodeLineup(self, cluster)

    def with_only(  # noqa: PYI019  (`Self` would not say that it is a `PlacedResource`)
        self: Placed, kept: Container[int], cluster: Cluster
    ) -> Placed:
        """See `PlacedResource.with_only`. Cost: a copy, and giving back what each job that leaves holds."""
        twin = self.copy()
        for running in cluster.running:
            if running.position not in kept:
                twin.give(running.job, cluster.now)
        return twin
