"""The compiled event loop of a grid: the clock, the ENDs and the SUBMITs of all sites, and the broker."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.grid.choice import choose
from echelon.engine.compiled.grid.look_ahead import choose_by_schedules
from echelon.engine.compiled.grid.room import is_short, make_room, state_of
from echelon.engine.compiled.grid.schedule_sums import term
from echelon.engine.compiled.grid.state import sample
from echelon.engine.compiled.machine.decide import decide
from echelon.engine.compiled.machine.reservations import next_due
from echelon.engine.compiled.machine.run import release, submit, take_ends
from echelon.engine.compiled.machine.state import RESERVATIONS
from echelon.engine.compiled.machine.submissions import (
    next_submission,
    note_end,
    note_places,
    put_behind,
    take_submissions,
)
from echelon.engine.compiled.structures.chain import advance
from echelon.engine.compiled.structures.openings import forget
from echelon.libraries.kernel import entry_kernel, kernel


@entry_kernel("grid_by_sums", sample)
def run_by_sums(grid, jobs, real, real_jobs, submissions):
    """Run with a strategy of counts and sums until no event is left or ``real.watch[1]`` is set.

    If the broker's information is planned while jobs wait for others, `grid` and `jobs` are the planned state
    and the `real` ones the actual state, side by side; else both are the same. Return whether there must
    be more room first; then call again with it.
    """
    now = _next_instant(grid, real, real_jobs, submissions)
    while now < np.inf:
        last_new = _open_instant(grid, jobs, real, real_jobs, submissions, now)
        if last_new < 0:
            return True
        for k in range(grid.numbers[0].arrived, last_new):
            job = submissions.arrivals[k]
            _assign(grid, jobs, real, real_jobs, now, job, choose(grid, jobs, job))
        _run_cycles(grid, jobs, now)
        if grid.numbers[0].is_planned:
            _run_cycles(real, real_jobs, now)
        now = _next_instant(grid, real, real_jobs, submissions)
    return False


@entry_kernel("grid_by_schedules", sample)
def run_by_schedules(grid, jobs, real, real_jobs, submissions):
    """Run with a strategy of schedules; apart, because it takes longer to compile."""
    now = _next_instant(grid, real, real_jobs, submissions)
    while now < np.inf:
        last_new = _open_instant(grid, jobs, real, real_jobs, submissions, now)
        if last_new < 0:
            return True
        for k in range(grid.numbers[0].arrived, last_new):
            job = submissions.arrivals[k]
            _assign(grid, jobs, real, real_jobs, now, job, choose_by_schedules(grid, jobs, now, job))
        _run_cycles(grid, jobs, now)
        if grid.numbers[0].is_planned:
            _run_cycles(real, real_jobs, now)
        now = _next_instant(grid, real, real_jobs, submissions)
    return False


@kernel
def _next_instant(grid, real, real_jobs, submissions):
    """Return the time of the next event, infinity without."""
    if real.watch[1] != 0:
        return np.inf
    arrived = grid.numbers[0].arrived
    if arrived < submissions.numbers[0].taken:
        # There was no room: this instant continues.
        return real_jobs[submissions.arrivals[arrived]].submit
    return min(grid.clock[1], real.clock[1], next_submission(submissions, real_jobs, arrived))


@kernel
def _open_instant(grid, jobs, real, real_jobs, submissions, now):
    """Let all end that ends now, and take those that are submitted; return how many have been in all.

    It is -1 if there must be more room for them first.
    """
    planned, arrived, first = (
        grid.numbers[0].is_planned,
        grid.numbers[0].arrived,
        submissions.numbers[0].taken,
    )
    _end_jobs(real, real_jobs, now, submissions)
    if planned:
        _end_jobs(grid, jobs, now, submissions)
    last = take_submissions(submissions, real_jobs, now, arrived)
    if submissions.numbers[0].dependent:
        put_behind(submissions, real_jobs, first, last)
        if real.machine[0].dynamic_order:
            note_places(submissions, real.traits, first, last)
    if planned:
        for k in range(first, last):
            job = submissions.arrivals[k]
            jobs[job].submit, jobs[job].key = now, real_jobs[job].key
            jobs[job].candidate = real_jobs[job].candidate
    if last > arrived and (is_short(grid, last - arrived) or (planned and is_short(real, last - arrived))):
        return -1
    return last


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
    """Mark site `s` for a scheduling cycle at this instant."""
    if grid.sites[s].concerned:
        return
    grid.sites[s].concerned = 1
    grid.concerned[grid.numbers[0].concerned] = s
    grid.numbers[0].concerned += 1
    if grid.machine[s].kind >= RESERVATIONS:
        st = state_of(grid, s)
        advance(st.machine[0], st.profile, st.places, now)


@kernel
def _end_jobs(grid, jobs, now, submissions):
    """Let the jobs that end now leave their sites; sites with a due reservation are concerned, too."""
    releasing = submissions.numbers[0].dependent and not grid.numbers[0].is_planned
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
            _book_out(grid, jobs, now, s, job)
            if releasing:
                note_end(submissions, jobs, now, job)
        numbers.present -= n_ending
        grid.watch[0] += n_ending


@kernel
def _book_out(grid, jobs, now, s, job):
    """Take `job` off the counts and sums of site `s`, and note what look-ahead simulation needs."""
    site = grid.sites[s]
    site.summed = 0
    if jobs[job].planned_end > now:
        site.completion, site.at_least = np.nan, 0.0
    if grid.numbers[0].all_assigned:
        site.past_jobs += 1
        site.past_sum += term(grid.numbers[0].reading, jobs[job], jobs[job].start, now)
    site.jobs -= 1
    site.sizes -= jobs[job].size
    site.times -= jobs[job].planned
    site.areas -= jobs[job].size * jobs[job].planned
    if site.jobs == 0:
        # Set it exactly, without rounding errors.
        site.times = site.areas = 0.0


@kernel
def _assign(grid, jobs, real, real_jobs, now, job, s):
    """Let `job` join the queue of site `s`, and its planned counterpart."""
    _join(grid, jobs, now, job, s)
    if grid.numbers[0].is_planned:
        _join(real, real_jobs, now, job, s)


@kernel
def _join(grid, jobs, now, job, s):
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
    site.completion, site.at_least, site.summed = np.nan, 0.0, 0
    trips = grid.trips
    trips[job].site, trips[job].next = s, -1
    if site.first_fresh < 0:
        site.first_fresh = job
    else:
        trips[site.last_fresh].next = job
    site.last_fresh = job
    numbers.last_place = site.place
    numbers.arrived += 1
    numbers.present += 1


@kernel
def _run_cycles(grid, jobs, now):
    """Run the cycle of every site concerned."""
    for k in range(grid.numbers[0].concerned):
        _run_cycle(grid, jobs, now, grid.concerned[k])
    grid.numbers[0].concerned = 0


@kernel
def _run_cycle(grid, jobs, now, s):
    """Run the cycle of site `s`."""
    site = grid.sites[s]
    n_new, job = 0, site.first_fresh
    while job >= 0:
        grid.fresh[n_new] = job
        n_new += 1
        job = grid.trips[job].next
    site.first_fresh = -1
    site.concerned = site.summed = 0
    st = state_of(grid, s)
    # What is known of slots is that of the site last looked at.
    forget(st.levels, st.reach)
    decide(st, jobs, now, 0, n_new)
    time = np.inf
    if st.machine[0].n_ends > 0:
        time = st.ends[0].time
    if st.machine[0].kind >= RESERVATIONS:
        time = min(time, next_due(st))
    _set_clock(grid, s, time)
