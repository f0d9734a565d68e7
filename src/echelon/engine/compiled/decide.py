"""One pass of each backfilling, over arrays: the twins of the rules in `echelon.policies.backfill`."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled import heap, profile
from echelon.engine.compiled.blocked_list import add, least_size, remove, remove_at
from echelon.engine.compiled.reorder import FIXED, account, reorder
from echelon.engine.compiled.state import CONSERVATIVE, EASY, FIRST_FIT, NONE, RESERVED
from echelon.kernel import inlined, kernel

_NO_SHADOW = -np.inf


@inlined
def decide(st, jobs, now, first_new, last_new):
    """Make one pass; the jobs that arrived since the last are ``st.arrivals[first_new:last_new]``."""
    st.machine[0].passes += 1
    if st.queue.totals[0].entries > 0 and (not st.machine[0].changing or _sorted_for(st, jobs, now)):
        kind = st.machine[0].kind
        if kind == CONSERVATIVE:
            _conservative(st, jobs, now, first_new, last_new)
        elif kind == RESERVED:
            _reserved(st, jobs, now)
        elif not _nothing_changed(st, jobs, now, first_new, last_new):
            _from_head(st, jobs, now)
            if kind != NONE:
                if kind == EASY:
                    # The shadow time counts on the jobs just started.
                    _settle(st, jobs)
                _backfill(st, jobs, now)
        _settle(st, jobs)
    st.machine[0].changed = 0
    st.machine[0].ended_early = 0


@kernel
def _sorted_for(st, jobs, now):
    """Sort anew what is in an order that changes with time; return whether a pass can start anybody.

    If no waiting job fits, it can not, and nobody asks for the order. Only promises change even then.
    """
    if st.machine[0].kind != CONSERVATIVE and least_size(st.queue) > st.machine[0].free:
        return False
    if st.orders[0].rule != FIXED:
        reorder(st, jobs, now, 0, False)
    if st.orders[1].rule != FIXED:
        reorder(st, jobs, now, 1, st.machine[0].best_fit != 0)
    return True


@kernel
def _take_processors(st, jobs, now, job):
    """Start `job`, which has left the queue; `_settle` does the rest of it."""
    size = jobs[job].size
    st.machine[0].free -= size
    jobs[job].start = now
    jobs[job].planned_end = now + jobs[job].planned
    st.starting[st.machine[0].n_starting] = job
    st.machine[0].n_starting += 1
    if st.machine[0].accounting:
        account(st.orders, st.traits, st.accounts, now, job, size)


@kernel
def _settle(st, jobs):
    """Enter the jobs started since the last call among the running ones and their ENDs among the events.

    Apart from `_take_processors` so that only one kernel holds the code of both lists: see `inlined`.
    """
    machine = st.machine[0]
    for k in range(machine.n_starting):
        job = st.starting[k]
        add(st.running, jobs[job].planned_end, job, jobs[job].size, jobs[job].planned)
        heap.push(st.ends, machine.n_ends, jobs[job].start + jobs[job].run, jobs[job].position, job)
        machine.n_ends += 1
    machine.n_starting = 0


@kernel
def _start(st, jobs, now, job):
    """Start `job` out of the queue."""
    remove(st.queue, jobs[job].key, job)
    if st.machine[0].own_order:
        remove(st.candidates, jobs[job].candidate, job)
    _take_processors(st, jobs, now, job)


@inlined
def _nothing_changed(st, jobs, now, first_new, last_new):
    """Settle a pass at which only jobs arrived behind a head that stays blocked, if this is one.

    Whoever could not start at the last pass can not now: nothing was freed, the shadow time and the
    extra processors are the same, and time has only moved on. So only the new jobs are looked at.
    """
    head = st.machine[0].head
    queue = st.queue
    if (
        st.machine[0].changing
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
        _start(st, jobs, now, job)
        return True
    if st.machine[0].shadow == _NO_SHADOW:
        _find_shadow(st, jobs, now)
    in_time = now + jobs[job].planned <= st.machine[0].shadow
    if in_time or jobs[job].size <= st.machine[0].extra:
        _start(st, jobs, now, job)
        if not in_time:
            st.machine[0].extra -= jobs[job].size
    return True


@kernel
def _from_head(st, jobs, now):
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
        _take_processors(st, jobs, now, job)


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
def _backfill(st, jobs, now):
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
                    _take_processors(st, jobs, now, job)
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
def _reserved(st, jobs, now):
    """Give the first jobs that must wait their slots, and start whoever fits around them."""
    profile.rebuild(st.machine[0], st.profile, st.running, now)
    queue, ranks = st.queue, st.scratch
    n = 0
    for place in range(queue.totals[0].blocks):
        b = queue.order[place]
        for i in range(queue.blocks[b].count):
            ranks[n] = queue.blocks[b].id[i]
            n += 1
    waiting = 0
    k = 0
    while k < n and waiting < st.machine[0].limit and st.machine[0].free > 0:
        job = ranks[k]
        size, planned = jobs[job].size, jobs[job].planned
        begin = profile.earliest(st.machine[0], st.profile, size, planned, now, np.inf, np.inf)
        profile.change(st.machine[0], st.profile, begin, begin + planned, -size)
        if begin <= now and size <= st.machine[0].free:
            _start(st, jobs, now, job)
        else:
            waiting += 1
        k += 1
    st.machine[0].examined += k
    if k < n and st.machine[0].free > 0:
        _around_reservations(st, jobs, now, jobs[ranks[k - 1]].key)


@inlined
def _around_reservations(st, jobs, now, last_key):
    """Start, in candidate order, the jobs behind `last_key` that fit beside every reservation."""
    walk = st.candidates if st.machine[0].own_order else st.queue
    ranks = st.scratch
    n = 0
    for place in range(walk.totals[0].blocks):
        b = walk.order[place]
        for i in range(walk.blocks[b].count):
            if jobs[walk.blocks[b].id[i]].key > last_key:
                ranks[n] = walk.blocks[b].id[i]
                n += 1
    for k in range(n):
        free = st.machine[0].free
        if free == 0:
            break
        st.machine[0].examined += 1
        job = ranks[k]
        size, planned = jobs[job].size, jobs[job].planned
        if (
            size <= free
            and profile.earliest(st.machine[0], st.profile, size, planned, now, np.inf, now) <= now
        ):
            profile.change(st.machine[0], st.profile, now, now + planned, -size)
            _start(st, jobs, now, job)


@kernel
def _sort(jobs, ranks):
    """Sort a few jobs into queue order, mostly sorted already, by insertion."""
    for k in range(1, len(ranks)):
        rank = ranks[k]
        i = k
        while i > 0 and jobs[ranks[i - 1]].key > jobs[rank].key:
            ranks[i] = ranks[i - 1]
            i -= 1
        ranks[i] = rank


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


@inlined
def _conservative(st, jobs, now, first_new, last_new):
    """Compress if somebody ended early, promise the new jobs a start, start those that are due."""
    if st.machine[0].ended_early:
        _compress(st, jobs, now)
    fresh = st.scratch[: last_new - first_new]
    for k in range(first_new, last_new):
        fresh[k - first_new] = st.arrivals[k]
    _sort(jobs, fresh)
    for job in fresh:
        begin = profile.earliest(
            st.machine[0], st.profile, jobs[job].size, jobs[job].planned, now, np.inf, np.inf
        )
        _promise(st, jobs, job, begin)
    _start_due(st, jobs, now)


@inlined
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
    _sort(jobs, due)
    for k in range(n):
        job = due[k]
        if k > 0 and due[k - 1] == job:
            # Promised this time, moved away and promised it again: the heap held it twice.
            continue
        if jobs[job].size <= st.machine[0].free:
            jobs[job].promise = np.nan
            _start(st, jobs, now, job)
        else:
            heap.push(st.due, st.machine[0].n_due, jobs[job].promise, jobs[job].position, job)
            st.machine[0].n_due += 1
