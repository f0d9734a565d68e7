"""scatter: random nodes, random switches or random groups."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from echelon.policies.placement.network.node_allocator import HIERARCHIES, NodeAllocator, hierarchy

if TYPE_CHECKING:
    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room
    from echelon.policies.placement.shares import Shares


@dataclass(frozen=True, slots=True)
class Scatter(NodeAllocator):
    """Nodes of switches or groups in random order, each filled before the next.

    Parameters
    ----------
    by : {"group", "switch", "node"}, default "group"
        ``group`` (RDG): groups of a dragonfly, pods of a fat tree, or what is below each branch of a tree's
        root. ``switch`` (RDR): routers of a dragonfly, the lowest switches of a tree. ``node`` (RDN): nodes
        one by one, in any network or none.

    Notes
    -----
    Nodes of one switch or group are taken by number. Ties cannot happen: the order of groups, switches or
    nodes is drawn again for each job, from its own random numbers.

    Cost: O(nodes log nodes).

    References
    ----------
    Jain et al., Maximizing throughput on a dragonfly network, SC 2014 (the names RDN, RDR, RDG);
    Bhatele et al., Avoiding hot-spots on two-level direct networks, SC 2011 (random nodes and groups).
    """

    name: ClassVar[str] = "scatter"
    source: ClassVar[str] = "Jain et al., SC 2014"
    by: Literal["group", "switch", "node"] = "group"

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware without switches that join several nodes, unless nodes are drawn one by one."""
        if self.by != "node":
            self._needs(HIERARCHIES, "a star, tree, fat tree or dragonfly", hardware)

    def nodes(self, shares: Shares, job: Job, room: Room) -> IntColumn:
        """Return nodes that satisfy `shares`, in the order drawn."""
        free = shares.open
        draws = room.draws(job)[room.hardware.first_core[:-1]]
        if self.by == "node":
            return free[np.argsort(draws[free], kind="stable")]
        levels = hierarchy(room.hardware)
        part = levels[1] if self.by == "group" else levels[-2]
        # The draw of a switch or group is that of its first node.
        _, first = np.unique(part, return_index=True)
        return free[np.lexsort((free, draws[first][part[free]]))]
