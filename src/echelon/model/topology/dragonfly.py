"""Dragonfly: groups of routers, all pairs of groups joined by one link."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.model.jobs.columns import read_only
from echelon.model.topology.network import SPELLED, Network, check_counts

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True)
class Dragonfly(Network):
    """A dragonfly: all routers of a group are joined, and all groups, each pair by one link.

    The link arrangement is the absolute one: group i has ports 0 to g - 2 for the other groups in order of
    their numbers, and each router holds h = ceil((g - 1) / a) of them, the first router the first h. Links
    are numbered local first (by group, router, and other router), then global (by group, and other group).

    Parameters
    ----------
    groups : int
        g, >= 1.
    routers : int
        Routers of each group, a, >= 1.
    hosts : int
        Nodes of each router, p, >= 1. A balanced dragonfly has a = 2p = 2h and g = a h + 1.
    link_bandwidth : float, default infinity
        Bytes a second of each link, local or global, > 0.

    Raises
    ------
    InputError
        If a number is out of range.

    Notes
    -----
    Routes are minimal in the dragonfly's sense: at most one global link, with a local link before and after
    it where the router is not the one that holds it. There is one such route for each pair, the same links
    there and back. Hops are 0 to 3. A way over a third group can be shorter (2 global links instead of a
    local, a global and a local one); it is not taken, so the triangle inequality does not hold.

    References
    ----------
    Kim, Dally, Scott and Abts, Technology-driven, highly-scalable dragonfly topology, ISCA 2008 (structure,
    minimal routing); Camarero, Vallejo and Beivide, Topological characterization of Hamming and dragonfly
    networks and its implications on routing, ACM TACO 11(4), 2014 (link arrangements).

    Examples
    --------
    >>> dragonfly = Dragonfly(groups=9, routers=4, hosts=2)
    >>> dragonfly.spec, dragonfly.nodes, dragonfly.links, dragonfly.hops(0, 71)
    ('dragonfly:groups=9:routers=4:nodes=2', 72, 180, 3)
    """

    groups: int = field(metadata=SPELLED)
    routers: int = field(metadata=SPELLED)
    hosts: int = field(metadata=SPELLED)

    name: ClassVar[str] = "dragonfly"
    formula: ClassVar[str] = (
        "dragonfly:groups=G:routers=A:nodes=P, or dragonfly:a=A:h=H:p=P of A x H + 1 groups"
    )

    def __post_init__(self) -> None:
        check_counts("dragonfly", {"groups": self.groups, "routers": self.routers, "nodes": self.hosts})
        super().__post_init__()

    @property
    def spelled(self) -> str:
        """``"dragonfly:groups=9:routers=4:nodes=2"``."""
        return f"dragonfly:groups={self.groups}:routers={self.routers}:nodes={self.hosts}"

    @property
    def nodes(self) -> int:
        """Nodes of all groups: g a p."""
        return self.groups * self.routers * self.hosts

    @property
    def links(self) -> int:
        """Directed links: g a (a - 1) local and g (g - 1) global ones."""
        return self._first_global + self.groups * (self.groups - 1)

    @property
    def global_links(self) -> int:
        """Links to other groups that a router holds at most, h; 0 in a single group."""
        return -(-(self.groups - 1) // self.routers)

    @cached_property
    def place(self) -> IntColumn:
        """The whole for all, group, and number of the router of each node, shape (nodes, 3)."""
        router = self.switch
        return read_only(np.stack((np.zeros_like(router), router // self.routers, router), axis=1))

    @cached_property
    def switch(self) -> IntColumn:
        """Number of the router of each node, shape (nodes,)."""
        return np.arange(self.nodes) // self.hosts

    @cached_property
    def ends(self) -> IntColumn:
        """Routers that each link goes from and to, shape (links, 2)."""
        router, rank = np.divmod(np.arange(self._first_global), max(1, self.routers - 1))
        group, here = np.divmod(router, self.routers)
        local = np.stack((router, group * self.routers + rank + (rank >= here)), axis=1)
        home, port = np.divmod(np.arange(self.links - self._first_global), max(1, self.groups - 1))
        other = port + (port >= home)
        return np.concatenate((local, np.stack((self.gate(home, other), self.gate(other, home)), axis=1)))

    def gate(self, home: IntColumn, other: IntColumn) -> IntColumn:
        """Return the router of group `home` that holds the link to group `other`, another one."""
        return home * self.routers + (other - (other > home)) // max(1, self.global_links)

    def distances(self, a: IntColumn, b: IntColumn) -> IntColumn:
        """Return the hops between the nodes of two arrays: 0 to 3."""
        here, there = np.broadcast_arrays(np.asarray(a) // self.hosts, np.asarray(b) // self.hosts)
        home, other = here // self.routers, there // self.routers
        local = (here != there).astype(np.int64)
        detours = (self.gate(home, other) != here).astype(np.int64) + (self.gate(other, home) != there)
        apart: IntColumn = np.where(home == other, local, 1 + detours)
        return apart

    def total_hops(self, nodes: IntColumn, weights: IntColumn) -> int:
        """Return the weighted hops over all pairs, group by group. Cost: O(routers + (groups used)^2)."""
        router = np.zeros(self.groups * self.routers, dtype=np.int64)
        np.add.at(router, nodes // self.hosts, weights)
        group = router.reshape(self.groups, self.routers).sum(axis=1)
        inside = int((group**2).sum() - (router**2).sum()) // 2
        used = np.flatnonzero(group)
        home, other = (side.ravel() for side in np.meshgrid(used, used, indexing="ij"))
        home, other = home[home != other], other[home != other]
        detour = group[home] - router[self.gate(home, other)]
        crossing = int(group.sum() ** 2 - (group**2).sum()) // 2
        return inside + crossing + int((detour * group[other]).sum())

    def route(self, a: int, b: int) -> tuple[int, ...]:
        """Return the links from node `a` to node `b`: local, global, local, as far as needed."""
        here, there = a // self.hosts, b // self.hosts
        home, other = here // self.routers, there // self.routers
        if home == other:
            return self._local(here, there)
        way_out, way_in = int(self.gate(home, other)), int(self.gate(other, home))  # type: ignore[arg-type]
        crossing = self._first_global + home * (self.groups - 1) + other - (other > home)
        return (*self._local(here, way_out), crossing, *self._local(way_in, there))

    def _local(self, here: int, there: int) -> tuple[int, ...]:
        """Return the link between two routers of one group, none if they are one."""
        if here == there:
            return ()
        rank = there % self.routers - (there > here)
        return (here * (self.routers - 1) + rank,)

    @property
    def _first_global(self) -> int:
        return self.groups * self.routers * (self.routers - 1)
