"""A binary heap of (time, tie, job) records, for future ENDs and reservations."""

from __future__ import annotations

import numpy as np

from echelon.libraries.kernel import kernel

ENTRY_TYPE = np.dtype([("time", np.float64), ("tie", np.int64), ("job", np.int64)], align=True)


@kernel
def push(entries, n, time, tie, job):
    """Add an entry to the heap of `n` entries; the earliest time is first, on ties the smallest `tie`."""
    i = n
    while i > 0:
        parent = entries[(i - 1) >> 1]
        if parent.time < time or (parent.time == time and parent.tie <= tie):
            break
        entry = entries[i]
        entry.time, entry.tie, entry.job = parent.time, parent.tie, parent.job
        i = (i - 1) >> 1
    entry = entries[i]
    entry.time, entry.tie, entry.job = time, tie, job


@kernel
def drop_first(entries, n):
    """Remove the first of `n` entries."""
    last = n - 1
    time, tie, job = entries[last].time, entries[last].tie, entries[last].job
    i = 0
    while True:
        c = 2 * i + 1
        if c >= last:
            break
        child = entries[c]
        if c + 1 < last:
            other = entries[c + 1]
            if other.time < child.time or (other.time == child.time and other.tie < child.tie):
                child = other
                c += 1
        if time < child.time or (time == child.time and tie <= child.tie):
            break
        entry = entries[i]
        entry.time, entry.tie, entry.job = child.time, child.tie, child.job
        i = c
    entry = entries[i]
    entry.time, entry.tie, entry.job = time, tie, job
