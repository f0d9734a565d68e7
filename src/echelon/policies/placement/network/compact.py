"""compact: the smallest switch that suffices, and as few switches as possible."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.policies.placement.network.node_allocator import HIERARCHIES, NodeAllocator, hierarchy

if TYPE_CHECKING:
    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room
    from echelon.policies.placement.shares import Shares


@dataclass(frozen=True, slots=True)
class Compact(NodeAllocator):
    """Nodes below the smallest switch with enough room for the job, under as few of its switches as possible.

    A job that fits in one node takes the fullest one that holds it; else one that fits below one lowest
    switch (a router of a dragonfly) takes the fullest such switch; else one that fits in a pod, a group or a
    larger tree of switches the fullest such. Within it the emptiest switches are taken whole, one after the
    other, until one is enough for what is left: of those the fullest.

    Notes
    -----
    Ties: the lowest number. Room is how many tasks of this job the nodes below a switch could take. Cost:
    O(nodes log nodes).

    References
    ----------
    SchedMD, Slurm, topology guide: the plug-in for trees takes the lowest switch that satisfies the request,
    and below it leaf switches by best fit.
    """

    name: ClassVar[str] = "compact"
    source: ClassVar[str] = "Slurm, topology guide, 2024"

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware without switches that join several nodes."""
        self._needs(HIERARCHIES, "a star, tree, fat tree or dragonfly", hardware)

    def nodes(self, shares: Shares, job: Job, room: Room) -> IntColumn:
        """Return nodes that satisfy `shares`, switch by switch."""
        levels = hierarchy(room.hardware)
        for depth in range(len(levels) - 1, -1, -1):
            space = np.bincount(levels[depth], weights=shares.weights)
            enough = np.flatnonzero(space >= shares.need)
            if len(enough):
                best = enough[space[enough].argmin()]
                below = np.flatnonzero((levels[depth] == best) & (shares.weights > 0))
                return np.array(_fill_nodes(levels[depth + 1 :], below, shares.weights, shares.need))
        raise AssertionError


def _fill_nodes(levels: tuple[IntColumn, ...], nodes: IntColumn, weights: IntColumn, need: int) -> list[int]:
    """Return some of the `nodes`, that satisfy the need, from as few switches of each level as possible."""
    if not levels:
        alone: list[int] = nodes.tolist()
        return alone
    _names, child = np.unique(levels[0][nodes], return_inverse=True)
    space = np.bincount(child, weights=weights[nodes]).astype(np.int64)
    order = np.argsort(-space, kind="stable")
    left = need - np.cumsum(space[order]) + space[order]
    # The first at which the emptiest switch left is enough: all before it are taken whole.
    last = int((space[order] >= left).argmax())
    rest = order[last:]
    enough = rest[space[rest] >= left[last]]
    chosen = [*order[:last].tolist(), int(enough[space[enough].argmin()])]
    filled_nodes: list[int] = []
    for rank, one in enumerate(chosen):
        wanted = int(left[last]) if rank == last else int(space[one])
        filled_nodes += _fill_nodes(levels[1:], nodes[child == one], weights, wanted)
    return filled_nodes
