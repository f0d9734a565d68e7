"""The site of an arriving job, by the schedules of the sites by plan: twin of `echelon.engine.foresight`.

A schedule is foreseen by letting a copy of the site, the grid's last one, run on with nobody else coming,
until what is asked for is known: or until it is known that it will not be below the least so far, because
times only rise and sums only grow.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled import profile
from echelon.engine.compiled.blocked_list import add, remove_at
from echelon.engine.compiled.decide import backfill, from_head, reserved
from echelon.engine.compiled.grid.room import make_room, state_of
from echelon.engine.compiled.grid.strategies import (
    COMPLETION_AREA,
    ENDED,
    ENDED_WITH_JOB,
    JOB_ENDED,
    JOB_STARTED,
    MEANS,
    TURNAROUND,
    TURNAROUND_SIZE,
    WAIT,
    WAIT_AREA,
    WAIT_SIZE,
)
from echelon.engine.compiled.promises import keep_promises, next_due
from echelon.engine.compiled.state import EASY, NONE, PROMISES, RESERVED
from echelon.kernel import inlined, kernel


@kernel
def choose_by_schedules(grid, jobs, now, job):
    """Return the site for `job` by a strategy of schedules."""
    reading, trip = grid.numbers[0].reading, grid.trips[job]
    best, least = trip.first, np.inf
    for s in range(trip.first, trip.last + 1):
        value = _value(grid, jobs, now, s, job, least)
        if value < least:
            best, least = s, value
            # Nothing is earlier than now.
            if reading < MEANS and value <= (now + jobs[job].planned if reading == JOB_ENDED else now):
                break
    return best


@inlined
def _value(grid, jobs, now, s, job, least):
    """Return what site `s` costs, or infinity if that is not below `least`."""
    site, reading = grid.sites[s], grid.numbers[0].reading
    queue = grid.queue.totals[s]
    if reading == ENDED:
        if site.jobs == 0:
            return now
        if site.completion == site.completion:
            return site.completion
        # It is kept for the next job, so it must be known to the end.
        job, least = -1, np.inf
    if queue.entries == 0:
        value = _beside_running(grid, jobs, now, s, job)
    else:
        value = _foreseen(grid, jobs, now, s, job, least)
    if reading == ENDED:
        site.completion = value
    return value


@kernel
def term(reading, job, start, end):
    """Return what a job adds to the sum of which the mean is asked."""
    if reading == WAIT:
        return start - job.submit
    if reading == WAIT_SIZE:
        return (start - job.submit) * job.size
    if reading == TURNAROUND:
        return end - job.submit
    if reading == TURNAROUND_SIZE:
        return (end - job.submit) * job.size
    if reading == COMPLETION_AREA:
        return end * (job.size * job.planned)
    if reading == WAIT_AREA:
        return (start - job.submit) * (job.size * job.planned)
    return (start - job.submit) * job.planned


@kernel
def _begin_sum(grid, jobs, s):
    """Return the sum over the jobs that have ended at site `s`, if asked for, and those that run there."""
    reading, total = grid.numbers[0].reading, 0.0
    if grid.numbers[0].all_assigned:
        total = grid.sites[s].past_sum
    running, ranks = state_of(grid, s).running, grid.scratch
    n = 0
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            job, k = block.id[i], n
            # Those of one planned end go by position.
            while (
                k > 0
                and jobs[ranks[k - 1]].planned_end == block.key[i]
                and jobs[ranks[k - 1]].position > jobs[job].position
            ):
                ranks[k] = ranks[k - 1]
                k -= 1
            ranks[k] = job
            n += 1
    for k in range(n):
        running_job = jobs[ranks[k]]
        total += term(reading, running_job, running_job.start, running_job.planned_end)
    return total


@kernel
def _count(grid, s):
    """Return over how many jobs the mean at site `s` is, the arriving one among them."""
    site = grid.sites[s]
    return site.jobs + 1 + (site.past_jobs if grid.numbers[0].all_assigned else 0)


@kernel
def _beside_running(grid, jobs, now, s, job):
    """Return the value of site `s`, where nobody waits, whatever the policy: `job` starts when it fits."""
    reading = grid.numbers[0].reading
    running = state_of(grid, s).running
    free, start, last = grid.machine[s].free, now, now
    if running.totals[0].blocks > 0:
        block = running.blocks[running.order[running.totals[0].blocks - 1]]
        last = block.key[block.count - 1]
    if reading == ENDED:
        return last
    size, planned = jobs[job].size, jobs[job].planned
    place, i = 0, 0
    while free < size:
        block = running.blocks[running.order[place]]
        start = block.key[i]
        free += block.size[i]
        i += 1
        if i == block.count:
            place, i = place + 1, 0
    if reading == JOB_STARTED:
        return start
    if reading == JOB_ENDED:
        return start + planned
    if reading == ENDED_WITH_JOB:
        return max(last, start + planned)
    total = _begin_sum(grid, jobs, s) + term(reading, jobs[job], start, start + planned)
    return total / _count(grid, s)


@kernel
def _foreseen(grid, jobs, now, s, job, least):
    """Return the value of site `s`, with `job` if that is at least 0, or infinity if not below `least`."""
    numbers = grid.numbers[0]
    reading = numbers.reading
    numbers.foreseen += 1
    total, count = 0.0, 1
    if reading >= MEANS:
        total, count = _begin_sum(grid, jobs, s), _count(grid, s)
        if total / count >= least:
            return np.inf
    new = _copy_site(grid, jobs, s, job)
    st = state_of(grid, numbers.sites)
    machine = st.machine[0]
    time, value, entered = now, np.inf, 0
    while True:
        if machine.kind >= PROMISES:
            profile.advance(machine, st.profile, time)
        read = entered
        entered = _pass(st, jobs, time, new, entered)
        new = 0
        if reading >= MEANS:
            for k in range(read, entered):
                started = jobs[st.starting[k]]
                total += term(reading, started, time, started.planned_end)
            value = total / count
        elif reading >= JOB_ENDED:
            for k in range(read, entered):
                if st.starting[k] == job:
                    value = time if reading == JOB_STARTED else time + jobs[job].planned
        else:
            running = st.running
            if running.totals[0].blocks > 0:
                block = running.blocks[running.order[running.totals[0].blocks - 1]]
                value = block.key[block.count - 1]
        if st.queue.totals[0].entries == 0:
            break
        if reading >= JOB_ENDED and reading < MEANS:
            if value < np.inf or (time if reading == JOB_STARTED else time + jobs[job].planned) >= least:
                break
        elif value >= least:
            value = np.inf
            break
        time = _end_next(st, jobs, time)
    numbers.compressions = machine.compressions
    if machine.kind >= PROMISES:
        _restore_promises(grid, jobs, s, job)
    return value


@inlined
def _pass(st, jobs, now, new, entered):
    """Make a pass; return how many of ``st.starting`` run then, `entered` of which did before."""
    kind = st.machine[0].kind
    if kind >= PROMISES:
        keep_promises(st, jobs, now, 0, new)
    elif kind == RESERVED:
        reserved(st, jobs, now)
    else:
        from_head(st, jobs, now)
        if kind != NONE:
            if kind == EASY:
                # The shadow time counts on the jobs just started.
                entered = _enter(st, jobs, entered)
            backfill(st, jobs, now)
    st.machine[0].ended_early = 0
    return _enter(st, jobs, entered)


@kernel
def _enter(st, jobs, entered):
    """Enter the jobs started since the last call among the running ones; `settle`, without their ENDs."""
    for k in range(entered, st.machine[0].n_starting):
        job = st.starting[k]
        add(st.running, jobs[job].planned_end, job, jobs[job].size, jobs[job].planned)
    return st.machine[0].n_starting


@inlined
def _end_next(st, jobs, now):
    """Go on to the next planned end or promise; return its time."""
    running, time = st.running, np.inf
    if running.totals[0].blocks > 0:
        time = running.blocks[running.order[0]].key[0]
    if st.machine[0].kind >= PROMISES:
        time = min(time, next_due(st, jobs, now))
    while running.totals[0].blocks > 0:
        block = running.blocks[running.order[0]]
        if block.key[0] > time:
            break
        st.machine[0].free += block.size[0]
        remove_at(running, 0, 0)
    return time


@kernel
def _copy_site(grid, jobs, s, job):
    """Copy site `s` to where schedules are foreseen, with `job` if that is at least 0.

    Return how many jobs its next pass is new to: these stand in ``grid.fresh``.
    """
    numbers = grid.numbers[0]
    twin = numbers.sites
    if grid.sites[s].jobs + 2 > grid.sites[twin].room:
        _clear(grid, twin)
        make_room(grid, twin, grid.sites[s].jobs + 2)
    site, to = state_of(grid, s), state_of(grid, twin)
    grid.machine[twin] = grid.machine[s]
    machine = grid.machine[twin]
    machine.compressions = numbers.compressions
    _copy_list(site.queue, to.queue)
    _copy_list(site.running, to.running)
    if machine.own_order:
        _copy_list(site.candidates, to.candidates)
    new = 0
    if machine.kind >= PROMISES:
        _copy_promises(grid, jobs, site, to)
        fresh = grid.sites[s].first_fresh
        while fresh >= 0:
            grid.fresh[new] = fresh
            new += 1
            fresh = grid.trips[fresh].next
    if job >= 0:
        jobs[job].key = float(job)
        add(to.queue, jobs[job].key, job, jobs[job].size, jobs[job].planned)
        if machine.own_order:
            add(to.candidates, jobs[job].candidate, job, jobs[job].size, jobs[job].planned)
        grid.fresh[new] = job
        new += 1
    return new


@kernel
def _clear(grid, s):
    """Empty the lists of site `s`."""
    machine = grid.machine[s]
    machine.n_ends = machine.n_due = machine.first_segment = machine.n_segments = 0
    for totals in (grid.queue.totals[s], grid.candidates.totals[s], grid.running.totals[s]):
        totals.blocks = totals.touched = totals.entries = 0


@kernel
def _copy_list(bl, to):
    """Copy a list over another, its blocks in list order."""
    totals, copied = bl.totals[0], to.totals[0]
    for place in range(totals.blocks):
        block, copy = bl.blocks[bl.order[place]], to.blocks[place]
        to.order[place] = place
        copy.count, copy.min_size = block.count, block.min_size
        copy.sum_size, copy.min_duration = block.sum_size, block.min_duration
        for i in range(block.count):
            copy.key[i], copy.id[i] = block.key[i], block.id[i]
            copy.size[i], copy.duration[i] = block.size[i], block.duration[i]
    copied.blocks = copied.touched = totals.blocks
    copied.entries, copied.spare = totals.entries, -1


@inlined
def _copy_promises(grid, jobs, site, to):
    """Copy the profile and the heap of promises, and keep the promises of those that wait."""
    machine = to.machine[0]
    first = machine.first_segment
    for k in range(first, machine.n_segments):
        to.profile[k - first] = site.profile[k]
    machine.first_segment, machine.n_segments = 0, machine.n_segments - first
    for k in range(machine.n_due):
        to.due[k] = site.due[k]
    n = 0
    queue = site.queue
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            grid.kept[n] = jobs[block.id[i]].promise
            n += 1


@inlined
def _restore_promises(grid, jobs, s, job):
    """Give the jobs that wait at site `s` the promises back that they had."""
    queue = state_of(grid, s).queue
    n = 0
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            jobs[block.id[i]].promise = grid.kept[n]
            n += 1
    if job >= 0:
        jobs[job].promise = np.nan
