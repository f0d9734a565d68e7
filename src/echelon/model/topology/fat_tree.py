"""Fat tree: three levels of equal switches, as many links up as down."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import read_only
from echelon.model.topology.network import SPELLED, Network, check_counts

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True)
class FatTree(Network):
    """A k-ary fat tree: k pods of k/2 edge and k/2 aggregation switches, (k/2)^2 core switches.

    Each edge switch joins k/2 nodes and links up to every aggregation switch of its pod; aggregation switch j
    of each pod links up to the core switches j k/2 to j k/2 + k/2 - 1. Edge switches come first in the
    numbers of switches, then aggregation switches, both pod by pod, then core switches. Links are numbered
    from the lower switch, in order of switch and upward port, the way up before the way down.

    Hops are 0 below one edge switch, 2 inside a pod, 4 between pods: the triangle inequality holds.

    Parameters
    ----------
    k : int
        Ports of each switch, even, >= 2; the tree joins k^3 / 4 nodes.
    link_bandwidth : float, default infinity
        Bandwidth of each link, in bytes a second, > 0.

    Raises
    ------
    InputError
        If a number is out of range.

    Notes
    -----
    Of the (k/2)^2 shortest ways between pods the route takes the one that the destination d names, as D-mod-k
    routing does: up port d mod k/2 of the edge switch, then up port (d // (k/2)) mod k/2 of the aggregation
    switch. All routes to one node therefore come down over the same switches; the way back may be another.

    References
    ----------
    Al-Fares, Loukissas and Vahdat, A scalable, commodity data center network architecture, SIGCOMM 2008
    (structure); Zahavi, D-mod-k routing providing non-blocking traffic for shift permutations on real life
    fat trees, CCIT report 776, Technion, 2010 (routes).

    Examples
    --------
    >>> tree = FatTree(4)
    >>> tree.spec, tree.nodes, tree.links, tree.hops(0, 1), tree.hops(0, 2), tree.hops(0, 15)
    ('fat-tree:k=4', 16, 64, 0, 2, 4)
    """

    k: int = field(metadata=SPELLED)

    name: ClassVar[str] = "fat-tree"
    formula: ClassVar[str] = "fat-tree:k=K, K even"

    def __post_init__(self) -> None:
        check_counts("fat-tree", {"k": self.k})
        if self.k % 2:
            raise InputError(f"k must be even, got {self.k}", field="topology fat-tree")
        super().__post_init__()

    @property
    def spelled(self) -> str:
        """``"fat-tree:k=4"``."""
        return f"fat-tree:k={self.k}"

    @property
    def nodes(self) -> int:
        """Nodes: k^3 / 4."""
        return self.k**3 // 4

    @property
    def links(self) -> int:
        """Directed links between switches: k^3."""
        return self.k**3

    @cached_property
    def place(self) -> IntColumn:
        """The root for all, pod, and number of the edge switch of each node, shape (nodes, 3)."""
        edge = np.arange(self.nodes) // self._half
        return read_only(np.stack((np.zeros_like(edge), edge // self._half, edge), axis=1))

    @cached_property
    def switch(self) -> IntColumn:
        """Number of the edge switch of each node, shape (nodes,)."""
        return np.arange(self.nodes) // self._half

    @cached_property
    def ends(self) -> IntColumn:
        """Switches that each link goes from and to, shape (links, 2)."""
        half, edges = self._half, self.k * self._half
        low, port = np.divmod(np.arange(2 * edges * half), half)
        pod, rank = np.divmod(low % edges, half)
        high = np.where(low < edges, edges + pod * half + port, 2 * edges + rank * half + port)
        return np.stack((low, high, high, low), axis=1).reshape(-1, 2)

    def distances(self, a: IntColumn, b: IntColumn) -> IntColumn:
        """Return the hops between the nodes of two arrays: 0, 2 or 4."""
        edge, other = np.asarray(a) // self._half, np.asarray(b) // self._half
        apart: IntColumn = 2 * (
            (edge != other).astype(np.int64) + (edge // self._half != other // self._half)
        )
        return apart

    def total_hops(self, nodes: IntColumn, weights: IntColumn) -> int:
        """Return the weighted hops over all pairs, level by level. Cost: O(n + switches)."""
        edge = np.zeros(self.k * self._half, dtype=np.int64)
        np.add.at(edge, nodes // self._half, weights)
        pod = edge.reshape(self.k, self._half).sum(axis=1)
        return int(2 * pod.sum() ** 2 - (edge**2).sum() - (pod**2).sum())

    def diameter(self, nodes: IntColumn) -> int:
        """Return the maximum hops between any two of these nodes, at least one. Cost: O(n)."""
        edge = nodes // self._half
        return 2 * (int(np.ptp(edge) > 0) + int(np.ptp(edge // self._half) > 0))

    def route(self, a: int, b: int) -> tuple[int, ...]:
        """Return the links from node `a` up and down to node `b`: 0, 2 or 4."""
        half, edges = self._half, self.k * self._half
        here, there = a // half, b // half
        if here == there:
            return ()
        # The links up from a switch are numbered by switch and port, those of edge switches first.
        port = b % half
        first, last = here * half + port, there * half + port
        if here // half == there // half:
            return 2 * first, 2 * last + 1
        up, down = (
            (edges + pod * half + port) * half + there % half for pod in (here // half, there // half)
        )
        return 2 * first, 2 * up, 2 * down + 1, 2 * last + 1

    @property
    def _half(self) -> int:
        return self.k // 2
