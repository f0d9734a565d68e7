"""PartialCopies: copies of a resource that some running jobs have left."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from collections.abc import Container

    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.resource import PlacedResource

    Placed = TypeVar("Placed", bound=PlacedResource)


class PartialCopies:
    """What a `PlacedResource` inherits to be copied without some of its running jobs."""

    def with_only(  # noqa: PYI019  (`Self` would not say that it is a `PlacedResource`)
        self: Placed, kept: Container[int], cluster: Cluster
    ) -> Placed:
        """See `PlacedResource.with_only`. Cost: a copy, and giving back what each job that leaves holds."""
        twin = self.copy()
        for running in cluster.running:
            if running.position not in kept:
                twin.give(running.job, cluster.now)
        return twin
