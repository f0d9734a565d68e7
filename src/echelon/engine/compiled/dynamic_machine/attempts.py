"""Attempts: jobs start, end, and are cut short, in kernels: what they hold, and what the log says of it."""

from __future__ import annotations

import numpy as np

from echelon.availability.checkpoints.checkpoint import ROUNDED
from echelon.engine.compiled.dynamic_machine.hosts import give_memory_back, take_memory
from echelon.engine.compiled.dynamic_machine.processors import give_back, take
from echelon.engine.compiled.dynamic_machine.state import VOID
from echelon.engine.compiled.machine.submissions import note_end
from echelon.engine.compiled.structures import heap
from echelon.engine.compiled.structures.blocked_list import add, remove
from echelon.libraries.kernel import kernel
from echelon.model.schedules.attempts import EndReason
from echelon.model.schedules.status import JobStatus

COMPLETED, KILLED, REQUEUED = int(EndReason.COMPLETED), int(EndReason.KILLED), int(EndReason.REQUEUED)
MISSED = int(EndReason.DEADLINE)
FAILED, STOPPED, EVICTED = int(EndReason.FAILED), int(EndReason.STOPPED), int(EndReason.EVICTED)
EVICTED_STATUS, HELD = int(JobStatus.EVICTED), int(JobStatus.HELD)
FAILED_NODE, CANCELED_RUNNING = int(JobStatus.FAILED_NODE), int(JobStatus.CANCELED_RUNNING)
CANCELED_WAITING, DEADLINE = int(JobStatus.CANCELED_WAITING), int(JobStatus.DEADLINE)


@kernel
def start(st, jobs, now, j, row):
    """Start a job, which has left the queue, on the lowest processors of a row; `settle` does the rest."""
    machine, job = st.machine[0], jobs[j]
    attempt = st.attempts[machine.attempts]
    attempt.job, attempt.start, attempt.first = j, now, machine.intervals
    job.row = machine.attempts
    machine.attempts += 1
    take(st, j, job.size, row)
    if st.by_host and machine.remembers:
        take_memory(st, job.row, st.bonds[j].memory)
    job.waits = False
    job.planned_end = now + job.planned
    st.starting[machine.n_starting] = j
    machine.n_starting += 1


@kernel
def settle(st, jobs):
    """Enter the jobs started since the last call among the running ones and their ENDs among the events."""
    machine = st.machine[0]
    for k in range(machine.n_starting):
        j = st.starting[k]
        job = jobs[j]
        machine.dispatched += 1
        job.serial = machine.dispatched
        add(st.running, job.planned_end, j, job.size, job.planned)
        end = st.attempts[job.row].start + job.run
        if machine.limits:
            end = min(end, st.limits[j].deadline)
        if machine.n_ends == len(st.ends):
            drop_void(st, jobs)
        heap.push(st.ends, machine.n_ends, end, job.serial, j)
        machine.n_ends += 1
    machine.n_starting = 0


@kernel
def drop_void(st, jobs):
    """Forget the ENDs of attempts that were cut short."""
    machine, kept = st.machine[0], 0
    for k in range(machine.n_ends):
        entry = st.ends[k]
        time, serial, j = entry.time, entry.tie, entry.job
        if jobs[j].serial == serial:
            heap.push(st.ends, kept, time, serial, j)
            kept += 1
    machine.n_ends = kept


@kernel
def next_end(st, jobs):
    """Return when the next attempt ends, infinity if none does."""
    machine = st.machine[0]
    while machine.n_ends > 0:
        entry = st.ends[0]
        if jobs[entry.job].serial == entry.tie:
            return entry.time
        heap.drop_first(st.ends, machine.n_ends)
        machine.n_ends -= 1
    return np.inf


@kernel
def take_ends(st, jobs, submissions, now):
    """END: let the attempts that end now end, in the order of dispatch."""
    machine = st.machine[0]
    while next_end(st, jobs) == now:
        j = st.ends[0].job
        heap.drop_first(st.ends, machine.n_ends)
        machine.n_ends -= 1
        job, attempt = jobs[j], st.attempts[jobs[j].row]
        if machine.limits and now < attempt.start + job.run:
            _miss(st, jobs, submissions, now, j)
            continue
        attempt.reason = KILLED if job.killed else COMPLETED
        if machine.saves:
            _complete(st, job, j, now - attempt.start)
        _stop(st, jobs, now, j)
        job.status = attempt.reason
        note_completion(st, jobs, submissions, now, j)


@kernel
def _miss(st, jobs, submissions, now, j):
    """Cut an attempt at its deadline; one that would begin there has not run."""
    job, attempt = jobs[j], st.attempts[jobs[j].row]
    st.machine[0].cuts += 1
    if attempt.start < now:
        attempt.reason, job.status = MISSED, DEADLINE
    else:
        attempt.reason, job.status = VOID, DEADLINE
    if st.machine[0].saves:
        st.saved[job.row].work, st.saved[job.row].overhead = now - attempt.start, 0.0
    _stop(st, jobs, now, j)
    note_completion(st, jobs, submissions, now, j)


@kernel
def _stop(st, jobs, now, j):
    """Take from a running job what it holds."""
    job = jobs[j]
    st.attempts[job.row].end = now
    remove(st.running, job.planned_end, j)
    if st.by_host and st.machine[0].remembers:
        give_memory_back(st, job.row, st.bonds[j].memory)
    give_back(st, job.row, job.size)
    job.serial = 0
    st.machine[0].changed = True
    st.machine[0].events += 1


@kernel
def note_completion(st, jobs, submissions, now, j):
    """Note that a job is done, so that others that wait for it may be released."""
    st.watch[0] += 1
    if submissions.numbers[0].dependent:
        note_end(submissions, jobs, now, j)


@kernel
def cut_short(st, jobs, submissions, now, j, reason):
    """End an attempt before its end; what was saved is work that is done."""
    machine, job, attempt = st.machine[0], jobs[j], st.attempts[jobs[j].row]
    attempt.reason = reason
    machine.cuts += 1
    if machine.saves:
        _save(st, job, j, now - attempt.start)
    _stop(st, jobs, now, j)


@kernel
def fail(st, jobs, submissions, now, j):
    """Let a job that has lost a processor wait again, or be done."""
    machine, job = st.machine[0], jobs[j]
    machine.failures += 1
    if machine.kills or job.restarts >= machine.most:
        cut_short(st, jobs, submissions, now, j, FAILED)
        job.status = FAILED_NODE
        note_completion(st, jobs, submissions, now, j)
        return
    cut_short(st, jobs, submissions, now, j, REQUEUED)
    if machine.limits and not machine.saves:
        job.planned = st.limits[j].planned
    job.restarts += 1
    heap.push(st.away, machine.n_away, now + machine.delay, j, j)
    machine.n_away += 1


@kernel
def evict(st, jobs, submissions, now, j):
    """Kill a running job: it may not use what it holds any longer."""
    cut_short(st, jobs, submissions, now, j, EVICTED)
    jobs[j].status = EVICTED_STATUS
    note_completion(st, jobs, submissions, now, j)


@kernel
def leave(st, jobs, submissions, now, j, status):
    """Let a job be done that does not run: it leaves the queue if it waits there."""
    machine, job = st.machine[0], jobs[j]
    if job.waits:
        remove(st.queue, job.key, j)
        if machine.own_order:
            remove(st.candidates, job.candidate, j)
        job.waits = False
        machine.changed = True
    job.status = status
    note_completion(st, jobs, submissions, now, j)


@kernel
def _save(st, job, j, held):
    """Note what is safe of an attempt that was cut short, and how long the next one takes."""
    saving, saved = st.saving[j], st.saved[job.row]
    again = job.restarts > 0
    restart = saving.restart if again else 0.0
    # Of tasks it is known what they have left.
    progress = job.run - max(0.0, job.run - held) if st.machine[0].by_tasks else held
    if progress <= restart or saving.interval == np.inf:
        saved.work, saved.overhead = 0.0, min(progress, restart)
    else:
        cycle = saving.interval + saving.cost
        count = min(int((progress - restart + _slack(cycle)) / cycle), checkpoints(saving, saving.left))
        saved.work, saved.overhead = count * saving.interval, restart + count * saving.cost
    saving.left = max(0.0, saving.left - saved.work)
    saving.used += held
    full = length(saving, saving.left, True)
    growth = (full - saving.left) - (length(saving, saving.work, False) - saving.work)
    job.planned = saving.planned + growth
    if saving.per_job:
        job.planned = min(job.planned, saving.planned - saving.used + saving.restart)
    job.run = min(full, job.planned) if saving.limited else full
    if job.run < full:
        job.killed = True
    scale = held / progress if progress > 0.0 else 1.0
    saved.work, saved.overhead = saved.work * scale, saved.overhead * scale
    # No more is safe than there was time, though times are rounded.
    total = saved.work + saved.overhead
    share = min(total, held) / total if total != 0.0 else 0.0
    saved.work, saved.overhead = saved.work * share, saved.overhead * share


@kernel
def _complete(st, job, j, held):
    """Note what of an attempt that has ended was work, and what a restart and checkpoints."""
    saving, saved = st.saving[j], st.saved[job.row]
    overhead = length(saving, saving.left, job.restarts > 0) - saving.left
    saved.overhead = (min(1.0, overhead / held) if held != 0.0 else 0.0) * held
    saved.work = held - saved.overhead


@kernel
def checkpoints(saving, work):
    """See `Checkpoint.checkpoints`."""
    if saving.interval == np.inf:
        return 0
    intervals = (work - _slack(saving.interval)) / saving.interval
    whole = int(intervals)
    return max(0, whole if intervals > whole else whole - 1)


@kernel
def length(saving, work, again):
    """See `Checkpoint.length`."""
    return (saving.restart if again else 0.0) + work + saving.cost * checkpoints(saving, work)


@kernel
def _slack(length):
    """Return what a time may lack of whole multiples of a length; see `checkpoints.checkpoint`."""
    return min(ROUNDED, length / 1000)
