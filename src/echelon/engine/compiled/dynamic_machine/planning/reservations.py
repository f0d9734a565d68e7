"""Reservations of starts for waiting jobs, in kernels: made, moved forward, and withdrawn.

See `echelon.engine.queue.cluster` for what withdraws them all, and for what lets them move forward.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.attempts import COMPLETED, KILLED, start
from echelon.engine.compiled.dynamic_machine.calendar import add_held
from echelon.engine.compiled.dynamic_machine.planning.profile import (
    copy_words,
    give_back,
    hold,
    keep_lowest,
    latest_return,
    pass_to,
    rebuild,
)
from echelon.engine.compiled.dynamic_machine.planning.slots import find_slot
from echelon.engine.compiled.dynamic_machine.state import ANNOUNCED, BLINK, ENDS, FAIL, THEN, UP, USABLE
from echelon.engine.compiled.machine.starts import sort_into_queue_order
from echelon.engine.compiled.structures.blocked_list import remove
from echelon.libraries.kernel import kernel
from echelon.metrics.columns.job_values import TAU


@kernel
def note_changes(st, plan, first, late):
    """Note what changes of capacity from `first` on mean for reservations; `late`: a repair takes longer."""
    book = plan.book[0]
    book.withdrawn |= late
    for k in range(first, st.machine[0].event):
        what = st.events[k].what
        if what in (FAIL, BLINK, ANNOUNCED):
            book.withdrawn = True
        elif what == UP:
            # More is free than was planned, from now on.
            book.valid, book.early = False, True
        elif what == ENDS:
            book.early = True


@kernel
def next_due(plan):
    """Return when a reservation next begins; infinity if there is none."""
    book = plan.book[0]
    if not book.is_due:
        book.due, book.is_due = np.inf, True
        for p in range(book.reservations):
            book.due = min(book.due, plan.reservations[p].begin)
    return book.due


@kernel
def update(st, plan, jobs, now):
    """Let the profile say what is planned now."""
    machine, book = st.machine[0], plan.book[0]
    for k in range(machine.n_joining):
        j = st.joining[k]
        plan.submit[j] = now if machine.back and jobs[j].restarts > 0 else jobs[j].submit
    if book.withdrawn:
        for p in range(book.reservations):
            plan.reservation_of[plan.reservations[p].job] = -1
        book.reservations, book.valid, book.withdrawn, book.is_due = 0, False, False, False
    if book.valid:
        pass_to(plan, now)
    if machine.changed:
        _note_ends(st, plan, jobs, now)
        for p in range(book.reservations - 1, -1, -1):
            if not jobs[plan.reservations[p].job].waits:
                book.early = True
                _withdraw(plan, jobs, p, now)
    if not book.valid:
        rebuild(st, plan, jobs, now)
        for p in range(book.reservations):
            one = plan.reservations[p]
            hold(plan, plan.places[p], jobs[one.job].size, one.begin, one.end)
        book.valid = True


@kernel
def _note_ends(st, plan, jobs, now):
    """Give back what the jobs hold that have ended before their planned ends."""
    book, held, running = plan.book[0], st.words[THEN], 0
    for k in range(book.running):
        j = plan.running[k]
        job = jobs[j]
        if job.serial > 0:
            plan.running[running] = j
            running += 1
            continue
        if job.status in (COMPLETED, KILLED):
            book.ended += 1
            book.slowdowns += max(1.0, (now - plan.submit[j]) / max(job.run, TAU))
        if job.planned_end > now:
            book.early = True
            if book.valid:
                held[:] = 0
                add_held(st, jobs, j, held)
                give_back(plan, held, job.size, now, job.planned_end)
    book.running = running


@kernel
def _withdraw(plan, jobs, p, now):
    """Withdraw a reservation."""
    one = plan.reservations[p]
    if plan.book[0].valid:
        give_back(plan, plan.places[p], jobs[one.job].size, max(one.begin, now), one.end)
    _forget(plan, p)


@kernel
def _forget(plan, p):
    """Remove a reservation from their list; what it holds stays held."""
    book = plan.book[0]
    one, last = plan.reservations[p], plan.reservations[book.reservations - 1]
    book.is_due &= one.begin > book.due
    plan.reservation_of[one.job] = -1
    book.reservations -= 1
    if p < book.reservations:
        one.job, one.begin, one.end = last.job, last.begin, last.end
        plan.reservation_of[one.job] = p
        copy_words(plan.places[book.reservations], plan.places[p])


@kernel
def compress(st, plan, jobs, now):
    """Move each reservation, in queue order, to the earliest slot from now on."""
    book, queue = plan.book[0], st.queue
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        st.machine[0].examined += block.count
        for i in range(block.count):
            j = block.id[i]
            p = plan.reservation_of[j]
            if p < 0:
                continue
            one = plan.reservations[p]
            # There was no earlier slot then, so one takes in something that was given back since.
            latest = min(one.begin, latest_return(plan, plan.tried[j]))
            if latest <= now:
                continue
            begin = find_slot(st, plan, jobs, j, p, latest, now)
            if begin < one.begin:
                size = block.size[i]
                give_back(plan, plan.places[p], size, one.begin, one.end)
                book.is_due &= one.begin > book.due
                _take_slot(st, plan, p, size, begin, begin + jobs[j].planned)
            plan.tried[j] = book.returns


@kernel
def _take_slot(st, plan, p, size, begin, end):
    """Reserve the lowest usable processors from `begin` to `end`."""
    one = plan.reservations[p]
    keep_lowest(st.words[USABLE], size)
    copy_words(st.words[USABLE], plan.places[p])
    one.begin, one.end = begin, end
    plan.book[0].due = min(plan.book[0].due, begin)
    hold(plan, plan.places[p], size, begin, end)


@kernel
def reserve_all(st, plan, jobs, now):
    """Make reservations for the jobs that have none, in queue order."""
    queue, n = st.queue, st.machine[0].n_joining
    if queue.totals[0].entries - plan.book[0].reservations == n:
        # Only those that have just joined.
        line = plan.line[:n]
        for k in range(n):
            line[k] = st.joining[k]
        sort_into_queue_order(jobs, line)
        for j in line:
            reserve(st, plan, jobs, j, now)
        return
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            if plan.reservation_of[block.id[i]] < 0:
                reserve(st, plan, jobs, block.id[i], now)


@kernel
def reserve(st, plan, jobs, j, now):
    """Reserve the earliest start of a job; one that is never known to start gets no reservation."""
    book, size = plan.book[0], jobs[j].size
    # The last segment has all processors that are ever planned to be free.
    if plan.segments[book.segments - 1].free < size:
        return
    latest = np.inf if plan.tried[j] < 0 else latest_return(plan, plan.tried[j])
    if latest <= now:
        return
    begin = find_slot(st, plan, jobs, j, -1, latest, now)
    plan.tried[j] = book.returns
    if begin < np.inf:
        p = book.reservations
        book.reservations += 1
        plan.reservations[p].job = j
        plan.reservation_of[j] = p
        if np.isnan(plan.first[j]):
            plan.first[j] = begin
        _take_slot(st, plan, p, size, begin, begin + jobs[j].planned)


@kernel
def start_due(st, plan, jobs, now):
    """Start the jobs whose reservations are due, in queue order."""
    book, n = plan.book[0], 0
    if next_due(plan) > now:
        return
    for p in range(book.reservations):
        if plan.reservations[p].begin <= now:
            plan.line[n] = plan.reservations[p].job
            n += 1
    line = plan.line[:n]
    sort_into_queue_order(jobs, line)
    for j in line:
        copy_words(plan.places[plan.reservation_of[j]], st.words[USABLE])
        _forget(plan, plan.reservation_of[j])
        start_usable(st, plan, jobs, now, j)


@kernel
def start_usable(st, plan, jobs, now, j):
    """Start a job out of the queue on the lowest usable processors, which are planned to be held."""
    book = plan.book[0]
    remove(st.queue, jobs[j].key, j)
    if np.isnan(plan.before[j]):
        plan.before[j] = plan.first[j]
    plan.first[j] = np.nan
    plan.running[book.running] = j
    book.running += 1
    start(st, jobs, now, j, USABLE)
