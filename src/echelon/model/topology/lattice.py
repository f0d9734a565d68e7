"""Lattice: nodes at the points of a box of whole numbers, each with its own switch."""

from __future__ import annotations

import math
from abc import abstractmethod
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.columns import read_only
from echelon.model.topology.network import SPELLED, Network, check_counts

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True)
class Lattice(Network):
    """What a mesh and a torus have alike.

    Node x + y X + z X Y ... is at (x, y, z ...): the first coordinate runs fastest. Links are numbered
    dimension by dimension, in each first those to the next higher coordinate, then those back, each in order
    of the node at their lower end (in a ring, of the node from which the link leads upwards).

    Parameters
    ----------
    shape : tuple of int
        Nodes along each dimension, each >= 1; at least one dimension.
    link_bandwidth : float, default infinity
        Bandwidth of each link, in bytes a second, > 0.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    shape: tuple[int, ...] = field(metadata=SPELLED)

    def __post_init__(self) -> None:
        check_counts(self.name, {"number of dimensions": len(self.shape)})
        check_counts(self.name, {f"size of dimension {d + 1}": size for d, size in enumerate(self.shape)})
        super().__post_init__()

    @property
    def spelled(self) -> str:
        """The kind and the sizes: ``"mesh:4x4x2"``."""
        return f"{self.name}:{'x'.join(map(str, self.shape))}"

    @cached_property
    def nodes(self) -> int:
        """Product of the sizes."""
        return math.prod(self.shape)

    @cached_property
    def links(self) -> int:
        """Two for each pair of neighbors."""
        return 2 * sum(self._pairs)

    @cached_property
    def place(self) -> IntColumn:
        """Coordinates of each node, shape (nodes, dimensions)."""
        number = np.arange(self.nodes)
        columns = [number // step % size for step, size in zip(self.strides, self.shape, strict=True)]
        return read_only(np.stack(columns, axis=1))

    @property
    def switch(self) -> IntColumn:
        """Each node has its own, shape (nodes,)."""
        return np.arange(self.nodes)

    @cached_property
    def strides(self) -> tuple[int, ...]:
        """The difference of the numbers of neighbors along each dimension."""
        return tuple(math.prod(self.shape[:d]) for d in range(len(self.shape)))

    @cached_property
    def ends(self) -> IntColumn:
        """Nodes that each link goes from and to, shape (links, 2)."""
        pairs = []
        for size, step, rungs in zip(self.shape, self.strides, map(self.rungs, self.shape), strict=True):
            low = np.flatnonzero(np.arange(self.nodes) // step % size < rungs)
            along = low // step % size
            high = low + ((along + 1) % size - along) * step
            pairs += [np.stack((low, high), axis=1), np.stack((high, low), axis=1)]
        return np.concatenate(pairs)

    def distances(self, a: IntColumn, b: IntColumn) -> IntColumn:
        """Return the hops between the nodes of two arrays: the sum over dimensions. Cost: O(pairs x d)."""
        a, b = np.asarray(a), np.asarray(b)
        total = np.zeros(np.broadcast_shapes(a.shape, b.shape), dtype=np.int64)
        for step, size in zip(self.strides, self.shape, strict=True):
            total += self.apart(a // step % size, b // step % size, size)
        return total

    def farthest_along(self, a: IntColumn, b: IntColumn) -> IntColumn:
        """Return the maximum hops along one dimension between nodes of two arrays: the shell of b."""
        most = np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)), dtype=np.int64)
        for step, size in zip(self.strides, self.shape, strict=True):
            most = np.maximum(most, self.apart(a // step % size, b // step % size, size))
        return most

    def total_hops(self, nodes: IntColumn, weights: IntColumn) -> int:
        """Return the weighted hops over all pairs, dimension by dimension. Cost: O(nodes + sizes)."""
        total = 0
        for step, size in zip(self.strides, self.shape, strict=True):
            along = np.zeros(size, dtype=np.int64)
            np.add.at(along, nodes // step % size, weights)
            total += int(self.total_apart(along))
        return total

    def route(self, a: int, b: int) -> tuple[int, ...]:
        """Return the links from node `a` to `b`, along x first, then y, then z.

        Ties: see `toward`. Cost: O(hops).
        """
        links: list[int] = []
        for d, (step, size) in enumerate(zip(self.strides, self.shape, strict=True)):
            here, there = a // step % size, b // step % size
            toward = self.toward(here, there, size)
            while here != there:
                following = (here + toward) % size
                low = a if toward > 0 else a + (following - here) * step
                links.append(self._link(d, low, up=toward > 0))
                a += (following - here) * step
                here = following
        return tuple(links)

    def _link(self, d: int, low: int, *, up: bool) -> int:
        """Return the number of the link along dimension `d` between node `low` and the next higher one."""
        step, size = self.strides[d], self.shape[d]
        rank = low // (step * size) * (step * self.rungs(size)) + low % (step * size)
        return 2 * sum(self._pairs[:d]) + (0 if up else self._pairs[d]) + rank

    @cached_property
    def _pairs(self) -> tuple[int, ...]:
        """Pairs of neighbors along each dimension."""
        return tuple(self.nodes // size * self.rungs(size) for size in self.shape)

    @abstractmethod
    def rungs(self, size: int) -> int:
        """Return the pairs of neighbors among `size` nodes in a row."""

    @abstractmethod
    def apart(self, here: IntColumn, there: IntColumn, size: int) -> IntColumn:
        """Return the hops between coordinates of one dimension."""

    @abstractmethod
    def total_apart(self, along: IntColumn) -> IntColumn:
        """Return the weighted hops over all pairs in a row, given the weight at each coordinate.

        Parameters
        ----------
        along : IntColumn, shape (..., size)

        Returns
        -------
        IntColumn, shape (...)
        """

    @abstractmethod
    def toward(self, here: int, there: int, size: int) -> int:
        """Return 1 if the way from one coordinate to another goes up, -1 if down."""
