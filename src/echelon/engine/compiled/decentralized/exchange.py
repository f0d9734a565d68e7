"""Exchange and the common pool, in kernels: FCFS, EASY and LIST over one queue that sites share.

The queue is a tree of sizes by job: the next job that may fit costs O(log n), however many wait.
"""

from __future__ import annotations

from echelon.engine.compiled.decentralized.min_tree import NOTHING, assign, first_at_most
from echelon.engine.compiled.decentralized.start import delay, shadow, start
from echelon.engine.compiled.decentralized.state import EASY, LIST
from echelon.libraries.kernel import kernel


@kernel
def exchange(st, now):
    """Let every site try its own arrivals, then those that may turn to the global queue."""
    numbers = st.numbers[0]
    local, new = numbers.local_first, numbers.new
    for site in range(len(st.sites)):
        st.started[site] = 0
        if local and new < numbers.arrived and _has_room(st, site):
            st.started[site] = _apply(st, now, site, new, new)
    for site in range(len(st.sites)):
        if _has_room(st, site) and (numbers.takes_always or st.started[site] == 0):
            _apply(st, now, site, 0, numbers.known)


@kernel
def _has_room(st, site):
    """Return whether the smallest job that waits anywhere would fit `site` now: mostly not."""
    return st.tree[1] <= st.sites[site].free


@kernel
def _apply(st, now, site, low, horizon):
    """Apply the algorithm at `site` to jobs from `low` on: all below `horizon`, and its own; count starts."""
    limit = st.sites[site].free if st.numbers[0].algorithm == LIST else st.sites[site].size
    started = 0
    job = _next(st, site, low, limit, horizon)
    while job >= 0 and st.jobs[job].size <= st.sites[site].free:
        _start(st, now, job, site)
        started += 1
        if st.numbers[0].algorithm == LIST:
            limit = st.sites[site].free
        job = _next(st, site, job + 1, limit, horizon)
    if job >= 0 and st.numbers[0].algorithm == EASY:
        started += _start_beside(st, now, site, job, horizon)
    return started


@kernel
def _start_beside(st, now, site, head, horizon):
    """Start jobs behind `head` that are not planned to delay it; return how many.

    A job refused beside this head stays refused until a job starts or ends at the site: time alone brings no
    end before the shadow time. So only jobs that the site has learned of since then are tried.
    """
    one, low = st.sites[site], head + 1
    if one.quiet_head == head:
        low = max(low, one.quiet_known)
    one.quiet_head, one.quiet_known = head, horizon
    started = 0
    job = _next(st, site, low, one.free, horizon)
    if job < 0:
        return 0
    end, extra = shadow(st, now, site, st.jobs[head].size)
    while job >= 0:
        in_time = now + delay(st, job, site) + st.jobs[job].planned <= end
        if in_time or st.jobs[job].size <= extra:
            _start(st, now, job, site)
            started += 1
            if not in_time:
                extra -= st.jobs[job].size
        job = _next(st, site, job + 1, st.sites[site].free, horizon)
    return started


@kernel
def _next(st, site, low, limit, horizon):
    """Return the first job from `low` on that `site` knows of, of at most `limit` processors; or -1."""
    st.numbers[0].examined += 1
    job = first_at_most(st.tree, low, limit)
    while job >= horizon and st.jobs[job].home != site:
        st.numbers[0].examined += 1
        job = first_at_most(st.tree, job + 1, limit)
    return job


@kernel
def _start(st, now, job, site):
    """Start `job` out of the queue."""
    assign(st.tree, job, NOTHING)
    start(st, now, job, site)
