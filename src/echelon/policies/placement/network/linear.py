"""linear: runs of free nodes along a line through the network."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

import numpy as np

from echelon.model.topology import Lattice
from echelon.policies.placement.network.curve import Curve, line
from echelon.policies.placement.network.node_allocator import NodeAllocator

if TYPE_CHECKING:
    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room
    from echelon.policies.placement.shares import Shares


@dataclass(frozen=True, slots=True)
class Linear(NodeAllocator):
    """Nodes in a row on a line through all nodes, from a run of free ones chosen by a fit.

    ``first`` takes the first run that holds the job, ``best`` the one with the least room to spare,
    ``sum-of-squares`` the one after which the sum over all sizes of (runs of that size)^2 is least. All take
    nodes from the beginning of the run. Where no run holds the job they take the free nodes that lie within
    the shortest stretch of the line. ``free-list`` takes the first free nodes, in any runs.

    Parameters
    ----------
    curve : {"row-major", "snake", "hilbert"}, default "hilbert"
        The line, see `echelon.policies.placement.network.curve.line`. ``row-major`` is the order of node
        numbers and needs no topology: in a tree or a dragonfly it keeps switches together.
    fit : {"first", "best", "sum-of-squares", "free-list"}, default "best"
        Which run.

    Notes
    -----
    Ties: the first on the line. The size of a run is how many tasks of this job it could take.

    Cost: O(nodes).

    References
    ----------
    Leung et al., Processor allocation on Cplant: achieving general processor locality using one-dimensional
    allocation strategies, CLUSTER 2002 (the fits, the shortest span); Lo, Windisch, Liu and Nitzberg, IEEE
    TPDS 8(7), 1997 (one-dimensional allocation as paging); Csirik et al., On the sum-of-squares algorithm for
    bin packing, Journal of the ACM 53(1), 2006.
    """

    name: ClassVar[str] = "linear"
    source: ClassVar[str] = "Leung et al., CLUSTER 2002"
    curve: Curve = "hilbert"
    fit: Literal["first", "best", "sum-of-squares", "free-list"] = "best"

    def check(self, hardware: Hardware) -> None:
        """Reject hardware that is not a mesh or torus, unless the line follows node numbers."""
        if self.curve != "row-major":
            self._needs((Lattice,), f"a mesh or torus for the curve {self.curve}", hardware)

    def nodes(self, shares: Shares, job: Job, room: Room) -> IntColumn:
        """Return nodes that satisfy `shares`, in their order on the line."""
        order = self._line(room.hardware)
        weights = shares.weights[order]
        position = np.flatnonzero(weights)
        if self.fit == "free-list":
            return order[position]
        weights = weights[position]
        begin = np.flatnonzero(np.diff(position, prepend=-2) > 1)
        sizes = np.add.reduceat(weights, begin)
        fitting = np.flatnonzero(sizes >= shares.need)
        if len(fitting):
            first = int(begin[fitting[self._choice(sizes, fitting, shares.need)]])
        else:
            first = shortest_stretch(position, weights, shares.need)
        return order[position[first:]]

    def _line(self, hardware: Hardware) -> IntColumn:
        if self.curve == "row-major":
            return np.arange(len(hardware.nodes))
        assert isinstance(hardware.topology, Lattice)
        order = line(hardware.topology, self.curve)
        # A network may have places without nodes; the line skips them.
        return order if len(order) == len(hardware.nodes) else order[order < len(hardware.nodes)]

    def _choice(self, sizes: IntColumn, fitting: IntColumn, need: int) -> int:
        """Return which of the `fitting` runs is taken."""
        if self.fit == "first":
            return 0
        if self.fit == "best":
            return int(sizes[fitting].argmin())
        runs = Counter(sizes.tolist())
        # Of squares, n becomes n - 1 at the old size and n + 1 at what is left of the run.
        change = [
            1 - 2 * runs[size] + (2 * runs[size - need] + 1 if size > need else 0) for size in sizes[fitting]
        ]
        return int(np.argmin(change))


def shortest_stretch(position: IntColumn, weights: IntColumn, need: int) -> int:
    """Return where the shortest stretch of the line begins whose nodes' weights add up to the need.

    Parameters
    ----------
    position : IntColumn, shape (n,)
        Places on the line of the nodes that can be chosen, ascending.
    weights : IntColumn, shape (n,)
        Theirs, each >= 1; all together at least the need.
    need : int
        What they must add up to.
    """
    through = np.cumsum(weights)
    last = np.searchsorted(through, through - weights + need)
    first = np.flatnonzero(last < len(position))
    return int(first[(position[last[first]] - position[first]).argmin()])
