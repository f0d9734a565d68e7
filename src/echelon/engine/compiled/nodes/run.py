"""The compiled event loop of one machine of nodes."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.blocked_list import add
from echelon.engine.compiled.nodes.decide import decide
from echelon.engine.compiled.nodes.tasks import about, correct, end, next_end, take_ends
from echelon.kernel import entry_kernel, inlined


@entry_kernel
def run(st, jobs):
    """Run until no event is left or ``st.watch[1]`` is set."""
    n, first_new = len(jobs), 0
    while st.watch[1] == 0:
        now, other = next_end(st), _next_planned_end(st)
        if first_new < n:
            other = min(other, jobs[st.arrivals[first_new]].submit)
        # What is before the other by no more than rounding happens then.
        if other <= about(st, now):
            now = other
        if now == np.inf:
            break
        for k in range(take_ends(st, jobs, now)):
            end(st, jobs, now, st.ending[k])
        if not st.machine[0].fixed:
            correct(st, jobs, now)
        last_new = first_new
        while last_new < n and jobs[st.arrivals[last_new]].submit == now:
            _submit(st, jobs, st.arrivals[last_new])
            last_new += 1
        decide(st, jobs, now, first_new, last_new)
        first_new = last_new


@inlined
def _next_planned_end(st):
    """Return when the next job is planned to end, which matters if it may run on."""
    running = st.running
    if st.machine[0].fixed or running.totals[0].entries == 0:
        return np.inf
    return running.blocks[running.order[0]].key[0]


@inlined
def _submit(st, jobs, j):
    """Let a job join the queue."""
    add(st.queue, jobs[j].key, j, jobs[j].size, jobs[j].planned)
    if st.machine[0].own_order:
        add(st.candidates, jobs[j].candidate, j, jobs[j].size, jobs[j].planned)
    st.machine[0].events += 1
