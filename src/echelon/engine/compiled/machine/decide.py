"""One cycle of each backfilling, in kernels: twins of the rules in `echelon.policies.backfill`."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.machine.reorder import FIXED, reorder
from echelon.engine.compiled.machine.reservations import keep_reservations
from echelon.engine.compiled.machine.starts import is_behind, settle, start, start_beside, take_processors
from echelon.engine.compiled.machine.state import (
    EASY,
    FIRST_FIT,
    NONE,
    RESERVATIONS,
    RESERVED,
)
from echelon.engine.compiled.structures.blocked_list import least_size, remove, remove_at
from echelon.engine.compiled.structures.chain import HEAD, find, rebuild, take
from echelon.libraries.kernel import kernel

_NO_SHADOW = -np.inf


@kernel
def decide(st, jobs, now, first_new, last_new):
    """Run one cycle; the jobs that arrived since the last one are ``st.arrivals[first_new:last_new]``."""
    st.machine[0].cycles += 1
    if st.queue.totals[0].entries > 0 and (not st.machine[0].dynamic_order or _sort_queues(st, jobs, now)):
        kind = st.machine[0].kind
        if kind >= RESERVATIONS:
            keep_reservations(st, jobs, now, first_new, last_new)
        elif kind == RESERVED:
            reserve_and_start(st, jobs, now)
        elif not _nothing_changed(st, jobs, now, first_new, last_new):
            start_from_head(st, jobs, now)
            if kind != NONE:
                if kind == EASY:
                    # The shadow time counts on the jobs just started.
                    settle(st, jobs)
                backfill(st, jobs, now)
        settle(st, jobs)
    st.machine[0].changed = 0
    st.machine[0].ended_early = 0


@kernel
def _sort_queues(st, jobs, now):
    """Sort queues whose order changes with time; return whether a cycle can start any job.

    If no waiting job fits, it cannot, and the order is not needed; only reservations may change then.
    """
    if st.machine[0].kind < RESERVATIONS and least_size(st.queue) > st.machine[0].free:
        return False
    for which in range(2):
        order = st.orders[which]
        if order.rule != FIXED:
            bl = st.candidates if which == 1 else st.queue
            by_size = which == 1 and st.machine[0].best_fit != 0
            reorder(
                bl,
                jobs,
                order,
                st.traits,
                st.accounts[which],
                st.machine[0].processors,
                st.sorting,
                now,
                by_size,
            )
            for k in range(bl.totals[0].entries):
                job = st.sorting[0, k].job
                if which == 1:
                    jobs[job].candidate = k
                else:
                    jobs[job].key = k
    return True


@kernel
def _nothing_changed(st, jobs, now, first_new, last_new):
    """Complete the cycle early if jobs only arrived behind a head that stays blocked.

    A job that could not start in the last cycle cannot start now: nothing was freed, the shadow time and the
    extra processors are the same, and only time has advanced. So only the new jobs are looked at.
    """
    head = st.machine[0].head
    queue = st.queue
    if (
        st.machine[0].dynamic_order
        or st.machine[0].changed
        or head < 0
        or queue.blocks[queue.order[0]].id[0] != head
    ):
        return False
    kind = st.machine[0].kind
    if kind == NONE or st.machine[0].free == 0:
        return True
    if last_new - first_new > 1:
        # Among several, their own order counts: leave it to the full walk.
        return False
    if last_new == first_new:
        return True
    job = st.arrivals[first_new]
    if jobs[job].size > st.machine[0].free:
        return True
    if kind == FIRST_FIT:
        start(st, jobs, now, job)
        return True
    if st.machine[0].shadow == _NO_SHADOW:
        _find_shadow(st, jobs, now)
    in_time = now + jobs[job].planned <= st.machine[0].shadow
    if in_time or jobs[job].size <= st.machine[0].extra:
        start(st, jobs, now, job)
        if not in_time:
            st.machine[0].extra -= jobs[job].size
    return True


@kernel
def start_from_head(st, jobs, now):
    """Start jobs from the head while they fit, and remember the one that does not."""
    queue = st.queue
    st.machine[0].head = -1
    st.machine[0].shadow = _NO_SHADOW
    while queue.totals[0].entries > 0:
        b = queue.order[0]
        if queue.blocks[b].size[0] > st.machine[0].free:
            st.machine[0].head = queue.blocks[b].id[0]
            return
        job = queue.blocks[b].id[0]
        remove_at(queue, 0, 0)
        if st.machine[0].own_order:
            remove(st.candidates, jobs[job].candidate, job)
        take_processors(st, jobs, now, job)


@kernel
def _find_shadow(st, jobs, now):
    """Find the head's shadow time and the extra processors then."""
    need = jobs[st.machine[0].head].size
    running = st.running
    free = st.machine[0].free
    shadow = now
    for place in range(running.totals[0].blocks):
        b = running.order[place]
        if free + running.blocks[b].sum_size < need:
            free += running.blocks[b].sum_size
            continue
        for i in range(running.blocks[b].count):
            # Every job whose planned end is not later than the shadow time counts, ties included.
            if free >= need and running.blocks[b].key[i] > shadow:
                st.machine[0].shadow, st.machine[0].extra = shadow, free - need
                return
            free += running.blocks[b].size[i]
            shadow = running.blocks[b].key[i]
    st.machine[0].shadow, st.machine[0].extra = shadow, free - need


@kernel
def backfill(st, jobs, now):
    """Walk the jobs behind the head and start those that may (first-fit and EASY)."""
    if st.queue.totals[0].entries < 2 or st.machine[0].free == 0:
        return
    shadow, extra = np.inf, 0
    if st.machine[0].kind == EASY:
        _find_shadow(st, jobs, now)
        shadow, extra = st.machine[0].shadow, st.machine[0].extra
    walk = st.candidates if st.machine[0].own_order else st.queue
    head = st.machine[0].head
    examined = 0
    place = 0
    while place < walk.totals[0].blocks and st.machine[0].free > 0:
        b = walk.order[place]
        free = st.machine[0].free
        # Rounding keeps order: if the shortest does not end by the shadow time, none here does.
        if walk.blocks[b].min_size > free or (
            walk.blocks[b].min_size > extra and now + walk.blocks[b].min_duration > shadow
        ):
            place += 1
            examined += 1
            continue
        i = 0
        emptied = False
        while i < walk.blocks[b].count:
            examined += 1
            size = walk.blocks[b].size[i]
            if size <= free:
                in_time = now + walk.blocks[b].duration[i] <= shadow
                if (in_time or size <= extra) and walk.blocks[b].id[i] != head:
                    job = walk.blocks[b].id[i]
                    emptied = remove_at(walk, place, i)
                    if st.machine[0].own_order:
                        remove(st.queue, jobs[job].key, job)
                    take_processors(st, jobs, now, job)
                    free = st.machine[0].free
                    if not in_time:
                        extra -= size
                    if emptied or free == 0:
                        break
                    continue
            i += 1
        if not emptied:
            place += 1
    st.machine[0].extra = extra
    st.machine[0].examined += examined


@kernel
def reserve_and_start(st, jobs, now):
    """Give the first jobs that must wait their slots, and start the jobs that fit around them.

    No slot is kept for the next cycle, so this one ends behind the last job that still fits the machine.
    """
    machine, boundaries, ranks = st.machine[0], st.profile, st.scratch
    last = _last_that_fits(st)
    if last < 0:
        return
    rebuild(machine, boundaries, st.running, now)
    waiting = k = 0
    while k <= last and waiting < machine.limit:
        job = ranks[k]
        size, planned = jobs[job].size, jobs[job].planned
        slot = find(machine, boundaries, HEAD, size, planned, np.inf)
        take(machine, boundaries, slot, boundaries[slot].time + planned, size)
        if slot == HEAD and size <= machine.free:
            start(st, jobs, now, job)
            while last > k and jobs[ranks[last]].size > machine.free:
                last -= 1
        else:
            waiting += 1
        k += 1
    machine.examined += k
    if k <= last:
        _start_around(st, jobs, now, jobs[ranks[k - 1]].key, ranks[k - 1])


@kernel
def _last_that_fits(st):
    """List the waiting jobs in ``st.scratch``; return the place of the last that the free processors hold."""
    queue, ranks, free = st.queue, st.scratch, st.machine[0].free
    n, last = 0, -1
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            ranks[n + i] = block.id[i]
        if block.min_size <= free:
            for i in range(block.count):
                if block.size[i] <= free:
                    last = n + i
        n += block.count
    return last


@kernel
def _start_around(st, jobs, now, key, last):
    """Start, in candidate order, the jobs behind `last`, which has this key, that fit beside reservations."""
    walk = st.candidates if st.machine[0].own_order else st.queue
    ranks = st.scratch
    n = 0
    for place in range(walk.totals[0].blocks):
        b = walk.order[place]
        for i in range(walk.blocks[b].count):
            if is_behind(jobs, walk.blocks[b].id[i], key, last):
                ranks[n] = walk.blocks[b].id[i]
                n += 1
    start_beside(st, jobs, now, n)
