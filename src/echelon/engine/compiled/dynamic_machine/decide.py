"""One scheduling cycle on a machine that changes, in kernels: the twins of `none`, `first-fit` and `easy`."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine import calendar
from echelon.engine.compiled.dynamic_machine.attempts import settle, start
from echelon.engine.compiled.dynamic_machine.closures import advance, room
from echelon.engine.compiled.dynamic_machine.state import EASY, FREE, NONE
from echelon.engine.compiled.structures.blocked_list import remove, remove_at
from echelon.libraries.kernel import kernel

NO_SHADOW = -np.inf


@kernel
def decide(st, jobs, now):
    """DECIDE: start the jobs that may start now."""
    machine = st.machine[0]
    machine.cycles += 1
    advance(st, now)
    if st.queue.totals[0].entries > 0:
        if machine.first_open < len(st.closures):
            if _stays_blocked(st):
                _start_behind_head(st, jobs, now)
            else:
                _start_by_calendar(st, jobs, now)
        elif st.by_host:
            _on_hosts(st, jobs, now)
        else:
            _by_counting(st, jobs, now)
    settle(st, jobs)
    machine.changed = False
    machine.n_joining = 0


@kernel
def _by_counting(st, jobs, now):
    """Do so where nothing is closed: any processors will do. What runs often has its code here alone."""
    machine, queue = st.machine[0], st.queue
    if _stays_blocked(st):
        if machine.kind == NONE or machine.free == 0 or machine.n_joining == 0:
            return
        if machine.n_joining == 1:
            _try_joined(st, jobs, now, st.joining[0])
            return
        # Among several, their own order counts: leave it to the full walk.
    machine.head, machine.shadow = -1, NO_SHADOW
    while queue.totals[0].entries > 0:
        j = queue.blocks[queue.order[0]].id[0]
        if jobs[j].size > machine.free:
            machine.head = j
            break
        remove_at(queue, 0, 0)
        if machine.own_order:
            remove(st.candidates, jobs[j].candidate, j)
        start(st, jobs, now, j, FREE)
    if machine.kind != NONE:
        # The shadow time counts on the jobs just started.
        settle(st, jobs)
        _backfill(st, jobs, now)


@kernel
def _try_joined(st, jobs, now, j):
    """Start the only job that joined, if it may."""
    machine, job = st.machine[0], jobs[j]
    if job.size > machine.free:
        return
    if machine.kind == EASY:
        if machine.shadow == NO_SHADOW:
            _find_shadow(st, jobs, now)
        if now + job.planned > machine.shadow:
            if job.size > machine.extra:
                return
            machine.extra -= job.size
    _start_queued(st, jobs, now, j, FREE)


@kernel
def _start_behind_head(st, jobs, now):
    """Start those that joined behind a head that stays blocked, where something is closed, or will be."""
    machine = st.machine[0]
    if machine.kind == NONE or machine.free == 0:
        return
    if machine.kind == EASY or machine.n_joining > 1:
        # Later a job may get other processors, which the head can spare.
        _start_by_calendar(st, jobs, now)
    elif machine.n_joining == 1:
        j = st.joining[0]
        row = room(st, jobs[j], j, now)
        if row >= 0:
            _start_queued(st, jobs, now, j, row)


@kernel
def _start_by_calendar(st, jobs, now):
    """Start the jobs that may start now where something is closed, or will be."""
    _start_from_head(st, jobs, now)
    if st.machine[0].kind != NONE:
        settle(st, jobs)
        calendar.backfill(st, jobs, now)


@kernel
def _stays_blocked(st):
    """Return whether jobs only joined behind a head that stays blocked.

    A job that could not start in the last cycle cannot start now: capacity is the same, and so are the shadow
    time and the extra processors; only time has advanced. So only the new jobs need be looked at.
    """
    machine, queue = st.machine[0], st.queue
    return not machine.changed and machine.head >= 0 and queue.blocks[queue.order[0]].id[0] == machine.head


@kernel
def _on_hosts(st, jobs, now):
    """Start the jobs that may start now on hosts where nothing is closed."""
    machine = st.machine[0]
    if _stays_blocked(st):
        if machine.kind == NONE or machine.free == 0:
            return
        if not machine.squeezed and _none_fits(st, jobs, now):
            return
    _start_from_head(st, jobs, now)
    if machine.kind == NONE:
        return
    # The shadow time counts on the jobs just started.
    settle(st, jobs)
    if machine.kind == EASY and _head_asks(st):
        calendar.backfill(st, jobs, now)
    else:
        _backfill(st, jobs, now)


@kernel
def _head_asks(st):
    """Return whether counting processors does not tell when the head can start."""
    machine = st.machine[0]
    return st.by_host and machine.head >= 0 and not st.bonds[machine.head].plain


@kernel
def _none_fits(st, jobs, now):
    """Return whether no job fits that joined at this instant."""
    fits = False
    for k in range(st.machine[0].n_joining):
        fits = fits or room(st, jobs[st.joining[k]], st.joining[k], now) >= 0
    return not fits


@kernel
def _start_queued(st, jobs, now, j, row):
    """Start a job out of the queue."""
    remove(st.queue, jobs[j].key, j)
    if st.machine[0].own_order:
        remove(st.candidates, jobs[j].candidate, j)
    start(st, jobs, now, j, row)


@kernel
def _start_from_head(st, jobs, now):
    """Start jobs from the head while they fit, and remember the one that does not."""
    machine, queue = st.machine[0], st.queue
    machine.head, machine.shadow, machine.squeezed = -1, NO_SHADOW, False
    while queue.totals[0].entries > 0:
        j = queue.blocks[queue.order[0]].id[0]
        row = room(st, jobs[j], j, now)
        if row < 0:
            machine.head = j
            return
        remove_at(queue, 0, 0)
        if machine.own_order:
            remove(st.candidates, jobs[j].candidate, j)
        start(st, jobs, now, j, row)


@kernel
def _find_shadow(st, jobs, now):
    """Find the head's shadow time and the extra processors then; infinity if it is not known to start.

    What is planned to be free later are the processors of running jobs, and those that are believed to
    return.
    """
    machine, running = st.machine[0], st.running
    need, free, shadow = jobs[machine.head].size, machine.free, now
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        if free + block.sum_size < need:
            free += block.sum_size
            continue
        for i in range(block.count):
            # Whatever returns by the shadow time counts, ties included.
            if free >= need and block.key[i] > shadow:
                machine.shadow, machine.extra = shadow, free - need
                return
            free += block.size[i]
            shadow = block.key[i]
    machine.shadow = shadow if free >= need else np.inf
    machine.extra = free - need


@kernel
def _backfill(st, jobs, now):
    """Walk the jobs behind the head and start those that may."""
    machine = st.machine[0]
    if st.queue.totals[0].entries < 2 or machine.free == 0:
        return
    shadow, extra = np.inf, 0
    if machine.kind == EASY:
        _find_shadow(st, jobs, now)
        shadow, extra = machine.shadow, machine.extra
    walk = st.candidates if machine.own_order else st.queue
    head, examined, place = machine.head, 0, 0
    while place < walk.totals[0].blocks and machine.free > 0:
        block, free = walk.blocks[walk.order[place]], machine.free
        # Rounding keeps order: if the shortest does not end by the shadow time, none here does.
        if block.min_size > free or (block.min_size > extra and now + block.min_duration > shadow):
            place += 1
            examined += 1
            continue
        i, emptied = 0, False
        while i < block.count:
            examined += 1
            size = block.size[i]
            if size <= free:
                in_time = now + block.duration[i] <= shadow
                if (in_time or size <= extra) and block.id[i] != head:
                    j = block.id[i]
                    row = room(st, jobs[j], j, now) if st.by_host else FREE
                    if row >= 0:
                        emptied = remove_at(walk, place, i)
                        if machine.own_order:
                            remove(st.queue, jobs[j].key, j)
                        start(st, jobs, now, j, row)
                        free = machine.free
                        if not in_time:
                            extra -= size
                        if emptied or free == 0:
                            break
                        continue
            i += 1
        if not emptied:
            place += 1
    machine.extra = extra
    machine.examined += examined
