"""Closures: which processors are open to a job, in kernels, and which jobs may not use them longer.

The twin of `echelon.engine.resources.closures`: drains, maintenance and reservations, in order of start.
"""

from __future__ import annotations

from echelon.engine.compiled.dynamic_machine.attempts import HELD, evict, leave
from echelon.engine.compiled.dynamic_machine.hosts import choose
from echelon.engine.compiled.dynamic_machine.processors import bits_between, count, holder_of, is_held
from echelon.engine.compiled.dynamic_machine.state import FREE, INSIDE, PLACES, SHIFT, USABLE
from echelon.engine.compiled.structures.blocked_list import add, remove
from echelon.libraries.kernel import kernel


@kernel
def advance(st, now):
    """Forget the closures that are over."""
    machine, n = st.machine[0], len(st.closures)
    while machine.first_open < n and st.closures[machine.first_open].latest <= now:
        machine.first_open += 1
    while machine.first_ending < n and st.closures[st.by_end[machine.first_ending]].end <= now:
        machine.first_ending += 1


@kernel
def may_use(one, bond):
    """Return whether a job with this bond has access to a closure."""
    return one.group >= 0 and (bond.access >> one.group) & 1 == 1


@kernel
def keep_open(st, row, j, start, end, now):
    """Remove from a row of processors those that a job may not hold in [start, end), as known now."""
    k = st.machine[0].first_open
    while k < len(st.closures) and st.closures[k].start < end:
        one = st.closures[k]
        # A drain forbids only starts inside it.
        bars = start < one.end and one.known <= now and not (one.drains and start < one.start)
        if bars and not may_use(one, st.bonds[j]):
            for i in range(one.first, one.stop):
                _remove(st.words[row], st.closed[i])
        k += 1
    if st.bonds[j].named >= 0:
        _keep_inside(st, row, st.bonds[j].named, start, end, now)


@kernel
def _remove(words, interval):
    low, high = int(interval.low), int(interval.high)
    for w in range(low >> PLACES, (high >> PLACES) + 1):
        words[w] &= ~bits_between(low, high, w)


@kernel
def _keep_inside(st, row, named, start, end, now):
    """Keep only the processors of the reservations that a job names and may run in during [start, end)."""
    inside, words = st.words[INSIDE], st.words[row]
    inside[:] = 0
    for k in range(st.machine[0].first_open, len(st.closures)):
        one = st.closures[k]
        is_on = one.flex or (one.start <= start and end <= one.end)
        if is_on and one.name == named and one.known <= now and start < one.end:
            for i in range(one.first, one.stop):
                low, high = int(st.closed[i].low), int(st.closed[i].high)
                for w in range(low >> PLACES, (high >> PLACES) + 1):
                    inside[w] |= bits_between(low, high, w)
    for w in range(len(words)):
        words[w] &= inside[w]


@kernel
def room(st, job, j, now):
    """Return the row of free processors that a waiting job may start on now, or -1 if they are too few."""
    machine = st.machine[0]
    if job.size > machine.free:
        return -1
    # Where nothing is closed any more there are no jobs that name a reservation.
    if machine.first_open == len(st.closures):
        return choose(st, FREE, j, job.size) if st.by_host else FREE
    return _open_room(st, job, j, now)


@kernel
def _open_room(st, job, j, now):
    """Do so where something is closed, or will be."""
    end = now + job.planned
    if st.closures[st.machine[0].first_open].start >= end and st.bonds[j].named < 0:
        return choose(st, FREE, j, job.size) if st.by_host else FREE
    usable, free = st.words[USABLE], st.words[FREE]
    for w in range(len(free)):
        usable[w] = free[w]
    keep_open(st, USABLE, j, now, end, now)
    if count(usable) < job.size:
        return -1
    return choose(st, USABLE, j, job.size) if st.by_host else USABLE


@kernel
def begin(st, jobs, submissions, now, k):
    """Let a closure begin: jobs that are in its way are killed, those that name it are tried first."""
    one = st.closures[k]
    if one.evicts:
        for i in range(one.first, one.stop):
            for x in range(st.closed[i].low, st.closed[i].high + 1):
                if is_held(st, x) and not may_use(one, st.bonds[holder_of(st, x)]):
                    evict(st, jobs, submissions, now, holder_of(st, x))
    if one.name >= 0:
        name = st.names[one.name]
        name.on += 1
        if name.on == 1:
            _shift(st, jobs, name, -SHIFT)


@kernel
def end(st, jobs, submissions, now, k):
    """Let a closure end: jobs that name it may not run on, nor wait for it if none of its name follows."""
    one = st.closures[k]
    if one.name < 0:
        return
    if not one.overruns:
        for i in range(one.first, one.stop):
            for x in range(st.closed[i].low, st.closed[i].high + 1):
                if is_held(st, x) and st.bonds[holder_of(st, x)].named == one.name:
                    evict(st, jobs, submissions, now, holder_of(st, x))
    name = st.names[one.name]
    name.on -= 1
    if name.on == 0:
        _shift(st, jobs, name, SHIFT)
    name.left -= 1
    if name.left == 0:
        for i in range(name.first, name.stop):
            if jobs[st.naming[i]].waits:
                leave(st, jobs, submissions, now, st.naming[i], HELD)


@kernel
def _shift(st, jobs, name, by):
    """Move the jobs that name a reservation to the front of the queue, or back."""
    for i in range(name.first, name.stop):
        j = st.naming[i]
        job = jobs[j]
        if job.waits:
            remove(st.queue, job.key, j)
            add(st.queue, job.key + by, j, job.size, job.planned)
            job.key += by
            job.first = by < 0
            if st.machine[0].ahead > 0:
                remove(st.candidates, job.candidate, j)
                job.candidate += -st.machine[0].ahead if job.first else st.machine[0].ahead
                add(st.candidates, job.candidate, j, job.size, job.planned)
