"""Mesh: a lattice whose rows end at its borders."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.model.topology.lattice import Lattice

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True)
class Mesh(Lattice):
    """A mesh of one or more dimensions, routed in dimension order.

    Hops are the Manhattan distance, on which the triangle inequality holds.

    References
    ----------
    Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapters 5 and 8.

    Examples
    --------
    >>> mesh = Mesh((4, 3))
    >>> mesh.spec, mesh.nodes, mesh.links, mesh.hops(0, 11)
    ('mesh:4x3', 12, 34, 5)
    """

    name: ClassVar[str] = "mesh"
    formula: ClassVar[str] = "mesh:XxYxZ, one or more sizes"

    def rungs(self, size: int) -> int:
        """Return the pairs of neighbors among `size` nodes in a row."""
        return size - 1

    def apart(self, here: IntColumn, there: IntColumn, size: int) -> IntColumn:
        """Return the hops between coordinates of one dimension."""
        apart: IntColumn = np.abs(here - there)
        return apart

    def total_apart(self, along: IntColumn) -> IntColumn:
        """Return the weighted hops over all pairs in a row: each link counts the pairs that it separates."""
        below = np.cumsum(along, axis=-1)
        total: IntColumn = (below * (below[..., -1:] - below)).sum(axis=-1)
        return total

    def diameter(self, nodes: IntColumn) -> int:
        """Return the maximum hops between any two of these nodes, at least one. Cost: O(2^d x n)."""
        place = self.place[nodes]
        # Of two points farthest apart, one is the smallest and one the largest along some diagonal.
        diagonals = (place @ signs for signs in product((1, -1), repeat=len(self.shape)) if signs[0] == 1)
        return max(int(np.ptp(diagonal)) for diagonal in diagonals)

    def toward(self, here: int, there: int, size: int) -> int:
        """Return 1 if the way from one coordinate to another goes up, -1 if down."""
        return 1 if there > here else -1
