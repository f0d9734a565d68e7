"""mbs: the multiple buddy strategy."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.model.topology import Lattice
from echelon.policies.placement.network.curve import z_order
from echelon.policies.placement.network.node_allocator import NodeAllocator

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room
    from echelon.policies.placement.shares import Shares


@dataclass(frozen=True, slots=True)
class MultipleBuddies(NodeAllocator):
    """Nodes in square blocks with sides of powers of two: the job is factored into blocks, largest first.

    In a mesh of two dimensions a request for n nodes is written with digits of base 4, and digit i is the
    number of requested blocks of 2^i x 2^i nodes; in d dimensions the base is 2^d. Blocks begin at multiples
    of their side. A wholly free block serves its size; without one, the smallest larger free block is split;
    without that, the requested block is broken into 2^d blocks of the next smaller size. Blocks are joined
    again as soon as all their buddies are free. Rings are not closed: a block never crosses the border.

    If jobs share nodes, the nodes that could take the most tasks of the job count as free first; if they are
    not enough, those that could take fewer tasks follow in turn.

    Notes
    -----
    Ties: the block with the lowest coordinates in Z order. A dimension of size 1 is none.

    Cost: O(nodes log nodes) for each kind of free node.

    References
    ----------
    Lo, Windisch, Liu and Nitzberg, Noncontiguous processor allocation algorithms for mesh-connected
    multicomputers, IEEE Transactions on Parallel and Distributed Systems 8(7), 1997. There the free
    blocks are kept in lists; here they are found again from the free nodes, which gives the same blocks.
    """

    name: ClassVar[str] = "mbs"
    source: ClassVar[str] = "Lo, Windisch, Liu and Nitzberg, IEEE TPDS 1997"

    def check(self, hardware: Hardware) -> None:
        """Reject hardware that is not a mesh or torus."""
        self._needs((Lattice,), "a mesh or torus", hardware)

    def nodes(self, shares: Shares, job: Job, room: Room) -> IntColumn:
        """Return nodes that satisfy `shares`, block by block."""
        lattice = room.hardware.topology
        assert isinstance(lattice, Lattice)
        left, chosen = shares.need, []
        for weight in np.unique(shares.weights[shares.open])[::-1].tolist():
            alike = np.flatnonzero(shares.weights == weight)
            block_nodes = in_blocks(lattice, alike, min(len(alike), -(-left // weight)))
            chosen += block_nodes
            left -= weight * len(block_nodes)
            if left <= 0:
                break
        return np.array(chosen)


def in_blocks(lattice: Lattice, free: IntColumn, count: int) -> list[int]:
    """Return `count` of the `free` nodes in blocks, the largest blocks first, each in order of its numbers.

    Parameters
    ----------
    lattice : Lattice
        The mesh or torus; its blocks are those of the coordinates.
    free : IntColumn, shape (n,)
        Nodes that can be taken.
    count : int
        How many, 1 to n.
    """
    # With the first coordinate running fastest an array of nodes has its axes in reverse.
    nodes = np.arange(lattice.nodes).reshape([size for size in lattice.shape[::-1] if size > 1] or [1])
    is_free = np.zeros(nodes.shape, dtype=np.bool_)
    is_free.reshape(-1)[free] = True
    order = min(nodes.shape).bit_length() - 1
    buddies = 2**nodes.ndim
    wanted, chosen = count // buddies**order, []
    while order >= 0:
        side = 2**order
        blocks = free_blocks(is_free, order)[:wanted]
        for corner in blocks.tolist():
            block = tuple(slice(start * side, (start + 1) * side) for start in corner)
            is_free[block] = False
            chosen += nodes[block].ravel().tolist()
        missing = wanted - len(blocks)
        order -= 1
        wanted = missing * buddies + count // buddies ** max(order, 0) % buddies
    return chosen


def free_blocks(is_free: NDArray[np.bool_], order: int) -> IntColumn:
    """Return the corners of all free blocks of 2^order a side, divided by the side, shape (n, dimensions).

    Blocks outside of larger free blocks come first, then those inside a block twice as wide, and so on:
    taking them in turn splits as few blocks as possible. Those of one block stay together.
    """
    levels = [is_free]
    while min(levels[-1].shape) > 1:
        levels.append(_join_blocks(levels[-1]))
    corners = np.argwhere(levels[order])
    widest = np.full(len(corners), order)
    for up, level in enumerate(levels[order + 1 :], order + 1):
        ancestors = corners >> (up - order)
        inside = np.flatnonzero((ancestors < level.shape).all(axis=1))
        widest[inside[level[tuple(ancestors[inside].T)]]] = up
    order_in_z = z_order(corners)
    return corners[order_in_z[np.argsort(widest[order_in_z], kind="stable")]]


def _join_blocks(level: NDArray[np.bool_]) -> NDArray[np.bool_]:
    """Return which blocks twice as wide are free, given those of one width."""
    even = level[tuple(slice(0, size // 2 * 2) for size in level.shape)]
    split = even.reshape([part for size in even.shape for part in (size // 2, 2)])
    return np.asarray(split.all(axis=tuple(range(1, split.ndim, 2))))
