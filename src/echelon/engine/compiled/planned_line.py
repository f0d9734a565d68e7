"""Lines and rows of planned schedules: the waiting jobs in queue order, and the running ones by planned end.

A line is three flat arrays, in which a job that has started leaves a gap; a row grows at its end and shrinks
at its beginning. Nothing else is kept, so that an event costs little more than a scan of the line.
"""

from __future__ import annotations

from echelon.libraries.kernel import kernel

STARTED = 2**62
"""The size of a job in the line that has started: it fits nowhere."""
GAPS = 32
"""With so many of them, and more than jobs, the line is closed up."""


@kernel
def any_may(sizes, planned, free, now, shadow, extra):
    """Return whether any of some jobs may start beside the head; without a branch, several at once."""
    candidates = 0
    for i in range(len(sizes)):
        candidates += (sizes[i] <= free) & ((now + planned[i] <= shadow) | (sizes[i] <= extra))
    return candidates > 0


@kernel
def close_up(line, sizes, planned, n):
    """Close the gaps that started jobs left in the line; return how many wait."""
    kept = 0
    for i in range(n):
        if sizes[i] != STARTED:
            line[kept], sizes[kept], planned[kept] = line[i], sizes[i], planned[i]
            kept += 1
    return kept


@kernel
def insert(row, first, last, end, size):
    """Insert a job that has started into row[first:last]."""
    k = last
    while k > first and row[k - 1].end > end:
        row[k].end, row[k].size = row[k - 1].end, row[k - 1].size
        k -= 1
    row[k].end, row[k].size = end, size


@kernel
def shadow_of(row, first, last, now, free, need):
    """Return when `need` processors will be free, and how many more then."""
    shadow = now
    for k in range(first, last):
        # Every job whose planned end is not later than the shadow time counts, ties included.
        if free >= need and row[k].end > shadow:
            break
        free += row[k].size
        shadow = row[k].end
    return shadow, free - need
