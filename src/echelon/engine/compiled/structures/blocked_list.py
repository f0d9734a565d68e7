"""BlockedList: a sorted list for kernels, in blocks that know their smallest values.

Two things need one: the waiting jobs in queue order, which a backfilling scan must walk quickly past
jobs that cannot start; and the running jobs by planned end, which the shadow time is read from. Entries
are kept sorted by (key, id) in blocks of 64. Each block knows the smallest size, the smallest duration
and the sum of sizes in it, so that a scan skips whole blocks.

Cost: O(log blocks + 64) to add or remove; a scan reads one line a block that it skips.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from echelon.libraries.kernel import kernel

BLOCK = 64
_FULL_ENOUGH = 16
"""With fewer entries a block on average than this, the list is laid out again."""
_SLACK = 8

_BLOCK_TYPE = np.dtype(
    [
        ("count", np.int64),  # entries in the block
        ("min_size", np.int64),
        ("sum_size", np.int64),
        ("min_duration", np.float64),
        ("next_spare", np.int64),  # the next unused block, when this one is unused
        ("key", np.float64, (BLOCK,)),  # sort key
        ("id", np.int64, (BLOCK,)),  # sort key on ties
        ("size", np.int64, (BLOCK,)),  # processors
        ("duration", np.float64, (BLOCK,)),  # planned time
    ],
    align=True,
)
_TOTALS_TYPE = np.dtype(
    [
        ("blocks", np.int64),  # blocks in use
        ("entries", np.int64),
        ("touched", np.int64),  # blocks ever used: memory behind them is not touched before it is needed
        ("spare", np.int64),  # the first block out of use again, -1 without
    ],
    align=True,
)


class BlockedList(NamedTuple):
    """The arrays of one list. Records, not columns: few arrays to pass, and an entry's parts lie together."""

    blocks: Any  # record[b]
    order: Any  # int64[place]: blocks in list order
    totals: Any  # record[1]


def empty_list(most: int) -> BlockedList:
    """Return an empty list for at most `most` entries at once."""
    n_blocks = most // _FULL_ENOUGH + most // (BLOCK // 2) + _SLACK + 2
    blocks = np.empty(n_blocks, dtype=_BLOCK_TYPE)
    totals = np.zeros(1, dtype=_TOTALS_TYPE)
    totals["spare"] = -1
    return BlockedList(blocks, np.empty(n_blocks, dtype=np.int64), totals)


@kernel
def _measure(bl, b):
    """Recompute what block `b` knows of its entries."""
    block = bl.blocks[b]
    least, shortest, total = block.size[0], block.duration[0], 0
    for i in range(block.count):
        least = min(least, block.size[i])
        shortest = min(shortest, block.duration[i])
        total += block.size[i]
    block.min_size, block.min_duration, block.sum_size = least, shortest, total


@kernel
def _new_block(bl, place):
    """Put an empty block at `place` of the list's order and return it."""
    totals = bl.totals[0]
    b = totals.spare
    if b >= 0:
        totals.spare = bl.blocks[b].next_spare
    else:
        b = totals.touched
        totals.touched += 1
    for p in range(totals.blocks, place, -1):
        bl.order[p] = bl.order[p - 1]
    bl.order[place] = b
    totals.blocks += 1
    bl.blocks[b].count = 0
    return b


@kernel
def _retire(bl, b):
    """Put block `b` among the unused ones."""
    bl.blocks[b].next_spare = bl.totals[0].spare
    bl.totals[0].spare = b


@kernel
def _move(block, i, to, j):
    """Copy entry i of one block to place j of another (or the same)."""
    to.key[j], to.id[j] = block.key[i], block.id[i]
    to.size[j], to.duration[j] = block.size[i], block.duration[i]


@kernel
def find_block(bl, key, ident):
    """Return the place of the last block whose first entry is not after (key, ident), at least 0."""
    low, high = 0, bl.totals[0].blocks
    while low < high:
        middle = (low + high) // 2
        block = bl.blocks[bl.order[middle]]
        if block.key[0] < key or (block.key[0] == key and block.id[0] <= ident):
            low = middle + 1
        else:
            high = middle
    return max(low - 1, 0)


@kernel
def _find_entry(block, key, ident):
    """Return the first place in a block that is not before (key, ident)."""
    low, high = 0, block.count
    while low < high:
        middle = (low + high) // 2
        if block.key[middle] < key or (block.key[middle] == key and block.id[middle] < ident):
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _split(bl, place):
    """Move the upper half of the full block at `place` to a new block behind it."""
    b = bl.order[place]
    c = _new_block(bl, place + 1)
    half = BLOCK // 2
    for i in range(half, BLOCK):
        _move(bl.blocks[b], i, bl.blocks[c], i - half)
    bl.blocks[b].count, bl.blocks[c].count = half, BLOCK - half
    _measure(bl, b)
    _measure(bl, c)


@kernel
def add(bl, key, ident, size, duration):
    """Add an entry at its place."""
    totals = bl.totals[0]
    if totals.blocks == 0:
        _new_block(bl, 0)
    place = find_block(bl, key, ident)
    block = bl.blocks[bl.order[place]]
    i = _find_entry(block, key, ident)
    if block.count == BLOCK:
        if place == totals.blocks - 1 and i == BLOCK:
            # Appending, as FCFS does: leave the full block full.
            block, i = bl.blocks[_new_block(bl, place + 1)], 0
        else:
            _split(bl, place)
            if i > BLOCK // 2:
                i -= BLOCK // 2
                block = bl.blocks[bl.order[place + 1]]
    for k in range(block.count, i, -1):
        _move(block, k - 1, block, k)
    block.key[i], block.id[i], block.size[i], block.duration[i] = key, ident, size, duration
    if block.count == 0:
        block.min_size, block.min_duration, block.sum_size = size, duration, size
    else:
        block.min_size = min(block.min_size, size)
        block.min_duration = min(block.min_duration, duration)
        block.sum_size += size
    block.count += 1
    totals.entries += 1
    if totals.blocks > _SLACK + totals.entries // _FULL_ENOUGH:
        _tidy(bl)


@kernel
def remove_at(bl, place, i):
    """Remove entry `i` of the block at `place`; return whether that block was emptied and taken out.

    Otherwise no entry changes its block, so that a scan can go on at (place, i).
    """
    b = bl.order[place]
    block, totals = bl.blocks[b], bl.totals[0]
    block.count -= 1
    totals.entries -= 1
    if block.count == 0:
        totals.blocks -= 1
        for p in range(place, totals.blocks):
            bl.order[p] = bl.order[p + 1]
        _retire(bl, b)
        return True
    size, duration = block.size[i], block.duration[i]
    for k in range(i, block.count):
        _move(block, k + 1, block, k)
    block.sum_size -= size
    if size == block.min_size or duration == block.min_duration:
        _measure(bl, b)
    return False


@kernel
def remove(bl, key, ident):
    """Remove the entry (key, ident), which must be there."""
    place = find_block(bl, key, ident)
    remove_at(bl, place, _find_entry(bl.blocks[bl.order[place]], key, ident))


@kernel
def _tidy(bl):
    """Lay the list out again in full blocks, because they have become sparse."""
    used = bl.totals[0].blocks
    to_place, to_i = 0, 0
    for place in range(used):
        block = bl.blocks[bl.order[place]]
        # In place: with full targets, the entry written is never ahead of the entry read.
        for i in range(block.count):
            if to_i == BLOCK:
                bl.blocks[bl.order[to_place]].count = BLOCK
                to_place += 1
                to_i = 0
            _move(block, i, bl.blocks[bl.order[to_place]], to_i)
            to_i += 1
    bl.blocks[bl.order[to_place]].count = to_i
    for place in range(to_place + 1, used):
        _retire(bl, bl.order[place])
    bl.totals[0].blocks = to_place + 1
    for place in range(to_place + 1):
        _measure(bl, bl.order[place])


@kernel
def least_size(bl):
    """Return the smallest size in the list, which must not be empty."""
    least = bl.blocks[bl.order[0]].min_size
    for place in range(1, bl.totals[0].blocks):
        least = min(least, bl.blocks[bl.order[place]].min_size)
    return least


@kernel
def refill(bl, entries, jobs):
    """Fill the list with the jobs of `entries`, as many as it holds; each one's key is its place there."""
    n = bl.totals[0].entries
    blocks = (n + BLOCK - 1) // BLOCK
    for place in range(blocks):
        b = bl.order[place] if place < bl.totals[0].blocks else _new_block(bl, place)
        block, first = bl.blocks[b], place * BLOCK
        block.count = min(n - first, BLOCK)
        for i in range(block.count):
            job = entries[first + i].job
            block.key[i], block.id[i] = first + i, job
            block.size[i], block.duration[i] = jobs[job].size, jobs[job].planned
        _measure(bl, b)
    for place in range(blocks, bl.totals[0].blocks):
        _retire(bl, bl.order[place])
    bl.totals[0].blocks = blocks
