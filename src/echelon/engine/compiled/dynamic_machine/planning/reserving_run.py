"""The compiled event loop of a machine that changes, where starts are reserved: they fall due."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.attempts import take_ends
from echelon.engine.compiled.dynamic_machine.outages import change_capacity
from echelon.engine.compiled.dynamic_machine.planning.plan_state import PLAN_FULL, sample
from echelon.engine.compiled.dynamic_machine.planning.reservations import next_due, note_changes
from echelon.engine.compiled.dynamic_machine.planning.reserving_cycle import decide
from echelon.engine.compiled.dynamic_machine.run import cancel, next_time, take_requeued, take_submitted
from echelon.engine.compiled.dynamic_machine.state import DONE, LOG_FULL
from echelon.libraries.kernel import entry_kernel, kernel


@entry_kernel("dynamic_reservations", sample)
def run(st, plan, jobs, submissions):
    """Run until no event is left or ``st.watch[1]`` is set, or until there may be no room for what comes.

    Returns why; called again with a larger log or a larger plan, it resumes.
    """
    machine, book = st.machine[0], plan.book[0]
    while st.watch[1] == 0:
        if not book.midway:
            now = _next_time(st, plan, jobs, submissions)
            if now == np.inf:
                break
            if _is_log_full(st):
                return LOG_FULL
            _happen(st, plan, jobs, submissions, now)
        book.midway = st.queue.totals[0].entries > len(plan.reservations)
        if book.midway:
            return PLAN_FULL
        decide(st, plan, jobs, machine.last)
    return DONE


@kernel
def _is_log_full(st):
    """Return whether the log may have no room for an instant."""
    machine = st.machine[0]
    # One cycle starts at most as many attempts as there are processors.
    rows, intervals = machine.attempts + machine.processors, machine.intervals + machine.processors
    return rows >= len(st.attempts) or intervals >= len(st.intervals)


@kernel
def _happen(st, plan, jobs, submissions, now):
    """All phases of an instant before DECIDE, as in `echelon.engine.compiled.dynamic_machine.run`."""
    machine = st.machine[0]
    machine.last = now
    take_ends(st, jobs, submissions, now)
    first, late = machine.event, machine.n_late > 0 and st.late[0].time <= now
    change_capacity(st, jobs, submissions, now)
    note_changes(st, plan, first, late)
    take_requeued(st, jobs, submissions, now)
    cancel(st, jobs, submissions, now)
    take_submitted(st, jobs, submissions, now)


@kernel
def _next_time(st, plan, jobs, submissions):
    """Return when something happens next; see `next_time`."""
    now = next_time(st, jobs, submissions)
    if now == np.inf and st.machine[0].n_late > 0:
        return now
    return min(now, next_due(plan))
