"""Node sets: numbers of nodes as the bits of an integer, so that all of them take part in one step."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import IntColumn

NodeSet: TypeAlias = int
"""A set of nodes: bit i is set if node i belongs to it. ``&``, ``|``, ``& ~`` and ``bit_count()`` work."""


def node_set(nodes: Sequence[int]) -> NodeSet:
    """Return the set of these nodes, numbered from 0, in any order. Cost: O(largest number)."""
    if not len(nodes):
        return 0
    numbers = np.asarray(nodes, dtype=np.int64)
    mask = np.zeros(int(numbers.max()) + 1, dtype=np.bool_)
    mask[numbers] = True
    return int.from_bytes(np.packbits(mask, bitorder="little").tobytes(), "little")


def mask_of(nodes: NodeSet, count: int) -> NDArray[np.bool_]:
    """Return which of so many nodes belong to the set, shape (count,)."""
    data = np.frombuffer(nodes.to_bytes(-(-count // 8), "little"), dtype=np.uint8)
    return np.unpackbits(data, count=count, bitorder="little").view(np.bool_)


def numbers_of(nodes: NodeSet) -> IntColumn:
    """Return the numbers of the nodes, ascending. Cost: O(largest number)."""
    return np.flatnonzero(mask_of(nodes, nodes.bit_length()))


def lowest(nodes: NodeSet, count: int) -> NodeSet | None:
    """Return the `count` lowest-numbered of these nodes, None if there are fewer.

    Cost: O(largest number), by halves: each step looks at half of what the step before left.
    """
    rest, width, size, wanted = nodes, 0, nodes.bit_count(), count
    if size < count:
        return None
    while size > wanted:
        half = rest.bit_length() // 2
        low = rest & ((1 << half) - 1)
        below = low.bit_count()
        if below >= wanted:
            rest, size = low, below
        else:
            rest, width = rest >> half, width + half
            size, wanted = size - below, wanted - below
    return nodes & ((1 << (width + rest.bit_length())) - 1)
