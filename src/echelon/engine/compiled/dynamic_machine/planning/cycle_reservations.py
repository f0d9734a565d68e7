"""Reservations of one cycle, in kernels: the twins of `plan` and of EASY with more than one reservation.

See `echelon.policies.backfill.cycle_reservations`.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.attempts import start
from echelon.engine.compiled.dynamic_machine.planning.profile import hold, keep_lowest, rebuild
from echelon.engine.compiled.dynamic_machine.planning.slots import find_slot, fits_now
from echelon.engine.compiled.dynamic_machine.state import USABLE
from echelon.engine.compiled.machine.starts import is_behind
from echelon.engine.compiled.structures.blocked_list import remove
from echelon.libraries.kernel import kernel


@kernel
def reserve_in_cycle(st, plan, jobs, now):
    """Give the first jobs that must wait their slots, and start the jobs that fit around them.

    No slot is kept for the next cycle, so this one ends behind the last job that still fits the machine.
    """
    machine, line = st.machine[0], plan.line
    last = _last_that_fits(st, line)
    if last < 0:
        return
    rebuild(st, plan, jobs, now)
    waiting = k = 0
    while k <= last and waiting < plan.book[0].limit:
        j = line[k]
        if _reserve(st, plan, jobs, j, now) <= now:
            _start(st, jobs, now, j)
            while last > k and jobs[line[last]].size > machine.free:
                last -= 1
        else:
            waiting += 1
        k += 1
    machine.examined += k
    if k <= last:
        _start_around(st, plan, jobs, now, line[k - 1])


@kernel
def _last_that_fits(st, line):
    """List the waiting jobs in queue order; return the place of the last that the free processors hold."""
    queue, n, last = st.queue, 0, -1
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            line[n] = block.id[i]
            if block.size[i] <= st.machine[0].free:
                last = n
            n += 1
    return last


@kernel
def _reserve(st, plan, jobs, j, now):
    """Give a job its earliest slot, and return when that begins; infinity if it is never known to start."""
    job = jobs[j]
    # The last segment has all processors that are ever planned to be free.
    if plan.segments[plan.book[0].segments - 1].free < job.size:
        return np.inf
    begin = find_slot(st, plan, jobs, j, -1, np.inf, now)
    if begin < np.inf:
        keep_lowest(st.words[USABLE], job.size)
        hold(plan, st.words[USABLE], job.size, begin, begin + job.planned)
    return begin


@kernel
def _start(st, jobs, now, j):
    """Start a job out of the queue on the lowest usable processors."""
    remove(st.queue, jobs[j].key, j)
    if st.machine[0].own_order:
        remove(st.candidates, jobs[j].candidate, j)
    start(st, jobs, now, j, USABLE)


@kernel
def _start_around(st, plan, jobs, now, last):
    """Start, in candidate order, the jobs behind `last` that fit beside the reservations."""
    machine, key, n = st.machine[0], jobs[last].key, 0
    walk = st.candidates if machine.own_order else st.queue
    for place in range(walk.totals[0].blocks):
        block = walk.blocks[walk.order[place]]
        for i in range(block.count):
            if block.size[i] <= machine.free and is_behind(jobs, block.id[i], key, last):
                plan.line[n] = block.id[i]
                n += 1
    for k in range(n):
        if machine.free == 0:
            return
        machine.examined += 1
        j = plan.line[k]
        if fits_now(st, plan, jobs, j, now):
            keep_lowest(st.words[USABLE], jobs[j].size)
            hold(plan, st.words[USABLE], jobs[j].size, now, now + jobs[j].planned)
            _start(st, jobs, now, j)
