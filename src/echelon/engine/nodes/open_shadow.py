"""When a number of cores is planned to be free in nodes of which some are closed at times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.resources.closures import open_only
from echelon.model import Job

if TYPE_CHECKING:
    from echelon.engine.nodes.nodes import Nodes
    from echelon.engine.queue.cluster import Cluster

_ANY = Job(-1, -1, 0.0, 1, 0.0)
"""A job that has access to nothing that is reserved."""


def open_shadow(nodes: Nodes, size: int, cluster: Cluster) -> tuple[float, int]:
    """Return when `size` cores are planned to be free and open to all, and how many more; see `SystemView`.

    At that instant: how long they stay open is not asked. Infinity, and all that are beyond `size`, if they
    never are as is known now.

    Notes
    -----
    Cost: O(nodes x times), of planned ends and of ends of closures.
    """
    closures, now = nodes.closures, cluster.now
    assert closures is not None
    holders = [one for one in cluster.holders if one.planned_end < math.inf]
    times = {now, *(max(now, one.planned_end) for one in holders), *closures.openings(_ANY, now, now)}
    cores, gone = nodes.cores.copy(), 0
    for time in sorted(times):
        while gone < len(holders) and holders[gone].planned_end <= time:
            for node, (count, _) in nodes.held[holders[gone].position].items():
                cores[node] += count
            gone += 1
        free = int(
            open_only(cores, closures.closed_to(_ANY, time, math.nextafter(time, math.inf), now)).sum()
        )
        if free >= size:
            return time, free - size
    return math.inf, nodes.processors - size
