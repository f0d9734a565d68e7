"""Slides: reservations that are kept ahead until a job waits for them, in kernels.

The twin of what `echelon.engine.clock.closing_phases` does with sliding closures. Closures have numbers, by
which `place` knows their rows: these are in order of start, which changes when one moves.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.attempts import next_end
from echelon.engine.compiled.dynamic_machine.closures import begin, end, may_use
from echelon.engine.compiled.dynamic_machine.state import BEGINS, ENDS
from echelon.engine.compiled.machine.submissions import next_submission
from echelon.engine.compiled.structures import heap
from echelon.engine.resources.closure_events import HOUR, STEP
from echelon.libraries.kernel import kernel


@kernel
def next_slide(st):
    """Return when a sliding reservation next moves, or one that slid begins or ends; infinity without."""
    machine = st.machine[0]
    time = st.sliding[0].time if machine.n_sliding > 0 else np.inf
    return min(time, st.slid[0].time) if machine.n_slid > 0 else time


@kernel
def take_fixed(st, jobs, submissions, now, last):
    """Let the reservations end, or begin, that slide no more; `last` is what happens at most."""
    machine, n = st.machine[0], len(st.closures)
    while machine.n_slid > 0 and st.slid[0].time <= now and st.slid[0].tie < (last + 1) * n:
        what, k = st.slid[0].tie // n, st.place[st.slid[0].job]
        heap.drop_first(st.slid, machine.n_slid)
        machine.n_slid -= 1
        machine.changed = True
        if what == ENDS:
            end(st, jobs, submissions, now, k)
        else:
            begin(st, jobs, submissions, now, k)


@kernel
def slide(st, jobs, submissions, now):
    """Move reservations ahead, but those that a job waits for: they will begin where they are."""
    machine, n = st.machine[0], len(st.closures)
    while machine.n_sliding > 0 and st.sliding[0].time <= now:
        number = st.sliding[0].job
        heap.drop_first(st.sliding, machine.n_sliding)
        machine.n_sliding -= 1
        one = st.closures[st.place[number]]
        if _is_awaited(st, jobs, one, now):
            one.slide = 0.0
            for what, time in ((BEGINS, one.start), (ENDS, one.end)):
                if time < np.inf:
                    heap.push(st.slid, machine.n_slid, time, what * n + number, number)
                    machine.n_slid += 1
            continue
        early = _move(st, number, now)
        machine.changed = True
        if not _moves_in_vain(st, jobs, submissions):
            heap.push(st.sliding, machine.n_sliding, STEP * (np.floor(early / STEP) + 1), number, number)
            machine.n_sliding += 1


@kernel
def _is_awaited(st, jobs, one, now):
    """Return whether a job waits that may use a reservation; one that joins again at once waits, too."""
    machine, queue = st.machine[0], st.queue
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            if may_use(one, st.bonds[block.id[i]]):
                return True
    if machine.delay > 0 or machine.back:
        return False
    for k in range(machine.n_away):
        j = st.away[k].job
        if st.away[k].time <= now and jobs[j].status < 0 and may_use(one, st.bonds[j]):
            bond = st.bonds[j]
            is_over = bond.named >= 0 and st.names[bond.named].left == 0
            if not is_over and not (machine.limits and _is_late(st.limits[j], jobs[j], now)):
                return True
    return False


@kernel
def _is_late(limit, job, now):
    return now > limit.deadline - min(limit.minimum, job.planned)


@kernel
def _move(st, number, now):
    """Let a reservation begin at the first full hour that is far enough away; return when it may move."""
    closures, place, moving, n = st.closures, st.place, st.moving, len(st.closures)
    before = k = place[number]
    moving[0] = closures[k]
    one = moving[0]
    length = one.end - one.start
    one.start = HOUR * np.ceil((now + one.slide) / HOUR)
    one.end = one.start + length
    while k + 1 < n and _is_before(closures[k + 1], one):
        closures[k] = closures[k + 1]
        place[closures[k].number] = k
        k += 1
    closures[k] = moving[0]
    place[number] = k
    latest = -np.inf
    for row in range(n):
        latest = max(latest, closures[row].end)
        closures[row].latest = latest
    _sort_by_end(st, before, k)
    return closures[k].start - closures[k].slide


@kernel
def _is_before(one, other):
    return one.start < other.start or (one.start == other.start and one.number < other.number)


@kernel
def _sort_by_end(st, before, after):
    """Let `by_end` know that a closure moved from one row to a later one, and ends later."""
    by_end, n, i = st.by_end, len(st.closures), 0
    for at in range(n):
        if by_end[at] == before:
            by_end[at] = after
            i = at
        elif before < by_end[at] <= after:
            by_end[at] -= 1
    while i + 1 < n and st.closures[by_end[i + 1]].end <= st.closures[after].end:
        by_end[i] = by_end[i + 1]
        by_end[i + 1] = after
        i += 1


@kernel
def _moves_in_vain(st, jobs, submissions):
    """Return whether nothing but moves happens any more, so that no waiting job will ever start."""
    machine = st.machine[0]
    machine.moves = machine.moves + 1 if machine.dispatched == machine.moved else 0
    machine.moved = machine.dispatched
    # After each has moved twice, every distance has been there that will ever be.
    if machine.moves <= 2 * len(st.closures) or machine.n_slid > 0 or machine.event < len(st.events):
        return False
    if machine.n_away > 0 or machine.canceling < len(st.cancels):
        return False
    if machine.n_deadlines > 0 or machine.n_expiries > 0:
        return False
    if next_submission(submissions, jobs, machine.taken) < np.inf:
        return False
    return next_end(st, jobs) == np.inf
