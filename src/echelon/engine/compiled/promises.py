"""Promised starts, in kernels: the twins of the rules in `echelon.policies.backfill` that keep promises."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled import heap, profile
from echelon.engine.compiled.blocked_list import BLOCK
from echelon.engine.compiled.starting import sort_into_queue_order, start, start_beside
from echelon.engine.compiled.state import SELECTIVE
from echelon.libraries.kernel import kernel

_DUE = 512
"""Stale promises are dropped when there are so many, and three for each that holds."""


@kernel
def _promise(st, jobs, job):
    """Promise `job`, which has no promise, the earliest start there is."""
    machine, boundaries, place = st.machine[0], st.profile, st.places[job]
    size, planned = jobs[job].size, jobs[job].planned
    k = profile.earliest(machine, boundaries, st.levels, st.reach, place.level, size, planned, profile.TAIL)
    begin = boundaries[k].time
    place.begin, place.end = k, profile.take(machine, boundaries, k, begin + planned, size)
    profile.use(boundaries, place.begin, place.end)
    jobs[job].promise = begin
    if machine.n_due == len(st.due):
        _drop_stale_promises(st, jobs)
    heap.push(st.due, machine.n_due, begin, jobs[job].position, job)
    machine.n_due += 1


@kernel
def _drop_stale_promises(st, jobs):
    """Lay the heap of promises out anew with only those that still hold."""
    n = st.machine[0].n_due
    kept = 0
    for k in range(n):
        time, job = st.due[k].time, st.due[k].job
        if jobs[job].promise == time:
            heap.push(st.due, kept, time, jobs[job].position, job)
            kept += 1
    st.machine[0].n_due = kept


@kernel
def next_due(st, jobs, now):
    """Return when the next promise after `now` falls due; infinity if there is none."""
    while st.machine[0].n_due > 0:
        time, job = st.due[0].time, st.due[0].job
        if jobs[job].promise == time:
            # One due now still waits for an END of this very time, which comes first.
            return time if time > now else np.inf
        heap.drop_first(st.due, st.machine[0].n_due)
        st.machine[0].n_due -= 1
    return np.inf


@kernel
def _compress(st, jobs, now):
    """Let every job with a promise, in queue order, take an earlier slot if there is one."""
    machine, queue, boundaries, levels, reach = st.machine[0], st.queue, st.profile, st.levels, st.reach
    known, since, longest = reach[profile.KNOWN], reach[profile.SINCE], reach[profile.LONGEST]
    for p in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[p]]
        machine.examined += block.count
        if machine.n_due + BLOCK > len(st.due):
            _drop_stale_promises(st, jobs)
        for i in range(block.count):
            job, size, duration = block.id[i], block.size[i], block.duration[i]
            place = st.places[job]
            first, level = place.begin, place.level
            # Unless it could start right before its promise, or there may be a slot before, it stays; so does
            # one that is due now, and who has no promise keeps none.
            if (
                (boundaries[first].free >= size)
                | (min(known[level], since[level]) < boundaries[first].time)
                | (longest[level] >= duration)
            ) and jobs[job].promise > now:
                k = profile.earliest(machine, boundaries, levels, reach, level, size, duration, first)
                if k != first:
                    begin = boundaries[k].time
                    profile.move(machine, boundaries, reach, place, k, begin + duration, size)
                    jobs[job].promise = begin
                    heap.push(st.due, machine.n_due, begin, jobs[job].position, job)
                    machine.n_due += 1
    if machine.n_due > 4 * queue.totals[0].entries + _DUE:
        _drop_stale_promises(st, jobs)


@kernel
def keep_promises(st, jobs, now, first_new, last_new):
    """Compress if somebody ended early, make new promises, start the jobs that are due and those beside."""
    if st.machine[0].ended_early:
        _compress(st, jobs, now)
    if st.machine[0].kind == SELECTIVE:
        _promise_selected(st, jobs, now)
    else:
        _promise_new(st, jobs, first_new, last_new)
    _start_due(st, jobs, now)
    if st.machine[0].kind == SELECTIVE:
        _start_beside_promises(st, jobs, now)


@kernel
def _promise_new(st, jobs, first_new, last_new):
    """Promise the jobs that arrived since the last pass a start, in queue order."""
    fresh = st.scratch[: last_new - first_new]
    for k in range(first_new, last_new):
        fresh[k - first_new] = st.arrivals[k]
    sort_into_queue_order(jobs, fresh)
    for job in fresh:
        _promise(st, jobs, job)


@kernel
def _start_due(st, jobs, now):
    """Start the jobs whose promise is due, in queue order; one that does not fit yet stays due."""
    n = 0
    while st.machine[0].n_due > 0 and st.due[0].time <= now:
        time, job = st.due[0].time, st.due[0].job
        heap.drop_first(st.due, st.machine[0].n_due)
        st.machine[0].n_due -= 1
        if jobs[job].promise == time:
            st.scratch[n] = job
            n += 1
    due = st.scratch[:n]
    sort_into_queue_order(jobs, due)
    for k in range(n):
        job = due[k]
        if k > 0 and due[k - 1] == job:
            # Promised this time, moved away and promised it again: the heap held it twice.
            continue
        if jobs[job].size <= st.machine[0].free:
            jobs[job].promise = np.nan
            start(st, jobs, now, job)
        else:
            heap.push(st.due, st.machine[0].n_due, jobs[job].promise, jobs[job].position, job)
            st.machine[0].n_due += 1


@kernel
def _promise_selected(st, jobs, now):
    """Promise a start to every job whose expected slowdown reaches the threshold, in queue order."""
    queue, threshold = st.queue, st.machine[0].threshold
    if threshold != threshold:
        threshold = st.machine[0].slowdowns / st.watch[0] if st.watch[0] > 0 else 1.0
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            job, planned = block.id[i], block.duration[i]
            unpromised = jobs[job].promise != jobs[job].promise
            if unpromised and (now - jobs[job].submit + planned) / planned >= threshold:
                _promise(st, jobs, job)


@kernel
def _start_beside_promises(st, jobs, now):
    """Start the jobs without a promise that fit now beside every promise, in queue order."""
    queue, free = st.queue, st.machine[0].free
    n = 0
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        if block.min_size > free:
            continue
        for i in range(block.count):
            job = block.id[i]
            if block.size[i] <= free and jobs[job].promise != jobs[job].promise:
                st.scratch[n] = job
                n += 1
    start_beside(st, jobs, now, n)
