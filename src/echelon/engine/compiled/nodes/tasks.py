"""Tasks in kernels: which parts of a job run, when they end, and what they give back then."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.nodes.cores import give_all_back, give_back_in, make_idle
from echelon.engine.compiled.nodes.state import ENDED, RUNNING, STALE
from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.blocked_list import add, remove
from echelon.engine.compiled.structures.rounding import next_above
from echelon.libraries.kernel import kernel


@kernel
def settle(st, jobs):
    """Enter the jobs started since the last call among the running ones and their ENDs among the events."""
    for k in range(st.machine[0].n_starting):
        j = st.starting[k]
        jobs[j].held = jobs[j].size
        jobs[j].number = st.machine[0].dispatched
        st.machine[0].dispatched += 1
        _enter(st, jobs, j)
        _start_parts(st, jobs, j)
    st.machine[0].n_starting = 0


@kernel
def _enter(st, jobs, j):
    """Enter a job among the running ones, with what it holds."""
    add(st.running, jobs[j].planned_end, j, jobs[j].held, jobs[j].planned)


@kernel
def _start_parts(st, jobs, j):
    """Let the tasks of a job run: neighbors among them that are alike, and end together, as one part."""
    job = jobs[j]
    first = job.slot
    if st.machine[0].fixed:
        _start_part(st, jobs, j, first, first + job.size, job.start + job.run)
        return
    stop, g = first + job.size, job.first_group
    ahead = first + st.groups[g].tasks
    rate = st.table[st.held[first]].rate
    for i in range(first, stop):
        st.ended[i] = np.nan
        following = i + 1
        if following < stop and following < ahead and st.table[st.held[following]].rate == rate:
            continue
        _start_part(st, jobs, j, first, following, job.start + st.groups[g].operations / rate)
        first = following
        if following < stop:
            rate = st.table[st.held[following]].rate
            if following == ahead:
                g += 1
                ahead += st.groups[g].tasks


@kernel
def _start_part(st, jobs, j, first, stop, due):
    p = st.machine[0].spare_part
    if p >= 0:
        st.machine[0].spare_part = st.parts[p].next
    else:
        p = st.machine[0].parts
        st.machine[0].parts += 1
    part = st.parts[p]
    part.job, part.first, part.stop, part.state = j, first, stop, RUNNING
    part.next, jobs[j].first_part = jobs[j].first_part, p
    jobs[j].running += 1
    jobs[j].last_due = max(jobs[j].last_due, due)
    heap.push(st.ends, st.machine[0].n_ends, due, jobs[j].number, p)
    st.machine[0].n_ends += 1


@kernel
def _spare(st, p):
    st.parts[p].next = st.machine[0].spare_part
    st.machine[0].spare_part = p


@kernel
def next_end(st):
    """Return when the next part ends, infinity if none runs."""
    while st.machine[0].n_ends > 0:
        p = st.ends[0].job
        if st.parts[p].state != STALE:
            return st.ends[0].time
        heap.drop_first(st.ends, st.machine[0].n_ends)
        st.machine[0].n_ends -= 1
        _spare(st, p)
    return np.inf


@kernel
def last_equal(st, time):
    """Return the last time that is `time`: run times that are given end then, work about then."""
    if st.machine[0].fixed or time == np.inf:
        return time
    return time + 8.0 * (next_above(abs(time)) - abs(time))


@kernel
def take_ends(st, jobs, now):
    """Let the parts end that end now; list, by dispatch, the jobs of which none is left; return how many."""
    by, n = last_equal(st, now), 0
    while next_end(st) <= by:
        p = st.ends[0].job
        heap.drop_first(st.ends, st.machine[0].n_ends)
        st.machine[0].n_ends -= 1
        part = st.parts[p]
        part.state = ENDED
        job = jobs[part.job]
        job.running -= 1
        if not st.machine[0].fixed:
            st.ended[part.first : part.stop] = now
        if not job.is_dirty:
            job.is_dirty = 1
            st.ending[n] = part.job
            n += 1
    if st.machine[0].kills:
        n = _cut(st, jobs, now, n)
    _sort_by_dispatch(st.ending[:n], jobs)
    return _partly(st, jobs, n)


@kernel
def _cut(st, jobs, now, n):
    """List also the jobs whose planned time is over."""
    running = st.running
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            if block.key[i] > now:
                return n
            job = jobs[block.id[i]]
            if job.running > 0:
                job.cut = 1
                if not job.is_dirty:
                    job.is_dirty = 1
                    st.ending[n] = block.id[i]
                    n += 1
    return n


@kernel
def _sort_by_dispatch(ending, jobs):
    """Sort a few, mostly sorted jobs by the order of their starts, by insertion."""
    for k in range(1, len(ending)):
        j = ending[k]
        i = k
        while i > 0 and jobs[ending[i - 1]].number > jobs[j].number:
            ending[i] = ending[i - 1]
            i -= 1
        ending[i] = j


@kernel
def _partly(st, jobs, n):
    """Let sequential jobs that go on give back what has ended; return how many of those listed end."""
    left = 0
    for k in range(n):
        job = jobs[st.ending[k]]
        job.is_dirty = 0
        if job.running == 0 or job.cut:
            st.ending[left] = st.ending[k]
            left += 1
        elif job.sequential:
            _give_ended_back(st, jobs, st.ending[k])
    return left


@kernel
def _give_ended_back(st, jobs, j):
    count, before, p = 0, -1, jobs[j].first_part
    while p >= 0:
        part = st.parts[p]
        following = part.next
        if part.state == ENDED:
            make_idle(st, part.first, part.stop)
            count += part.stop - part.first
            if before < 0:
                jobs[j].first_part = following
            else:
                st.parts[before].next = following
            _spare(st, p)
        else:
            before = p
        p = following
    # One node holds all of a sequential job.
    give_back_in(st, jobs[j], jobs[j].first_piece, count)
    remove(st.running, jobs[j].planned_end, j)
    jobs[j].held -= count
    _enter(st, jobs, j)
    st.machine[0].changed = 1


@kernel
def end(st, jobs, now, j):
    """Let a running job end now."""
    job = jobs[j]
    p = job.first_part
    while p >= 0:
        part = st.parts[p]
        following = part.next
        make_idle(st, part.first, part.stop)
        if part.state == RUNNING:
            st.ended[part.first : part.stop] = now
            # Its entry leaves the heap when its turn comes.
            part.state = STALE
        else:
            _spare(st, p)
        p = following
    job.first_part = -1
    give_all_back(st, job)
    remove(st.running, job.planned_end, j)
    job.end = now
    st.machine[0].changed = 1
    st.machine[0].events += 1
    st.watch[0] += 1


@kernel
def correct(st, jobs, now):
    """Plan a later end for jobs that run on at their planned end: that at their present speed.

    Return whether there are any.
    """
    running, any_late = st.running, False
    while running.totals[0].entries > 0 and running.blocks[running.order[0]].key[0] <= now:
        j = running.blocks[running.order[0]].id[0]
        remove(running, jobs[j].planned_end, j)
        later = jobs[j].last_due
        jobs[j].planned_end = later if later > now else next_above(now)
        _enter(st, jobs, j)
        st.machine[0].changed = 1
        any_late = True
    return any_late
