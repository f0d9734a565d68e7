"""nearest: the free nodes around the best center."""

from __future__ import annotations

from dataclasses import dataclass
from operator import itemgetter
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from echelon.model.topology import Lattice, Network
from echelon.policies.placement.network.node_allocator import NodeAllocator

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room
    from echelon.policies.placement.shares import Shares

_MOST_CELLS = 2**20
"""Distances between centers and nodes that are worked out at once: 8 MB."""


@dataclass(frozen=True, slots=True)
class Nearest(NodeAllocator):
    """Nodes around a center: the free nodes nearest to each center, for the center with the least distances.

    Parameters
    ----------
    rule : {"mm", "gen-alg", "mc1x1"}, default "mm"
        ``mm``: centers are the points whose every coordinate is that of some free node; nearest by hops; the
        sum of hops over all pairs of the job's tasks is least. ``gen-alg``: the same with free nodes as
        centers, in any topology. ``mc1x1``: free nodes as centers; nearest by shells, squares or cubes
        around the center that grow by one in each direction, within a shell by hops; the sum over tasks of
        the number of their shell is least.

    Notes
    -----
    Ties: nodes by number; centers by number. ``mm`` is at most 2 - 1/(2d) times the best sum on a mesh of d
    dimensions whose nodes are given whole, ``gen-alg`` twice.

    Cost: O(centers x nodes), some 0.1 s a job on 1,000 free nodes under ``mm``.

    References
    ----------
    Bender et al., Communication-aware processor allocation for supercomputers: finding point sets of small
    average distance, Algorithmica 50(2), 2008 (MM, and the bounds); Krumke et al., Compact location problems,
    Theoretical Computer Science 181(2), 1997 (Gen-Alg); Mache, Lo and Windisch, Minimizing message-passing
    contention in fragmentation-free processor allocation, PDCS 1997 (MC; MC1x1 begins with one node).
    """

    name: ClassVar[str] = "nearest"
    source: ClassVar[str] = "Bender et al., Algorithmica 2008"
    rule: Literal["mm", "gen-alg", "mc1x1"] = "mm"

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware without a topology, or one without coordinates where these are needed."""
        if self.rule == "gen-alg":
            self._needs((Network,), "a topology", hardware)
        else:
            self._needs((Lattice,), f"a mesh or torus for the rule {self.rule}", hardware)

    def nodes(self, shares: Shares, job: Job, room: Room) -> IntColumn:
        """Return nodes that satisfy `shares`, the nearest to the best center first."""
        network = room.hardware.topology
        assert isinstance(network, Network)
        nearest = (self._nearest(network, centers, shares) for centers in self._centers(network, shares.open))
        return min(nearest, key=itemgetter(0))[1]

    def _nearest(self, network: Network, centers: IntColumn, shares: Shares) -> tuple[int, IntColumn]:
        """Return the least score of `centers`, and the free nodes, the nearest to that center first."""
        free = shares.open
        shells = self._shells(network, centers, free)
        order = np.argsort(shells, axis=1, kind="stable")
        shares_used = np.cumsum(shares.weights[free][order], axis=1)
        shares_used = np.diff(np.minimum(shares_used, shares.need), axis=1, prepend=0)
        if self.rule == "mc1x1":
            number = np.take_along_axis(shells, order, axis=1).astype(np.int64) // self._inner(network)
            score = (number * shares_used).sum(axis=1)
        else:
            score = sum_hops(network, free[order], shares_used)
        first = int(score.argmin())
        return int(score[first]), free[order[first]]

    def _centers(self, network: Network, free: IntColumn) -> Iterator[IntColumn]:
        """Yield all centers, so many at a time as fit in memory beside the free nodes."""
        centers = free
        if self.rule == "mm":
            assert isinstance(network, Lattice)
            centers = np.zeros(1, dtype=np.int64)
            for step, coordinates in zip(network.strides, network.place[free].T, strict=True):
                centers = (np.unique(coordinates)[:, None] * step + centers).ravel()
        at_once = max(1, _MOST_CELLS // len(free))
        for first in range(0, len(centers), at_once):
            yield centers[first : first + at_once]

    def _shells(self, network: Network, centers: IntColumn, free: IntColumn) -> NDArray[np.int16] | IntColumn:
        """Return how far each free node is from each center, shape (centers, free)."""
        hops = network.distances(centers[:, None], free)
        if self.rule == "mc1x1":
            assert isinstance(network, Lattice)
            hops = hops + network.farthest_along(centers[:, None], free) * self._inner(network)
        # Small numbers are sorted by their digits, in a time that does not depend on their order.
        return hops if hops.max() >= 2**15 else hops.astype(np.int16)

    @staticmethod
    def _inner(network: Network) -> int:
        """Return a number that no hops within a shell reach."""
        assert isinstance(network, Lattice)
        return sum(network.shape)


def sum_hops(network: Network, nodes: IntColumn, weights: IntColumn) -> IntColumn:
    """Return the weighted hops over all pairs of nodes in each row, shape (rows,).

    Parameters
    ----------
    network : Network
        Their topology.
    nodes : IntColumn, shape (rows, n)
        Nodes, different in each row.
    weights : IntColumn, shape (rows, n)
        Their weights.
    """
    if not isinstance(network, Lattice):
        each = [network.total_hops(row[w > 0], w[w > 0]) for row, w in zip(nodes, weights, strict=True)]
        return np.array(each, dtype=np.int64)
    total = np.zeros(len(nodes), dtype=np.int64)
    rows = np.arange(len(nodes))[:, None]
    for step, size in zip(network.strides, network.shape, strict=True):
        cells = (rows * size + nodes // step % size).ravel()
        along = np.bincount(cells, weights=weights.ravel(), minlength=len(nodes) * size)
        total += network.total_apart(along.astype(np.int64).reshape(-1, size))
    return total
