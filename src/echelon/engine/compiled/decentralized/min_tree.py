"""A tree of minima over an array of whole numbers, in kernels: which is first, last, least.

Leaf i of a tree of length 2 p is entry p + i, and entry k holds the least of entries 2 k and 2 k + 1. All
questions cost O(log p).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.libraries.kernel import kernel

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn

NOTHING = 2**62
"""The value of an empty leaf: above all others."""


def empty_tree(n_leaves: int) -> IntColumn:
    """Return a tree of at least `n_leaves` empty leaves."""
    leaves = 1 << max(0, n_leaves - 1).bit_length()
    return np.full(2 * leaves, NOTHING, dtype=np.int64)


@kernel
def assign(tree, leaf, value):
    """Give a leaf its value."""
    i = (len(tree) >> 1) + leaf
    tree[i] = value
    i >>= 1
    while i > 0:
        least = min(tree[2 * i], tree[2 * i + 1])
        if tree[i] == least:
            break
        tree[i] = least
        i >>= 1


@kernel
def first_at_most(tree, low, limit):
    """Return the first leaf from `low` on whose value is at most `limit`, -1 if there is none."""
    leaves = len(tree) >> 1
    if low >= leaves:
        return -1
    i = leaves + low
    while tree[i] > limit:
        while i & 1:
            i >>= 1
        if i == 0:
            return -1
        i += 1
    while i < leaves:
        i *= 2
        if tree[i] > limit:
            i += 1
    return i - leaves


@kernel
def last_at_most(tree, low, high, limit):
    """Return the last leaf in [low, high) whose value is at most `limit`, -1 if there is none."""
    leaves = len(tree) >> 1
    if low >= high:
        return -1
    i = leaves + high - 1
    while tree[i] > limit:
        while i > 1 and not i & 1:
            i >>= 1
        if i == 1:
            return -1
        i -= 1
    while i < leaves:
        i = 2 * i + 1
        if tree[i] > limit:
            i -= 1
    return i - leaves if i - leaves >= low else -1


@kernel
def least_value(tree, low, high):
    """Return the least value of the leaves in [low, high), `NOTHING` if all are empty."""
    leaves = len(tree) >> 1
    minimum = NOTHING
    i, j = leaves + low, leaves + high
    while i < j:
        if i & 1:
            minimum = min(minimum, tree[i])
            i += 1
        if j & 1:
            j -= 1
            minimum = min(minimum, tree[j])
        i >>= 1
        j >>= 1
    return minimum
