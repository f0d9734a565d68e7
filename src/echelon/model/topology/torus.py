"""Torus: a lattice whose rows are rings."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.model.topology.lattice import Lattice

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True)
class Torus(Lattice):
    """A torus of one or more dimensions, routed in dimension order, each the shorter way around.

    Hops are the Manhattan distance around the rings, on which the triangle inequality holds. Two nodes in a
    row have one pair of links, not two.

    References
    ----------
    Dally and Towles, Principles and Practices of Interconnection Networks, 2004, chapters 5 and 8.

    Notes
    -----
    Ties: if both ways around are equally long, the route goes up.

    Examples
    --------
    >>> torus = Torus((4, 3))
    >>> torus.spec, torus.nodes, torus.links, torus.hops(0, 11)
    ('torus:4x3', 12, 48, 2)
    """

    name: ClassVar[str] = "torus"
    formula: ClassVar[str] = "torus:XxYxZ, one or more sizes"

    def rungs(self, size: int) -> int:
        """Return the pairs of neighbors among `size` nodes in a ring."""
        return size if size > 2 else size - 1

    def apart(self, here: IntColumn, there: IntColumn, size: int) -> IntColumn:
        """Return the hops between coordinates of one dimension, the shorter way around."""
        one_way = np.abs(here - there)
        shorter: IntColumn = np.minimum(one_way, size - one_way)
        return shorter

    def total_apart(self, along: IntColumn) -> IntColumn:
        """Return the weighted hops over all pairs in a ring.

        A cut through a ring at two opposite places splits it into halves, and d of the cuts separate two
        nodes d hops apart. To have an opposite place in odd rings too, every link counts as two halves.
        """
        size = along.shape[-1]
        halves = np.zeros((*along.shape[:-1], 2 * size), dtype=np.int64)
        halves[..., ::2] = along
        before = np.cumsum(halves, axis=-1)
        whole, first = before[..., -1:], before[..., :size]
        one_side = before[..., size:] - first
        total: IntColumn = (one_side * (whole - one_side)).sum(axis=-1) // 2
        return total

    def toward(self, here: int, there: int, size: int) -> int:
        """Return 1 if the shorter way from one coordinate to another goes up, -1 if down."""
        if size == 2:
            return 1 if there > here else -1
        return 1 if (there - here) % size <= size // 2 else -1
