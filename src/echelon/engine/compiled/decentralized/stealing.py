"""Stealing, in kernels.

All sets are intervals of sizes. So the queue is, for each different size, a line of jobs in order of
arrival, and a tree of the first job of each: the first that fits of a set costs O(log sizes), and so does
the largest.
"""

from __future__ import annotations

from echelon.engine.compiled.decentralized.min_tree import NOTHING, assign, last_at_most, least_value
from echelon.engine.compiled.decentralized.start import start
from echelon.libraries.kernel import kernel


@kernel
def join(st, job):
    """Let `job` join the line of its size."""
    shape = st.jobs[job].shape
    last = st.last[shape]
    if last < 0:
        assign(st.tree, shape, job)
    else:
        st.jobs[last].next = job
    st.last[shape] = job
    st.jobs[job].next = -1


@kernel
def steal(st, now):
    """Let sites take turns, the lowest first, until none can start a job."""
    any_started = True
    while any_started:
        any_started = False
        for site in range(len(st.sites)):
            job = _next(st, site)
            while job >= 0:
                _leave(st, job)
                start(st, now, job, site)
                any_started = True
                job = _next(st, site)


@kernel
def _leave(st, job):
    """Take `job`, the first of its line, out of it."""
    shape, after = st.jobs[job].shape, st.jobs[job].next
    if after < 0:
        st.last[shape] = -1
        assign(st.tree, shape, NOTHING)
    else:
        assign(st.tree, shape, after)


@kernel
def _next(st, site):
    """Return the job that `site` starts next, -1 if it starts none."""
    fitting = _shapes_up_to(st, st.sites[site].free)
    # Most sites most of the time: nothing that waits anywhere would fit.
    if least_value(st.tree, 0, fitting) == NOTHING:
        return -1
    for k in range(3):
        low, high = st.lists[site, k, 0], st.lists[site, k, 1]
        end = st.numbers[0].arrived if st.lists[site, k, 2] else st.numbers[0].known
        if _first(st, low, high) < end:
            return _choose(st, low, min(high, fitting), end)
    end = st.numbers[0].known
    for victim in range(site - 1, -1, -1):
        for k in range(3):
            low, high = st.lists[victim, k, 0], st.lists[victim, k, 1]
            job = _choose(st, low, min(high, fitting), end)
            if job >= 0 or (st.numbers[0].first_list and _first(st, low, high) < end):
                return job
    return -1


@kernel
def _shapes_up_to(st, free):
    """Return how many of the different sizes are at most `free`."""
    low, high = 0, len(st.shapes)
    while low < high:
        middle = (low + high) >> 1
        if st.shapes[middle] <= free:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _first(st, low, high):
    """Return the first job of these shapes, `NOTHING` without."""
    st.numbers[0].examined += 1
    return least_value(st.tree, low, high)


@kernel
def _choose(st, low, high, end):
    """Return the first of the jobs below `end` of these shapes, or the first of the largest; -1 without."""
    if st.numbers[0].best_fit:
        st.numbers[0].examined += 1
        shape = last_at_most(st.tree, low, high, end - 1)
        return -1 if shape < 0 else st.tree[(len(st.tree) >> 1) + shape]
    job = _first(st, low, high)
    return job if job < end else -1
