"""Promised starts, in kernels: the twins of the rules in `echelon.policies.backfill` that keep promises."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled import heap, profile
from echelon.engine.compiled.starting import sort_into_queue_order, start, start_beside
from echelon.engine.compiled.state import SELECTIVE
from echelon.kernel import kernel


@kernel
def _promise(st, jobs, job, begin):
    """Promise `job` a start at `begin`, in place of its earlier promise if it has one."""
    size, planned = jobs[job].size, jobs[job].planned
    if jobs[job].promise == jobs[job].promise:
        profile.change(st.machine[0], st.profile, jobs[job].promise, jobs[job].promise + planned, size)
    profile.change(st.machine[0], st.profile, begin, begin + planned, -size)
    jobs[job].promise = begin
    if st.machine[0].n_due == len(st.due):
        _drop_stale_promises(st, jobs)
    heap.push(st.due, st.machine[0].n_due, begin, jobs[job].position, job)
    st.machine[0].n_due += 1


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
    """Let every job with a promise, in queue order, take an earlier slot if there is one.

    A job can only move to a slot that meets processors freed since it was last looked at. Those lie
    before ``until``: the planned ends of jobs that ended early, and the slots given up by jobs that moved
    (in this pass, and behind this job in the last one).
    """
    machine, queue = st.machine[0], st.queue
    machine.compressions += 1
    until = max(machine.freed_until, machine.moved_until)
    machine.moved_until = now
    n_moves = 0
    for place in range(queue.totals[0].blocks):
        b = queue.order[place]
        for i in range(queue.blocks[b].count):
            job = queue.blocks[b].id[i]
            old = jobs[job].promise
            if old != old or old <= now:
                continue
            machine.examined += 1
            size, planned = queue.blocks[b].size[i], queue.blocks[b].duration[i]
            shape = st.shapes[jobs[job].shape]
            since = _none_before(machine, shape, st.moves, n_moves, planned, old)
            begin = old
            if since < min(old, until):
                begin = profile.earliest(machine, st.profile, size, planned, since, old, until)
            if begin < old:
                _promise(st, jobs, job, begin)
                until = max(until, old + planned)
                machine.moved_until = max(machine.moved_until, old + planned)
                st.moves[n_moves] = max(begin + planned, old)
                n_moves += 1
            shape.compression = machine.compressions
            shape.none_before, shape.promise, shape.moves = min(begin, until), old, n_moves
    machine.freed_until = now


@kernel
def _none_before(machine, shape, moves, n_moves, planned, promise):
    """Return a time before which no slot for a job of `shape` begins, as this compression knows it.

    An earlier job of the same shape found none before some time. That holds for this one if its promise is
    not before that job's (whose own promise counted as free for it), and for slots that end before
    whatever was freed by moves since.
    """
    if shape.compression != machine.compressions or promise < shape.promise:
        return -np.inf
    none_before = shape.none_before
    for k in range(shape.moves, n_moves):
        # A little earlier than exact, because the difference may be rounded up.
        none_before = min(none_before, moves[k] - planned - 1e-9 * abs(moves[k]))
    return none_before


@kernel
def keep_promises(st, jobs, now, first_new, last_new):
    """Compress if somebody ended early, make new promises, start the jobs that are due and those beside."""
    if st.machine[0].ended_early:
        _compress(st, jobs, now)
    if st.machine[0].kind == SELECTIVE:
        _promise_selected(st, jobs, now)
    else:
        _promise_new(st, jobs, now, first_new, last_new)
    _start_due(st, jobs, now)
    if st.machine[0].kind == SELECTIVE:
        _start_beside_promises(st, jobs, now)


@kernel
def _promise_new(st, jobs, now, first_new, last_new):
    """Promise the jobs that arrived since the last pass a start, in queue order."""
    fresh = st.scratch[: last_new - first_new]
    for k in range(first_new, last_new):
        fresh[k - first_new] = st.arrivals[k]
    sort_into_queue_order(jobs, fresh)
    for job in fresh:
        begin = profile.earliest(
            st.machine[0], st.profile, jobs[job].size, jobs[job].planned, now, np.inf, np.inf
        )
        _promise(st, jobs, job, begin)


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
                begin = profile.earliest(
                    st.machine[0], st.profile, block.size[i], planned, now, np.inf, np.inf
                )
                _promise(st, jobs, job, begin)


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
