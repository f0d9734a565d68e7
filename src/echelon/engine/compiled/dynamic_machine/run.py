"""The compiled event loop of one machine of counted processors that changes: its instants, phase by phase."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.attempts import (
    CANCELED_RUNNING,
    CANCELED_WAITING,
    DEADLINE,
    HELD,
    STOPPED,
    cut_short,
    leave,
    next_end,
    note_completion,
    start,
    take_ends,
)
from echelon.engine.compiled.dynamic_machine.closures import room
from echelon.engine.compiled.dynamic_machine.deadlines import (
    expire,
    meets_deadline,
    next_limit,
    shrink,
    take_deadlines,
)
from echelon.engine.compiled.dynamic_machine.decide import decide
from echelon.engine.compiled.dynamic_machine.outages import change_capacity, next_change
from echelon.engine.compiled.dynamic_machine.slides import next_slide
from echelon.engine.compiled.dynamic_machine.state import DONE, EASY, LOG_FULL, SHIFT, State, sample
from echelon.engine.compiled.machine.submissions import next_submission, take_submissions
from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.blocked_list import add
from echelon.libraries.kernel import entry_kernel, kernel


@entry_kernel("dynamic_machine", sample)
def run(st, jobs, submissions):
    """Run until no event is left or ``st.watch[1]`` is set, or until the log may have no room for an instant.

    Returns why; called again with a larger log, it resumes. That no processors are of one host is a constant
    here, so that the compiler leaves out all that hosts need.
    """
    return _run(State(*st[:-1], False), jobs, submissions)


@entry_kernel("dynamic_nodes", sample)
def run_on_hosts(st, jobs, submissions):
    """Run as `run` does where it matters which processors are of one host."""
    return _run(State(*st[:-1], True), jobs, submissions)


@kernel
def _run(st, jobs, submissions):
    machine = st.machine[0]
    while st.watch[1] == 0:
        now = next_time(st, jobs, submissions)
        if now == np.inf:
            break
        # One cycle starts at most as many attempts as there are processors.
        if machine.attempts + machine.processors >= len(
            st.attempts
        ) or machine.intervals + machine.processors >= len(st.intervals):
            return LOG_FULL
        machine.last = now
        take_ends(st, jobs, submissions, now)
        if next_change(st) <= now:
            change_capacity(st, jobs, submissions, now)
        if machine.n_away > 0:
            take_requeued(st, jobs, submissions, now)
        cancel(st, jobs, submissions, now)
        if machine.limits:
            take_deadlines(st, jobs, submissions, now)
        # Each of these is called in one place, so that the compiler need not pass it the whole state.
        decides = True
        while decides:
            take_submitted(st, jobs, submissions, now)
            if machine.limits:
                shrink(st, jobs, now)
            decide(st, jobs, now)
            decides = machine.limits and expire(st, jobs, submissions, now)
    return DONE


@kernel
def next_time(st, jobs, submissions):
    """Return when something happens next; what changes of the machine alone keeps no run going."""
    machine = st.machine[0]
    now = min(next_end(st, jobs), next_submission(submissions, jobs, machine.taken))
    if st.watch[0] == len(jobs):
        return now
    if machine.n_away > 0:
        now = min(now, st.away[0].time)
    if machine.canceling < len(st.cancels):
        now = min(now, st.cancels[machine.canceling].time)
    if machine.limits:
        now = min(now, next_limit(st))
    if now == np.inf and machine.event == len(st.events) and next_slide(st) == np.inf:
        # That a repair is expected again and again is nothing to wait for.
        return np.inf
    return min(now, next_change(st))


@kernel
def take_requeued(st, jobs, submissions, now):
    """Let the jobs whose delay is over join the queue again."""
    machine = st.machine[0]
    while machine.n_away > 0 and st.away[0].time <= now:
        j = st.away[0].job
        heap.drop_first(st.away, machine.n_away)
        machine.n_away -= 1
        # One that was canceled on the way is done.
        if jobs[j].status < 0:
            if machine.back:
                _put_behind(machine, jobs[j], st.bonds[j], now)
            if not (machine.refuses and _is_refused(st, jobs, submissions, now, j)):
                _join(st, jobs[j], j)


@kernel
def take_submitted(st, jobs, submissions, now):
    """JOIN: let the jobs submitted now join the queue, or start one that finds it empty and has room."""
    machine, first = st.machine[0], st.machine[0].taken
    machine.taken = take_submissions(submissions, jobs, now, first)
    alone = machine.taken == first + 1 and machine.kind <= EASY and st.queue.totals[0].entries == 0
    for k in range(first, machine.taken):
        j = submissions.arrivals[k]
        if jobs[j].status >= 0:
            continue
        if machine.ties:
            _put_behind(machine, jobs[j], st.bonds[j], now)
        if machine.refuses and _is_refused(st, jobs, submissions, now, j):
            continue
        row = room(st, jobs[j], j, now) if alone and not machine.refuses else -1
        if row < 0:
            _join(st, jobs[j], j)
        else:
            machine.events += 1
            start(st, jobs, now, j, row)


@kernel
def _put_behind(machine, job, bond, now):
    """Give a job that joins now keys behind all that are equal but joined at earlier instants."""
    if now > machine.joining:
        machine.joining, machine.joined = now, machine.joins
    machine.joins += 1
    job.key += machine.joined - bond.behind
    job.candidate += machine.joined - bond.behind
    bond.behind = machine.joined


@kernel
def _join(st, job, j):
    machine = st.machine[0]
    add(st.queue, job.key, j, job.size, job.planned)
    if machine.own_order:
        add(st.candidates, job.candidate, j, job.size, job.planned)
    job.waits = True
    st.joining[machine.n_joining] = j
    machine.n_joining += 1
    machine.events += 1


@kernel
def _is_refused(st, jobs, submissions, now, j):
    """Let a job leave whose reservation is over, or that would miss its deadline; return whether it does."""
    job = jobs[j]
    if len(st.names) > 0 and st.bonds[j].named >= 0:
        name = st.names[st.bonds[j].named]
        if name.left == 0:
            leave(st, jobs, submissions, now, j, HELD)
            return True
        first = name.on > 0
        if first != job.first:
            ahead = st.machine[0].ahead
            job.key += -SHIFT if first else SHIFT
            job.candidate += -ahead if first else ahead
            job.first = first
    if st.machine[0].limits and not meets_deadline(st, job, j, now):
        leave(st, jobs, submissions, now, j, DEADLINE)
        return True
    return False


@kernel
def cancel(st, jobs, submissions, now):
    """CANCEL: let the jobs that are canceled now leave, waiting or running, or never join."""
    machine = st.machine[0]
    while machine.canceling < len(st.cancels) and st.cancels[machine.canceling].time <= now:
        j = st.cancels[machine.canceling].job
        machine.canceling += 1
        job = jobs[j]
        if job.status >= 0:
            continue
        if job.serial > 0:
            cut_short(st, jobs, submissions, now, j, STOPPED)
            job.status = CANCELED_RUNNING
            note_completion(st, jobs, submissions, now, j)
        else:
            leave(st, jobs, submissions, now, j, CANCELED_WAITING)
