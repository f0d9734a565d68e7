"""Tree: switches below switches, nodes below the lowest."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import read_only
from echelon.model.topology.network import SPELLED, Network, check_counts

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True)
class Tree(Network):
    """A tree of switches with one link up from each, thin or with more bandwidth towards the root.

    Switches are numbered from the root, 0, level by level. Switch s, not the root, has link 2 (s - 1) up to
    its parent and link 2 (s - 1) + 1 down from it. The one way between two nodes goes up to the lowest
    switch above both, and down again: hops are 2 x the levels climbed; the triangle inequality holds.

    Parameters
    ----------
    branches : tuple of int
        Switches below the root, below each of these, ..., at last nodes below each of the lowest switches;
        each >= 1. One number alone is one switch.
    growth : float, default 1
        Ratio of a link's bandwidth to that of a link one level below, > 0. A growth equal to the branches of
        a level gives full bisection there.
    link_bandwidth : float, default infinity
        Bytes a second of each link up from a lowest switch, > 0.

    Raises
    ------
    InputError
        If a number is out of range.

    References
    ----------
    Leiserson, Fat-trees: universal networks for hardware-efficient supercomputing, IEEE Transactions on
    Computers C-34(10), 1985: trees whose links grow towards the root.

    Examples
    --------
    >>> tree = Tree((2, 3, 4))
    >>> tree.spec, tree.nodes, tree.links, tree.hops(0, 3), tree.hops(0, 4), tree.hops(0, 12)
    ('tree:2x3x4', 24, 16, 0, 2, 4)
    """

    branches: tuple[int, ...] = field(metadata=SPELLED)
    growth: float = field(default=1.0, metadata=SPELLED)

    name: ClassVar[str] = "tree"
    formula: ClassVar[str] = "tree:AxBxC (branches from the root down) or tree:AxBxC:growth=G"

    def __post_init__(self) -> None:
        check_counts("tree", {"number of levels": len(self.branches)})
        check_counts("tree", {f"branches of level {n + 1}": count for n, count in enumerate(self.branches)})
        if not (isinstance(self.growth, int | float) and 0 < self.growth < math.inf):
            raise InputError(
                f"growth must be a finite number above 0, got {self.growth!r}", field="topology tree"
            )
        super().__post_init__()

    @property
    def spelled(self) -> str:
        """The branches from the root down, and the growth if it is not 1: ``"tree:4x8:growth=4"``."""
        growth = "" if self.growth == 1 else f":growth={self.growth:g}"
        return f"tree:{'x'.join(map(str, self.branches))}{growth}"

    @cached_property
    def nodes(self) -> int:
        """Product of the branches."""
        return math.prod(self.branches)

    @cached_property
    def links(self) -> int:
        """Two for each switch but the root."""
        return 2 * (self._first_switch[-1] - 1)

    @cached_property
    def bandwidth(self) -> FloatColumn:
        """Bytes a second of each link, shape (links,)."""
        lowest = len(self.branches) - 1
        levels = np.repeat(np.arange(1, lowest + 1), np.diff(self._first_switch)[1:])
        return np.repeat(self.link_bandwidth * self.growth ** (lowest - levels).astype(np.float64), 2)

    @cached_property
    def place(self) -> IntColumn:
        """Number of the switch above each node in its level, from the root down, shape (nodes, levels)."""
        number = np.arange(self.nodes)
        return read_only(np.stack([number // below for below in self._nodes_below], axis=1))

    @cached_property
    def switch(self) -> IntColumn:
        """Number of the lowest switch above each node, shape (nodes,)."""
        return self._first_switch[-2] + np.arange(self.nodes) // self.branches[-1]

    @cached_property
    def ends(self) -> IntColumn:
        """Switches that each link goes from and to, shape (links, 2)."""
        pairs = [np.zeros((0, 2), dtype=np.int64)]
        for level in range(1, len(self.branches)):
            rank = np.arange(self._first_switch[level + 1] - self._first_switch[level])
            low = self._first_switch[level] + rank
            high = self._first_switch[level - 1] + rank // self.branches[level - 1]
            pairs.append(np.stack((low, high, high, low), axis=1).reshape(-1, 2))
        return np.concatenate(pairs)

    def distances(self, a: IntColumn, b: IntColumn) -> IntColumn:
        """Return twice the levels between the nodes' switches and the lowest common one."""
        a, b = np.asarray(a), np.asarray(b)
        climbed = np.zeros(np.broadcast_shapes(a.shape, b.shape), dtype=np.int64)
        for below in self._nodes_below[1:]:
            climbed += a // below != b // below
        return 2 * climbed

    def total_hops(self, nodes: IntColumn, weights: IntColumn) -> int:
        """Return the weighted hops over all pairs, level by level. Cost: O(levels x n log n)."""
        total = 0
        for below in self._nodes_below[1:]:
            _, group = np.unique(nodes // below, return_inverse=True)
            inside = np.zeros(group.max(initial=-1) + 1, dtype=np.int64)
            np.add.at(inside, group, weights)
            # Pairs separated at this level, times the two links that each climbs here.
            total += int(inside.sum() ** 2 - (inside**2).sum())
        return total

    def diameter(self, nodes: IntColumn) -> int:
        """Return the maximum hops between any two of these nodes, at least one. Cost: O(levels x n)."""
        return 2 * sum(int(np.ptp(nodes // below) > 0) for below in self._nodes_below[1:])

    def route(self, a: int, b: int) -> tuple[int, ...]:
        """Return the links up from node `a` and down to node `b`. Cost: O(levels)."""
        up, down = [], []
        for level in range(len(self.branches) - 1, 0, -1):
            below, first = self._nodes_below[level], self._first_switch[level] - 1
            here, there = a // below, b // below
            if here == there:
                break
            up.append(2 * (first + here))
            down.append(2 * (first + there) + 1)
        return (*up, *reversed(down))

    @cached_property
    def _nodes_below(self) -> tuple[int, ...]:
        """Nodes below a switch of each level, from the root down."""
        return tuple(math.prod(self.branches[level:]) for level in range(len(self.branches)))

    @cached_property
    def _first_switch(self) -> tuple[int, ...]:
        """Number of the first switch of each level, from the root down, and of all switches at last."""
        counts = [math.prod(self.branches[:level]) for level in range(len(self.branches))]
        return tuple(sum(counts[:level]) for level in range(len(counts) + 1))
