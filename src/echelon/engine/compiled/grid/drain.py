"""Look-ahead simulation under EASY, first-fit and no backfilling in queue order: the common case, made quick.

The same cycles as in `echelon.engine.compiled.machine.decide`, over flat arrays: a line of the waiting jobs,
and a row of the running ones. Only the required data are kept, so that an event costs little more than a scan
of the line.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.grid.room import state_of
from echelon.engine.compiled.grid.schedule_sums import ROUNDED, is_beyond, term, weight_of
from echelon.engine.compiled.grid.strategies import JOB_ENDED, MEANS
from echelon.engine.compiled.machine.state import EASY, NONE
from echelon.engine.compiled.planned_line import GAPS, STARTED, any_may, close_up, insert, shadow_of
from echelon.libraries.kernel import kernel

_FAR, _NEAR = 64, 8
"""Jobs of the line that are looked at together: first so many, and if one of them may start, fewer."""


@kernel
def drain(grid, jobs, now, s, job, limit):
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
                    if not any_may(sizes[i:far], planned[i:far], free, time, shadow, extra):
                        i = far
                        continue
                checked = min(i + _NEAR, far)
                if not any_may(sizes[i:checked], planned[i:checked], free, time, shadow, extra):
                    i = checked
                    continue
            size = sizes[i]
            if size > free:
                if at_head and size != STARTED:
                    at_head = False
                    head = i
                    if kind == NONE or free == 0:
                        break
                    if kind == EASY and blocked != head:
                        # It stays the same until this head starts: no job ends early here.
                        blocked = head
                        shadow, extra = shadow_of(row, first, last, time, free, size)
                i += 1
                continue
            end = time + planned[i]
            if not at_head and end > shadow:
                if size > extra:
                    i += 1
                    continue
                extra -= size
            sizes[i] = STARTED
            gaps += 1
            waiting -= 1
            free -= size
            insert(row, first, last, end, size)
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
        if gaps > GAPS and gaps > waiting:
            n = close_up(line, sizes, planned, n)
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
