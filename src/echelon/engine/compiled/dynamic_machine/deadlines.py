"""Deadlines: jobs that must have ended by a time, in kernels: when they leave, and how long they are planned.

A job that accepts less than its planned time is planned until its deadline at most, while it waits. The
others have the same latest start in all that follows.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.attempts import DEADLINE, leave
from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.blocked_list import add, remove
from echelon.libraries.kernel import kernel


@kernel
def meets_deadline(st, job, j, now):
    """Note the deadline of a job that joins now; return whether it can still meet it."""
    machine, limit = st.machine[0], st.limits[j]
    if limit.deadline == np.inf:
        return True
    shortest = min(limit.minimum, job.planned)
    latest = limit.deadline - shortest
    if now > latest:
        return False
    heap.push(st.expiries, machine.n_expiries, latest, j, j)
    machine.n_expiries += 1
    if not limit.noted:
        limit.noted = True
        heap.push(st.deadlines, machine.n_deadlines, limit.deadline, j, j)
        machine.n_deadlines += 1
    if shortest < job.planned and not limit.shrinks:
        limit.shrinks = True
        st.shrinking[machine.n_shrinking] = j
        machine.n_shrinking += 1
    return True


@kernel
def next_limit(st):
    """Return when the next deadline or latest start is, infinity without."""
    machine = st.machine[0]
    time = st.deadlines[0].time if machine.n_deadlines > 0 else np.inf
    return min(time, st.expiries[0].time) if machine.n_expiries > 0 else time


@kernel
def take_deadlines(st, jobs, submissions, now):
    """CANCEL: let the jobs leave that wait at their deadlines; those that ran have ended."""
    machine = st.machine[0]
    while machine.n_deadlines > 0 and st.deadlines[0].time <= now:
        j = st.deadlines[0].job
        heap.drop_first(st.deadlines, machine.n_deadlines)
        machine.n_deadlines -= 1
        if jobs[j].status < 0:
            leave(st, jobs, submissions, now, j, DEADLINE)


@kernel
def shrink(st, jobs, now):
    """Plan the waiting jobs that accept it until their deadlines at most."""
    machine, k = st.machine[0], 0
    while k < machine.n_shrinking:
        j = st.shrinking[k]
        job, limit = jobs[j], st.limits[j]
        if not job.waits:
            # If it waits again, it joins again.
            limit.shrinks = False
            machine.n_shrinking -= 1
            st.shrinking[k] = st.shrinking[machine.n_shrinking]
            continue
        planned = max(min(job.planned, limit.deadline - now), min(limit.minimum, job.planned))
        if planned < job.planned:
            _plan(st, job, j, planned)
        k += 1


@kernel
def _plan(st, job, j, planned):
    """Plan a waiting job with less time from now on."""
    machine = st.machine[0]
    job.planned = planned
    remove(st.queue, job.key, j)
    add(st.queue, job.key, j, job.size, planned)
    if machine.own_order:
        remove(st.candidates, job.candidate, j)
        add(st.candidates, job.candidate, j, job.size, planned)
    machine.changed = True


@kernel
def expire(st, jobs, submissions, now):
    """EXPIRE: let waiting jobs leave that would miss their deadlines; return whether there are any."""
    machine, left = st.machine[0], False
    while machine.n_expiries > 0 and st.expiries[0].time <= now:
        j = st.expiries[0].job
        job, limit = jobs[j], st.limits[j]
        heap.drop_first(st.expiries, machine.n_expiries)
        machine.n_expiries -= 1
        # An attempt that is shorter than an earlier one may start later than that.
        if job.waits and limit.deadline - min(limit.minimum, job.planned) <= now:
            leave(st, jobs, submissions, now, j, DEADLINE)
            left = True
    return left
