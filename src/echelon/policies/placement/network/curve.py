"""Curves: lines through all nodes of a mesh or torus, along which linear allocators look for room."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Literal, get_args

import numpy as np

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn
    from echelon.model.topology import Lattice

Curve = Literal["row-major", "snake", "hilbert"]

CURVES: tuple[Curve, ...] = get_args(Curve)
"""The lines by name."""


@lru_cache(maxsize=32)
def line(lattice: Lattice, curve: Curve) -> IntColumn:
    """Return the nodes of a mesh or torus in their order along a curve, shape (nodes,).

    ``row-major`` is the order of their numbers. ``snake`` turns around at the end of each row and of each
    plane, so that followers are always neighbors. ``hilbert`` is Hilbert's curve in as many dimensions as
    there are, through the smallest cube of a power of two that holds the lattice, without the points outside:
    where all sizes are the same power of two, followers are neighbors; elsewhere it can jump.

    Notes
    -----
    Cost: O(nodes log nodes), once for each lattice and curve.

    References
    ----------
    Skilling, Programming the Hilbert curve, AIP Conference Proceedings 707, 2004 (the transformation between
    coordinates and positions).
    """
    if curve == "row-major":
        order = np.arange(lattice.nodes)
    elif curve == "snake":
        order = np.argsort(_snake_position(lattice.place, lattice.shape), kind="stable")
    else:
        order = z_order(_hilbert_transpose(lattice.place))
    order.flags.writeable = False
    return order


def z_order(places: IntColumn) -> IntColumn:
    """Return the order of points by their bits interleaved, the highest bits first: Morton's Z order.

    In it the points of each aligned cube of a power of two come one after the other.

    Parameters
    ----------
    places : IntColumn, shape (n, dimensions)
        Coordinates >= 0. Of each bit, that of the first coordinate counts most.
    """
    digits = [np.zeros(len(places), dtype=np.int64)]
    for bit in range(int(places.max(initial=0)).bit_length()):
        digit = np.zeros(len(places), dtype=np.int64)
        for coordinate in places.T:
            digit = 2 * digit + (coordinate >> bit & 1)
        digits.append(digit)
    return np.lexsort(digits)


def _snake_position(place: IntColumn, shape: tuple[int, ...]) -> IntColumn:
    position = place[:, -1].copy()
    for d in range(len(shape) - 2, -1, -1):
        back = position % 2 == 1
        position = position * shape[d] + np.where(back, shape[d] - 1 - place[:, d], place[:, d])
    return position


def _hilbert_transpose(place: IntColumn) -> IntColumn:
    """Return points whose interleaved bits are the positions of `place` along Hilbert's curve."""
    axes = [column.copy() for column in place.T]
    bits = int(place.max(initial=0)).bit_length()
    for bit in range(bits - 1, 0, -1):
        # Undo the turn of each sub-cube: mirror the lower bits, or swap them with those of the first axis.
        lower = (1 << bit) - 1
        for axis in axes:
            mirrored = (axis >> bit & 1) == 1
            swapped = np.where(mirrored, 0, (axes[0] ^ axis) & lower)
            first = axes[0] ^ np.where(mirrored, lower, swapped)
            if axis is not axes[0]:
                axis ^= swapped
            axes[0][:] = first
    # Gray code, over the axes and then over the bits.
    for d in range(1, len(axes)):
        axes[d] ^= axes[d - 1]
    turn = np.zeros(len(place), dtype=np.int64)
    for bit in range(bits - 1, 0, -1):
        turn ^= np.where(axes[-1] >> bit & 1, (1 << bit) - 1, 0)
    return np.stack([axis ^ turn for axis in axes], axis=1)
