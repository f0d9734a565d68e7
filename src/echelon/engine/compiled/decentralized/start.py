"""Starts and ends at sites of a decentralized protocol, in kernels."""

from __future__ import annotations

from echelon.engine.compiled.decentralized.state import EASY
from echelon.engine.compiled.structures import heap
from echelon.libraries.kernel import kernel


@kernel
def delay(st, job, site):
    """Return how long after `site` has taken it `job` starts there, in seconds."""
    return 0.0 if st.jobs[job].home == site else st.numbers[0].latency


@kernel
def start(st, now, job, site):
    """Hold processors of `site` for `job`, which has left the queue, and schedule its END."""
    one = st.jobs[job]
    one.start = now + delay(st, job, site)
    one.planned_end = one.start + one.planned
    one.site = site
    st.sites[site].free -= one.size
    st.sites[site].quiet_head = -1
    st.numbers[0].waiting -= 1
    if st.numbers[0].algorithm == EASY:
        _enter(st, job, site)
    # All ENDs of one time have the same effect in any order, and there is no observer: use that of dispatch.
    heap.push(st.ends, st.numbers[0].n_ends, one.start + one.run, st.numbers[0].dispatched, job)
    st.numbers[0].n_ends += 1
    st.numbers[0].dispatched += 1


@kernel
def end(st, job):
    """Take the processors of `job` back."""
    site = st.jobs[job].site
    st.sites[site].free += st.jobs[job].size
    st.sites[site].quiet_head = -1
    if st.numbers[0].algorithm == EASY:
        _leave(st, job, site)
    st.numbers[0].events += 1
    st.watch[0] += 1


@kernel
def shadow(st, now, site, size):
    """Return when `size` processors of `site` are planned to be free, and how many more then."""
    first, n = st.sites[site].first_running, st.sites[site].n_running
    free, time = st.sites[site].free, now
    for k in range(first, first + n):
        job = st.running[k]
        planned_end = st.jobs[job].planned_end
        if free >= size and planned_end > time:
            break
        free += st.jobs[job].size
        time = planned_end
    return time, free - size


@kernel
def _place(st, site, planned_end):
    """Return the first place among the running jobs of `site` with a planned end not before this one."""
    low = st.sites[site].first_running
    high = low + st.sites[site].n_running
    while low < high:
        middle = (low + high) >> 1
        if st.jobs[st.running[middle]].planned_end < planned_end:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _enter(st, job, site):
    """Enter `job` among the running jobs of `site`, by planned end."""
    place = _place(st, site, st.jobs[job].planned_end)
    k = st.sites[site].first_running + st.sites[site].n_running
    while k > place:
        st.running[k] = st.running[k - 1]
        k -= 1
    st.running[place] = job
    st.sites[site].n_running += 1


@kernel
def _leave(st, job, site):
    """Take `job` out of the running jobs of `site`."""
    k = _place(st, site, st.jobs[job].planned_end)
    while st.running[k] != job:
        k += 1
    st.sites[site].n_running -= 1
    last = st.sites[site].first_running + st.sites[site].n_running
    while k < last:
        st.running[k] = st.running[k + 1]
        k += 1
