"""Reservations in kernels: the twins of the rules in `echelon.policies.backfill` that keep reservations."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.machine import profile
from echelon.engine.compiled.machine.starts import sort_into_queue_order, start, start_beside
from echelon.engine.compiled.machine.state import SELECTIVE
from echelon.engine.compiled.structures.chain import HEAD, step_out
from echelon.engine.compiled.structures.openings import OPENS, tighten
from echelon.libraries.kernel import kernel

_TIGHTEN = 8
"""The needs of waiting jobs are recomputed after this many examinations of each job and level."""


@kernel
def _reserve(st, jobs, job):
    """Reserve the earliest possible start for `job`, which has no reservation."""
    profile.reserve(st.machine[0], st.profile, st.levels, st.reach, st.places, jobs, job)


@kernel
def next_due(st):
    """Return when the next reservation after now is due; infinity if there is none.

    A reservation due now still waits for an END at this very time, which comes first.
    """
    return st.profile[st.machine[0].due].time


@kernel
def _compress(st, jobs, now):
    """Move each reservation, in queue order, to an earlier slot if there is one."""
    machine, queue, boundaries, levels, reach = st.machine[0], st.queue, st.profile, st.levels, st.reach
    places = st.places
    # Once in a while, so that it costs little beside what is examined.
    if machine.examined - machine.tightened > _TIGHTEN * (queue.totals[0].entries + len(levels)):
        tighten(levels, reach, queue, places, jobs, now)
        machine.tightened = machine.examined
    for p in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[p]]
        machine.examined += block.count
        for i in range(block.count):
            job, size = block.id[i], block.size[i]
            first, column, klass = places[job].begin, places[job].level, places[job].klass
            # A reservation stays unless the job could start right before it or there may be an earlier slot;
            # so does one that is due now. A job without a reservation gets none here.
            if (
                (boundaries[first].free >= size) | (reach[column, OPENS + klass] < boundaries[first].time)
            ) and boundaries[first].time > now:
                duration = block.duration[i]
                k = profile.earliest_slot(
                    machine, boundaries, levels, reach, column, klass, size, duration, first
                )
                if k != first:
                    begin = boundaries[k].time
                    profile.move(machine, boundaries, levels, reach, places, job, k, begin + duration, size)
                    jobs[job].reserved = begin


@kernel
def keep_reservations(st, jobs, now, first_new, last_new):
    """Compress if a job ended early, make new reservations, start the due jobs and jobs beside them."""
    if st.machine[0].ended_early:
        _compress(st, jobs, now)
    if st.machine[0].kind == SELECTIVE:
        _reserve_selected(st, jobs, now)
    else:
        _reserve_new(st, jobs, first_new, last_new)
    _start_due(st, jobs, now)
    if st.machine[0].kind == SELECTIVE:
        _start_beside_reservations(st, jobs, now)


@kernel
def _reserve_new(st, jobs, first_new, last_new):
    """Make reservations for the jobs that arrived since the last cycle, in queue order."""
    fresh = st.scratch[: last_new - first_new]
    for k in range(first_new, last_new):
        fresh[k - first_new] = st.arrivals[k]
    sort_into_queue_order(jobs, fresh)
    for job in fresh:
        _reserve(st, jobs, job)


@kernel
def _start_due(st, jobs, now):
    """Start the jobs whose reservation is due, in queue order; a job that does not fit yet stays due."""
    first = job = st.profile[HEAD].line
    n = 0
    while job >= 0:
        st.scratch[n] = job
        n += 1
        job = st.places[job].next
        if job == first:
            break
    due = st.scratch[:n]
    sort_into_queue_order(jobs, due)
    for k in range(n):
        job = due[k]
        if jobs[job].size <= st.machine[0].free:
            jobs[job].reserved = np.nan
            step_out(st.machine[0], st.profile, st.places, job)
            start(st, jobs, now, job)


@kernel
def _reserve_selected(st, jobs, now):
    """Make a reservation for every job whose expected slowdown reaches the threshold, in queue order."""
    queue, threshold = st.queue, st.machine[0].threshold
    if threshold != threshold:
        threshold = st.machine[0].slowdowns / st.watch[0] if st.watch[0] > 0 else 1.0
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            job, planned = block.id[i], block.duration[i]
            unreserved = jobs[job].reserved != jobs[job].reserved
            if unreserved and (now - jobs[job].submit + planned) / planned >= threshold:
                _reserve(st, jobs, job)


@kernel
def _start_beside_reservations(st, jobs, now):
    """Start the jobs without a reservation that fit now beside every reservation, in queue order."""
    queue, free = st.queue, st.machine[0].free
    n = 0
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        if block.min_size > free:
            continue
        for i in range(block.count):
            job = block.id[i]
            if block.size[i] <= free and jobs[job].reserved != jobs[job].reserved:
                st.scratch[n] = job
                n += 1
    start_beside(st, jobs, now, n)
