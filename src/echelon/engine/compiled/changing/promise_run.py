"""The compiled event loop of a machine that changes under promises: falling due is one more event."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.changing.plan_state import PLAN_FULL, has_room, sample
from echelon.engine.compiled.changing.promise_cycles import decide
from echelon.engine.compiled.changing.promises import next_due, note_changes
from echelon.engine.compiled.changing.run import happen, is_log_full, next_time
from echelon.engine.compiled.changing.state import DONE, LOG_FULL
from echelon.libraries.kernel import entry_kernel, kernel


@entry_kernel("changing_promises", sample)
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
            if is_log_full(st):
                return LOG_FULL
            machine.last = now
            first, late = machine.event, machine.n_late > 0 and st.late[0].time <= now
            happen(st, jobs, submissions, now)
            note_changes(st, plan, first, late)
        book.midway = not has_room(plan, st.queue.totals[0].entries)
        if book.midway:
            return PLAN_FULL
        decide(st, plan, jobs, machine.last)
    return DONE


@kernel
def _next_time(st, plan, jobs, submissions):
    """Return when something happens next; see `next_time`."""
    now = next_time(st, jobs, submissions)
    if now == np.inf and st.machine[0].n_late > 0:
        return now
    return min(now, next_due(plan))
