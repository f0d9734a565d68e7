"""When a number of cores is planned to be free in nodes of which some are closed at times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Protocol

from echelon.engine.resources.closures import open_only
from echelon.model import Job

if TYPE_CHECKING:
    from echelon.engine.nodes.nodes import Nodes
    from echelon.engine.nodes.numbered import Numbered
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.closures import Closures

ANY = Job(-1, -1, 0.0, 1, 0.0)
"""A job that has access to nothing that is reserved."""


class Freeing(Protocol):
    """What a resource will have free if nothing else starts."""

    def give_back(self, position: int) -> None:
        """Count what a job, or an outage, holds among what is free."""

    def open_at(self, time: float) -> int:
        """Return how many cores of what is free are open to all at a time, as is known now."""


def open_shadow(size: int, cluster: Cluster, closures: Closures, freeing: Freeing) -> tuple[float, int]:
    """Return when `size` cores are planned to be free and open to all, and how many more; see `SystemView`.

    At that instant: how long they stay open is not asked. Infinity, and all that are beyond `size`, if they
    never are as is known now.

    Notes
    -----
    Cost: O(times), of planned ends and of ends of closures, each as long as `Freeing` takes.
    """
    now = cluster.now
    holders, gone = [one for one in cluster.holders if one.planned_end < math.inf], 0
    times = {now, *(max(now, one.planned_end) for one in holders), *closures.openings(ANY, now, now)}
    for time in sorted(times):
        while gone < len(holders) and holders[gone].planned_end <= time:
            freeing.give_back(holders[gone].position)
            gone += 1
        if (free := freeing.open_at(time)) >= size:
            return time, free - size
    return math.inf, cluster.processors - size


class FreeingNodes:
    """`Freeing` of nodes with cores.

    Parameters
    ----------
    nodes : Nodes
        With closures.
    now : float
        In seconds.
    """

    def __init__(self, nodes: Nodes, now: float) -> None:
        self._nodes, self._now, self._cores = nodes, now, nodes.cores.copy()

    def give_back(self, position: int) -> None:
        """See `Freeing.give_back`."""
        for node, (count, _) in self._nodes.held[position].items():
            self._cores[node] += count

    def open_at(self, time: float) -> int:
        """See `Freeing.open_at`."""
        assert self._nodes.closures is not None
        closed = self._nodes.closures.closed_to(ANY, time, math.nextafter(time, math.inf), self._now)
        return int(open_only(self._cores, closed).sum())


class FreeingProcessors:
    """`Freeing` of processors with numbers.

    Parameters
    ----------
    numbered : Numbered
        With closures.
    now : float
        In seconds.
    """

    def __init__(self, numbered: Numbered, now: float) -> None:
        self._numbered, self._now, self._free = numbered, now, numbered.idle

    def give_back(self, position: int) -> None:
        """See `Freeing.give_back`."""
        self._free |= self._numbered.held[position].bits

    def open_at(self, time: float) -> int:
        """See `Freeing.open_at`."""
        assert self._numbered.closures is not None
        closed = self._numbered.closures.closed_set(ANY, time, math.nextafter(time, math.inf), self._now)
        return (self._free & ~closed).bit_count()
