"""What strategies of means read off a schedule: sums over its jobs, and what they will be at least."""

from __future__ import annotations

from echelon.engine.compiled.grid.room import state_of
from echelon.engine.compiled.grid.strategies import (
    COMPLETION_AREA,
    TURNAROUND,
    TURNAROUND_SIZE,
    WAIT,
    WAIT_AREA,
    WAIT_SIZE,
    WAIT_TIME,
)
from echelon.libraries.kernel import kernel

ROUNDED = 1e-9
"""A share of a sum that rounding is far below."""


@kernel
def term(reading, job, start, end):
    """Return the term of a job in the sum of the mean."""
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
def weight_of(reading, job):
    """Return how much `term` grows for each second by which the job starts later; by area if no mean."""
    if reading in (WAIT, TURNAROUND):
        return 1.0
    if reading in (WAIT_SIZE, TURNAROUND_SIZE):
        return float(job.size)
    return job.planned if reading == WAIT_TIME else job.size * job.planned


@kernel
def sum_up(grid, jobs, s):
    """Sum up what does not change before site `s` does: over its past, running and waiting jobs."""
    site, reading, total = grid.sites[s], grid.numbers[0].reading, 0.0
    if grid.numbers[0].all_assigned:
        total = site.past_sum
    st = state_of(grid, s)
    running, ranks = st.running, st.scratch
    n = 0
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            job, k = block.id[i], n
            # Jobs of one planned end are ordered by position.
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
    site.begun = total
    site.weight = site.base = site.slack = 0.0
    queue = st.queue
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            waiting = jobs[block.id[i]]
            base = term(reading, waiting, 0.0, waiting.planned)
            site.weight += weight_of(reading, waiting)
            site.base += base
            site.slack += abs(base)
    site.summed = 1


@kernel
def is_beyond(total, elapsed, base, slack, limit):
    """Return whether a sum will reach `limit`, by its value so far and the least that all waiting jobs add.

    Waiting jobs start now at the earliest: they add their terms of now, ``elapsed + base`` together. The
    margin is far above what rounding can do.
    """
    return total + elapsed + base - (slack + ROUNDED * (total + elapsed)) >= limit
