"""The compiled event loop: the clock, the ENDs and the SUBMITs of one machine."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.machine.decide import decide
from echelon.engine.compiled.machine.profile import give_back
from echelon.engine.compiled.machine.reorder import FIXED, account
from echelon.engine.compiled.machine.reservations import next_due
from echelon.engine.compiled.machine.state import EVENT, INSTANT, PYSS, RESERVATIONS, SELECTIVE, sample
from echelon.engine.compiled.machine.submissions import (
    next_submission,
    note_ends,
    note_places,
    put_behind,
    take_submissions,
)
from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.blocked_list import add, remove
from echelon.engine.compiled.structures.chain import HEAD, advance, lay_out, let_go
from echelon.libraries.kernel import entry_kernel, kernel
from echelon.metrics.columns.job_values import TAU


@entry_kernel("machine", sample)
def run(st, jobs, submissions, cycles):
    """Run until no event is left or ``st.watch[1]`` is set."""
    reserving = st.machine[0].kind >= RESERVATIONS
    first_new = 0
    now = -np.inf
    if reserving:
        lay_out(st.machine[0], st.profile, st.machine[0].free, now)
    while st.watch[1] == 0:
        now = next_submission(submissions, jobs, first_new)
        if st.machine[0].n_ends > 0:
            now = min(now, st.ends[0].time)
        if reserving:
            now = min(now, next_due(st))
        if now == np.inf:
            break
        if reserving:
            advance(st.machine[0], st.profile, st.places, now)
        n_ending = take_ends(st, now)
        dependent = submissions.numbers[0].dependent
        if dependent:
            note_ends(submissions, jobs, now, st.ending[:n_ending], cycles == PYSS, False)
        last_new = take_submissions(submissions, jobs, now, first_new)
        if dependent:
            put_behind(submissions, jobs, first_new, last_new)
            if st.machine[0].dynamic_order:
                note_places(submissions, st.traits, first_new, last_new)
        steps = 1 if cycles == INSTANT else max(1, n_ending + last_new - first_new)
        for step in range(steps):
            low, high = _happen(st, jobs, now, cycles, step, n_ending, first_new, last_new)
            decide(st, jobs, now, low, high)
        if dependent and cycles == PYSS:
            note_ends(submissions, jobs, now, st.ending[:n_ending], True, True)
        first_new = last_new


@kernel
def take_ends(st, now):
    """List the jobs that end now, in the order of dispatch; return how many.

    A cycle of this instant may start a job that ends at once, by rounding: it belongs to the next round.
    """
    n_ending = 0
    while st.machine[0].n_ends > 0 and st.ends[0].time == now:
        st.ending[n_ending] = st.ends[0].job
        heap.drop_first(st.ends, st.machine[0].n_ends)
        st.machine[0].n_ends -= 1
        n_ending += 1
    return n_ending


@kernel
def _happen(st, jobs, now, cycles, step, n_ending, first_new, last_new):
    """Apply the events before cycle number `step` of this instant; return the range of new arrivals."""
    arriving = last_new - first_new
    if cycles == INSTANT:
        for k in range(n_ending):
            release(st, jobs, now, st.ending[k])
        for k in range(first_new, last_new):
            submit(st, jobs, st.arrivals[k])
        return first_new, last_new
    if cycles == EVENT:
        if step < n_ending:
            release(st, jobs, now, st.ending[step])
            return first_new, first_new
        arrival = first_new + step - n_ending
    else:
        if step == 0:
            for k in range(n_ending):
                if jobs[st.ending[k]].planned_end <= now:
                    release(st, jobs, now, st.ending[k])
        if arriving <= step < arriving + n_ending:
            job = st.ending[step - arriving]
            if jobs[job].planned_end > now:
                release(st, jobs, now, job)
            return last_new, last_new
        arrival = first_new + step
    if arrival < last_new:
        submit(st, jobs, st.arrivals[arrival])
        return arrival, arrival + 1
    return last_new, last_new


@kernel
def release(st, jobs, now, job):
    """Take the processors of `job` back."""
    end = jobs[job].planned_end
    remove(st.running, end, job)
    st.machine[0].free += jobs[job].size
    if st.machine[0].accounting:
        account(st.orders, st.traits, st.accounts, now, job, -jobs[job].size)
    st.machine[0].events += 1
    st.machine[0].changed = 1
    st.watch[0] += 1
    if st.machine[0].kind == SELECTIVE:
        st.machine[0].slowdowns += max(1.0, (now - jobs[job].submit) / max(jobs[job].run, TAU))
    if end > now:
        st.machine[0].ended_early = 1
        if st.machine[0].kind >= RESERVATIONS:
            last = st.places[job].end
            give_back(st.machine[0], st.profile, st.levels, st.reach, HEAD, last, jobs[job].size)
            let_go(st.machine[0], st.profile, last)


@kernel
def submit(st, jobs, job):
    """Let `job` join the queue."""
    if st.machine[0].dynamic_order:
        _put_last(st.orders, jobs, job)
    add(st.queue, jobs[job].key, job, jobs[job].size, jobs[job].planned)
    if st.machine[0].own_order:
        add(st.candidates, jobs[job].candidate, job, jobs[job].size, jobs[job].planned)
    st.machine[0].events += 1


@kernel
def _put_last(orders, jobs, job):
    """Give `job` a key behind all others, until the next sorting."""
    if orders[0].rule != FIXED:
        jobs[job].key = float(len(jobs))
    if orders[1].rule != FIXED:
        jobs[job].candidate = float(len(jobs))
