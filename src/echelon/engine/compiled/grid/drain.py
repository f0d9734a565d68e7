"""Look-ahead simulation under EASY, first-fit and no backfilling in queue order: the common case, made quick.

The same cycles as in `echelon.engine.compiled.decide`, over flat arrays: a line of the waiting jobs, and a
row of the running ones. Only the required data are kept, so that an event costs little more than a scan of
the line.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.grid.room import state_of
from echelon.engine.compiled.grid.schedule_sums import ROUNDED, is_beyond, term, weight_of
from echelon.engine.compiled.grid.strategies import JOB_ENDED, MEANS
from echelon.engine.compiled.state import EASY, NONE
from echelon.libraries.kernel import kernel

_STARTED = 2**62
"""The size of a job in the line that has started: it fits nowhere."""
_GAPS = 32
"""With so many of them, and more than jobs, the line is closed up."""

_FAR, _NEAR = 64, 8
"""Jobs of the line that are looked at together: first so many, and if one of them may start, fewer."""


@kernel
def drained(grid, jobs, now, s, job, limit):
    """Return the value of site `s`, with `job` if that is at least 0, or infinity if not below `limit`.

    The site's bounds have been looked at, for a value of all jobs its sums are known.
    """
    numbers, site, machine = grid.numbers[0], grid.sites[s], grid.machine[s]
    reading, kind, processors = numbers.reading, machine.kind, machine.processors
    line, sizes, planned, row = grid.line, grid.sizes, grid.planned, grid.row
    st = state_of(grid, s)
    n, area = _fill_line(st.queue, line, sizes, planned, jobs, job)
    last, held = _fill_row(st.running, row)
    total, count, weight, base, slack = 0.0, 1, 0.0, 0.0, 0.0
    delay = 0.0
    if reading >= MEANS:
        total, count = site.begun, site.jobs + 1
        if numbers.all_assigned:
            count += site.past_jobs
        arriving = term(reading, jobs[job], 0.0, jobs[job].planned)
        weight = site.weight + weight_of(reading, jobs[job])
        base, slack = site.base + arriving, ROUNDED * (site.slack + abs(arriving))
    elif reading == JOB_ENDED:
        delay = jobs[job].planned
    time, free, value = now, machine.free, np.inf
    first, head, waiting, gaps = 0, 0, n, 0
    shadow, extra, blocked = np.inf, 0, -1
    while True:
        # One cycle: from the head while jobs fit, then the jobs behind it that may overtake.
        i, far, checked, at_head = head, 0, 0, True
        while i < n:
            if not at_head and i >= checked:
                if i >= far:
                    far = min(i + _FAR, n)
                    if not _any_may(sizes[i:far], planned[i:far], free, time, shadow, extra):
                        i = far
                        continue
                checked = min(i + _NEAR, far)
                if not _any_may(sizes[i:checked], planned[i:checked], free, time, shadow, extra):
                    i = checked
                    continue
            size = sizes[i]
            if size > free:
                if at_head and size != _STARTED:
                    at_head = False
                    head = i
                    if kind == NONE or free == 0:
                        break
                    if kind == EASY and blocked != head:
                        # It stays the same until this head starts: no job ends early here.
                        blocked = head
                        shadow, extra = _shadow(row, first, last, time, free, size)
                i += 1
                continue
            end = time + planned[i]
            if not at_head and end > shadow:
                if size > extra:
                    i += 1
                    continue
                extra -= size
            sizes[i] = _STARTED
            gaps += 1
            waiting -= 1
            free -= size
            _insert(row, first, last, end, size)
            last += 1
            if reading >= MEANS:
                started = jobs[line[i]]
                total += term(reading, started, time, end)
                weight -= weight_of(reading, started)
                base -= term(reading, started, 0.0, planned[i])
            elif reading >= JOB_ENDED:
                if line[i] == job:
                    return time + delay
            else:
                area -= size * planned[i]
                held += size * end
            if free == 0 and not at_head:
                break
            i += 1
        if waiting == 0:
            break
        # Is it out of reach?
        if reading >= MEANS:
            if is_beyond(total, time * weight, base, slack, limit * count):
                return np.inf
        elif reading >= JOB_ENDED:
            if time + delay >= limit:
                return np.inf
        else:
            # All work that is left, spread over all processors.
            left = (area + held - time * (processors - free)) / processors
            value = max(row[last - 1].end, time + left - ROUNDED * (abs(time) + (area + held) / processors))
            if value >= limit:
                site.at_least = value
                return np.inf
        if gaps > _GAPS and gaps > waiting:
            n = _close_up(line, sizes, planned, n)
            blocked = 0 if blocked == head else -1
            head = gaps = 0
        time = row[first].end
        while first < last and row[first].end <= time:
            free += row[first].size
            held -= row[first].size * row[first].end
            first += 1
    return total / count if reading >= MEANS else row[last - 1].end


@kernel
def _fill_line(queue, line, sizes, planned, jobs, job):
    """Line up the waiting jobs in queue order, and `job` if at least 0; return how many, and their area."""
    n, area = 0, 0.0
    coming = jobs[job].key if job >= 0 else np.inf
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            if block.key[i] > coming or (block.key[i] == coming and block.id[i] > job):
                line[n], sizes[n], planned[n] = job, jobs[job].size, jobs[job].planned
                coming = np.inf
                n += 1
            line[n], sizes[n], planned[n] = block.id[i], block.size[i], block.duration[i]
            area += block.size[i] * block.duration[i]
            n += 1
    if coming < np.inf:
        line[n], sizes[n], planned[n] = job, jobs[job].size, jobs[job].planned
        n += 1
    if job >= 0:
        area += jobs[job].size * jobs[job].planned
    return n, area


@kernel
def _any_may(sizes, planned, free, now, shadow, extra):
    """Return whether any of some jobs may start beside the head; without a branch, several at once."""
    found = 0
    for i in range(len(sizes)):
        found += (sizes[i] <= free) & ((now + planned[i] <= shadow) | (sizes[i] <= extra))
    return found > 0


@kernel
def _fill_row(running, row):
    """Put the running jobs in a row by planned end; return how many, and the sum of size x planned end."""
    last, held = 0, 0.0
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            row[last].end, row[last].size = block.key[i], block.size[i]
            held += block.size[i] * block.key[i]
            last += 1
    return last, held


@kernel
def _insert(row, first, last, end, size):
    """Insert a job that has started into row[first:last]."""
    k = last
    while k > first and row[k - 1].end > end:
        row[k].end, row[k].size = row[k - 1].end, row[k - 1].size
        k -= 1
    row[k].end, row[k].size = end, size


@kernel
def _shadow(row, first, last, now, free, need):
    """Return when `need` processors will be free, and how many more then."""
    shadow = now
    for k in range(first, last):
        # Every job whose planned end is not later than the shadow time counts, ties included.
        if free >= need and row[k].end > shadow:
            break
        free += row[k].size
        shadow = row[k].end
    return shadow, free - need


@kernel
def _close_up(line, sizes, planned, n):
    """Close the gaps that started jobs left in the line; return how many wait."""
    kept = 0
    for i in range(n):
        if sizes[i] != _STARTED:
            line[kept], sizes[kept], planned[kept] = line[i], sizes[i], planned[i]
            kept += 1
    return kept
