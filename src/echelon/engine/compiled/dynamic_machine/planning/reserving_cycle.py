"""One scheduling cycle that keeps reservations, in kernels: the twins of `conservative` and `selective`.

Cycles whose reservations do not last are in `cycle_reservations` beside it.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.attempts import settle
from echelon.engine.compiled.dynamic_machine.closures import advance
from echelon.engine.compiled.dynamic_machine.planning.cycle_reservations import reserve_in_cycle
from echelon.engine.compiled.dynamic_machine.planning.profile import hold, keep_lowest
from echelon.engine.compiled.dynamic_machine.planning.reservations import (
    compress,
    reserve,
    reserve_all,
    start_due,
    start_usable,
    update,
)
from echelon.engine.compiled.dynamic_machine.planning.slots import fits_now
from echelon.engine.compiled.dynamic_machine.state import RESERVED, SELECTIVE, USABLE
from echelon.libraries.kernel import kernel


@kernel
def decide(st, plan, jobs, now):
    """DECIDE: move reservations forward, make new ones, and start the jobs that may start now."""
    machine, book = st.machine[0], plan.book[0]
    machine.cycles += 1
    advance(st, now)
    if machine.kind == RESERVED:
        if st.queue.totals[0].entries > 0:
            reserve_in_cycle(st, plan, jobs, now)
    else:
        update(st, plan, jobs, now)
        if st.queue.totals[0].entries > 0:
            _keep_reservations(st, plan, jobs, now)
    settle(st, jobs)
    book.early = machine.changed = False
    machine.n_joining = 0


@kernel
def _keep_reservations(st, plan, jobs, now):
    if plan.book[0].early:
        compress(st, plan, jobs, now)
    if st.machine[0].kind == SELECTIVE:
        _reserve_selected(st, plan, jobs, now)
    elif st.queue.totals[0].entries > plan.book[0].reservations:
        reserve_all(st, plan, jobs, now)
    start_due(st, plan, jobs, now)
    if st.machine[0].kind == SELECTIVE:
        _start_beside(st, plan, jobs, now)


@kernel
def _reserve_selected(st, plan, jobs, now):
    """Make a reservation for every job whose expected slowdown reaches the threshold, in queue order."""
    queue, book, saves = st.queue, plan.book[0], st.machine[0].saves
    threshold = book.threshold
    if np.isnan(threshold):
        threshold = book.slowdowns / book.ended if book.ended > 0 else 1.0
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            j = block.id[i]
            if plan.reservation_of[j] < 0:
                # What it was planned with when it was submitted.
                planned = st.saving[j].planned if saves else block.duration[i]
                if (now - plan.submit[j] + planned) / planned >= threshold:
                    reserve(st, plan, jobs, j, now)


@kernel
def _start_beside(st, plan, jobs, now):
    """Start the jobs without a reservation that fit now beside every reservation, in queue order."""
    machine, queue, n = st.machine[0], st.queue, 0
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        if block.min_size > machine.free:
            continue
        for i in range(block.count):
            if block.size[i] <= machine.free and plan.reservation_of[block.id[i]] < 0:
                plan.line[n] = block.id[i]
                n += 1
    for k in range(n):
        if machine.free == 0:
            return
        machine.examined += 1
        j = plan.line[k]
        if fits_now(st, plan, jobs, j, now):
            keep_lowest(st.words[USABLE], jobs[j].size)
            hold(plan, st.words[USABLE], jobs[j].size, now, now + jobs[j].planned)
            start_usable(st, plan, jobs, now, j)
