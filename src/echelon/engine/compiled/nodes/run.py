"""The compiled event loop of one machine of nodes."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.machine.submissions import (
    next_submission,
    note_ends,
    put_behind,
    take_submissions,
)
from echelon.engine.compiled.nodes.decide import decide
from echelon.engine.compiled.nodes.state import EVENT, INSTANT, PYSS, sample
from echelon.engine.compiled.nodes.tasks import correct, end, last_equal, next_end, take_ends
from echelon.engine.compiled.structures.blocked_list import add
from echelon.libraries.kernel import entry_kernel, kernel


@entry_kernel("nodes", sample)
def run(st, jobs, submissions, cycles):
    """Run until no event is left or ``st.watch[1]`` is set."""
    first_new, dependent = 0, submissions.numbers[0].dependent
    while st.watch[1] == 0:
        one, other = next_end(st), _next_planned_end(st)
        by, now = last_equal(st, min(one, other)), max(one, other)
        if now > by:
            now = min(one, other)
        # What is before a submission by no more than rounding happens then.
        submission = next_submission(submissions, jobs, first_new)
        if submission <= by:
            now = submission
        if now == np.inf:
            break
        n_ending = take_ends(st, jobs, now)
        if dependent:
            note_ends(submissions, jobs, now, st.ending[:n_ending], cycles == PYSS, False)
        last_new = take_submissions(submissions, jobs, now, first_new)
        if dependent:
            put_behind(submissions, jobs, first_new, last_new)
        steps = 1 if cycles == INSTANT else n_ending + 1 + last_new - first_new
        for step in range(steps):
            low, high = _happen(st, jobs, now, cycles, step, n_ending, first_new, last_new)
            if low >= 0:
                decide(st, jobs, now, low, high)
        if dependent and cycles == PYSS:
            note_ends(submissions, jobs, now, st.ending[:n_ending], True, True)
        first_new = last_new


@kernel
def _happen(st, jobs, now, cycles, step, n_ending, first_new, last_new):
    """Apply the events before cycle number `step` of this instant.

    Return the range of new arrivals, or -1 if there is no such cycle because nothing has happened.
    """
    arriving = last_new - first_new
    # The step in which overdue planned ends are corrected, and those of the first END and SUBMIT.
    correcting = n_ending if cycles == EVENT else 0
    ending = 0 if cycles == EVENT else 1 + arriving
    arrival = first_new + step - correcting - 1
    if cycles != INSTANT and ending <= step < ending + n_ending:
        j = st.ending[step - ending]
        if cycles == EVENT or jobs[j].planned_end > now:
            end(st, jobs, now, j)
        return last_new, last_new
    if step == correcting:
        for k in range(n_ending):
            if cycles == INSTANT or (cycles == PYSS and jobs[st.ending[k]].planned_end <= now):
                end(st, jobs, now, st.ending[k])
        corrected = not st.machine[0].fixed and correct(st, jobs, now)
        if cycles == INSTANT:
            for k in range(first_new, last_new):
                _submit(st, jobs, st.arrivals[k])
            return first_new, last_new
        return (last_new if corrected or n_ending + arriving == 0 else -1), last_new
    _submit(st, jobs, st.arrivals[arrival])
    return arrival, arrival + 1


@kernel
def _next_planned_end(st):
    """Return when the next job is planned to end, which matters if it may run on."""
    running = st.running
    if st.machine[0].fixed or running.totals[0].entries == 0:
        return np.inf
    return running.blocks[running.order[0]].key[0]


@kernel
def _submit(st, jobs, j):
    """Let a job join the queue."""
    add(st.queue, jobs[j].key, j, jobs[j].size, jobs[j].planned)
    if st.machine[0].own_order:
        add(st.candidates, jobs[j].candidate, j, jobs[j].size, jobs[j].planned)
    st.machine[0].events += 1
