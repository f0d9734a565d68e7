"""The compiled event loop of a grid: the clock, the ENDs and the SUBMITs of all sites, and the broker."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled import profile
from echelon.engine.compiled.decide import decide
from echelon.engine.compiled.grid.choice import choose
from echelon.engine.compiled.grid.room import is_short, make_room, state_of
from echelon.engine.compiled.promises import next_due
from echelon.engine.compiled.run import release, submit, take_ends
from echelon.engine.compiled.state import PROMISES
from echelon.kernel import entry_kernel, inlined, kernel


@entry_kernel
def run_grid(grid, jobs):
    """Run until no event is left, ``grid.watch[1]`` is set, or there must be more room.

    Return whether there must be more room; then call again with it.
    """
    n, numbers = len(jobs), grid.numbers[0]
    while grid.watch[1] == 0:
        now = grid.clock[1]
        first_new = numbers.arrived
        if first_new < n:
            now = min(now, jobs[grid.arrivals[first_new]].submit)
        if now == np.inf:
            break
        last_new = first_new
        while last_new < n and jobs[grid.arrivals[last_new]].submit == now:
            last_new += 1
        if is_short(grid, last_new - first_new):
            return True
        _end_jobs(grid, jobs, now)
        for k in range(first_new, last_new):
            job = grid.arrivals[k]
            _assign(grid, jobs, now, job, choose(grid, jobs, job))
        for k in range(numbers.concerned):
            _pass(grid, jobs, now, grid.concerned[k])
        numbers.concerned = 0
    return False


@kernel
def _set_clock(grid, s, time):
    """Note that the next event of site `s` is at `time`."""
    clock = grid.clock
    i = grid.numbers[0].leaves + s
    clock[i] = time
    while i > 1:
        i >>= 1
        least = min(clock[2 * i], clock[2 * i + 1])
        if clock[i] == least:
            break
        clock[i] = least


@kernel
def _concern(grid, s, now):
    """Have site `s` make a pass at this instant."""
    if grid.sites[s].concerned:
        return
    grid.sites[s].concerned = 1
    grid.concerned[grid.numbers[0].concerned] = s
    grid.numbers[0].concerned += 1
    if grid.machine[s].kind >= PROMISES:
        st = state_of(grid, s)
        profile.advance(st.machine[0], st.profile, now)


@inlined
def _end_jobs(grid, jobs, now):
    """Let the jobs that end now leave their sites; sites where a promise is due are concerned, too."""
    numbers, clock = grid.numbers[0], grid.clock
    while clock[1] == now:
        i = 1
        while i < numbers.leaves:
            i *= 2
            if clock[i] != now:
                i += 1
        s = i - numbers.leaves
        _set_clock(grid, s, np.inf)
        _concern(grid, s, now)
        st = state_of(grid, s)
        n_ending = take_ends(st, now)
        for k in range(n_ending):
            job = st.ending[k]
            release(st, jobs, now, job)
            _book_out(grid, jobs, s, job)
        numbers.present -= n_ending
        grid.watch[0] += n_ending


@kernel
def _book_out(grid, jobs, s, job):
    """Take `job` off the counts and sums of site `s`."""
    site = grid.sites[s]
    site.jobs -= 1
    site.sizes -= jobs[job].size
    site.times -= jobs[job].planned
    site.areas -= jobs[job].size * jobs[job].planned
    if site.jobs == 0:
        # Exactly, whatever was rounded on the way.
        site.times = site.areas = 0.0


@inlined
def _assign(grid, jobs, now, job, s):
    """Let `job` join the queue of site `s`."""
    numbers, site = grid.numbers[0], grid.sites[s]
    site.jobs += 1
    site.sizes += jobs[job].size
    site.times += jobs[job].planned
    site.areas += jobs[job].size * jobs[job].planned
    if site.jobs >= site.room:
        make_room(grid, s, site.jobs)
    _concern(grid, s, now)
    submit(state_of(grid, s), jobs, job)
    trips = grid.trips
    trips[job].site, trips[job].next = s, -1
    if site.first_fresh < 0:
        site.first_fresh = job
    else:
        trips[site.last_fresh].next = job
    site.last_fresh = job
    numbers.last_site = s
    numbers.arrived += 1
    numbers.present += 1


@inlined
def _pass(grid, jobs, now, s):
    """Let site `s` make its pass."""
    numbers, site = grid.numbers[0], grid.sites[s]
    n_new, job = 0, site.first_fresh
    while job >= 0:
        grid.fresh[n_new] = job
        n_new += 1
        job = grid.trips[job].next
    site.first_fresh = -1
    site.concerned = 0
    st = state_of(grid, s)
    # One number for each compression of all sites: they share what is known of shapes.
    st.machine[0].compressions = numbers.compressions
    decide(st, jobs, now, 0, n_new)
    numbers.compressions = st.machine[0].compressions
    time = np.inf
    if st.machine[0].n_ends > 0:
        time = st.ends[0].time
    if st.machine[0].kind >= PROMISES:
        time = min(time, next_due(st, jobs, now))
    _set_clock(grid, s, time)
