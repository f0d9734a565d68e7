"""The site of an arriving job, by the planned schedules of the sites.

Twin of `echelon.engine.queue.look_ahead`.

A copy of the site, the grid's last one, is simulated without further submissions until the value is known, or
until it cannot fall below the least value so far, because times only rise and sums only grow.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.grid.drain import drain
from echelon.engine.compiled.grid.room import make_room, state_of
from echelon.engine.compiled.grid.schedule_sums import ROUNDED, is_beyond, sum_up, term, weight_of
from echelon.engine.compiled.grid.strategies import ENDED, ENDED_WITH_JOB, JOB_ENDED, JOB_STARTED, MEANS
from echelon.engine.compiled.machine.decide import backfill, reserve_and_start, start_from_head
from echelon.engine.compiled.machine.reservations import keep_reservations, next_due
from echelon.engine.compiled.machine.state import EASY, NONE, RESERVATIONS, RESERVED
from echelon.engine.compiled.structures.blocked_list import add, remove_at
from echelon.engine.compiled.structures.chain import NOWHERE, advance
from echelon.engine.compiled.structures.openings import forget
from echelon.engine.compiled.structures.rounding import next_above
from echelon.libraries.kernel import kernel


@kernel
def choose_by_schedules(grid, jobs, now, job):
    """Return the site for `job` by a strategy of schedules.

    The site that was best for earlier jobs is evaluated first: the better the known value, the sooner the
    simulation of other sites can stop.
    """
    trip = grid.trips[job]
    guess = trip.first
    for s in range(trip.first + 1, trip.last + 1):
        if grid.sites[s].guess < grid.sites[guess].guess:
            guess = s
    best, least = guess, _value(grid, jobs, now, guess, job, np.inf)
    for s in range(trip.first, trip.last + 1):
        if s != guess:
            # On ties the lowest site wins: one below the best may cost as much.
            limit = least if s > best else next_above(least)
            value = _value(grid, jobs, now, s, job, limit)
            if value < limit:
                best, least = s, value
    return best


@kernel
def _value(grid, jobs, now, s, job, limit):
    """Return what site `s` costs, or infinity if that is not below `limit`."""
    site, reading = grid.sites[s], grid.numbers[0].reading
    if reading == ENDED:
        if site.jobs == 0:
            return now
        if site.completion == site.completion:
            return site.completion
        if site.at_least >= limit:
            return np.inf
        job = -1
    elif reading < MEANS:
        if now + (jobs[job].planned if reading == JOB_ENDED else 0.0) >= limit:
            return np.inf
    elif not site.summed:
        sum_up(grid, jobs, s)
    if grid.queue.totals[s].entries == 0:
        value = _value_beside_running(grid, jobs, now, s, job)
    else:
        value = _look_ahead(grid, jobs, now, s, job, limit)
    if reading == ENDED:
        site.completion = value if value < np.inf else np.nan
    if value < np.inf:
        site.guess = value
    return value


@kernel
def _count(grid, s):
    """Return over how many jobs the mean at site `s` is, the arriving one among them."""
    site = grid.sites[s]
    return site.jobs + 1 + (site.past_jobs if grid.numbers[0].all_assigned else 0)


@kernel
def _first_fit(grid, s, size, now):
    """Return when `size` processors of site `s` will be free if no job waits."""
    running = state_of(grid, s).running
    free, start = grid.machine[s].free, now
    place, i = 0, 0
    while free < size:
        block = running.blocks[running.order[place]]
        start = block.key[i]
        free += block.size[i]
        i += 1
        if i == block.count:
            place, i = place + 1, 0
    return start


@kernel
def _last_end(running, now):
    """Return the last planned end, now if no job runs."""
    blocks = running.totals[0].blocks
    if blocks == 0:
        return now
    block = running.blocks[running.order[blocks - 1]]
    return block.key[block.count - 1]


@kernel
def _value_beside_running(grid, jobs, now, s, job):
    """Return the value of site `s`, where no job waits, for any policy: `job` starts when it fits."""
    reading = grid.numbers[0].reading
    last = _last_end(state_of(grid, s).running, now)
    if reading == ENDED:
        return last
    start, planned = _first_fit(grid, s, jobs[job].size, now), jobs[job].planned
    if reading == JOB_STARTED:
        return start
    if reading == JOB_ENDED:
        return start + planned
    if reading == ENDED_WITH_JOB:
        return max(last, start + planned)
    return (grid.sites[s].begun + term(reading, jobs[job], start, start + planned)) / _count(grid, s)


@kernel
def _look_ahead(grid, jobs, now, s, job, limit):
    """Return the value of site `s`, with `job` if that is at least 0, or infinity if not below `limit`."""
    numbers, site = grid.numbers[0], grid.sites[s]
    reading = numbers.reading
    total, count, weight, base, slack = 0.0, 1, 0.0, 0.0, 0.0
    if reading >= MEANS:
        arriving = term(reading, jobs[job], 0.0, jobs[job].planned)
        total, count = site.begun, _count(grid, s)
        weight = site.weight + weight_of(reading, jobs[job])
        base, slack = site.base + arriving, ROUNDED * (site.slack + abs(arriving))
        if is_beyond(total, now * weight, base, slack, limit * count):
            return np.inf
    elif reading >= JOB_ENDED:
        start = _first_fit(grid, s, jobs[job].size, now)
        if start + (jobs[job].planned if reading == JOB_ENDED else 0.0) >= limit:
            return np.inf
    numbers.look_aheads += 1
    if grid.machine[s].kind <= EASY and not grid.machine[s].own_order:
        return drain(grid, jobs, now, s, job, limit)
    new = _copy_site(grid, jobs, s, job)
    st = state_of(grid, numbers.sites)
    machine = st.machine[0]
    time, value, entered = now, np.inf, 0
    while True:
        if machine.kind >= RESERVATIONS:
            advance(machine, st.profile, st.places, time)
        read = entered
        entered = _pass(st, jobs, time, new, entered)
        new = 0
        if reading >= MEANS:
            for k in range(read, entered):
                started = jobs[st.starting[k]]
                total += term(reading, started, time, started.planned_end)
                weight -= weight_of(reading, started)
                base -= term(reading, started, 0.0, started.planned)
            value = total / count
        elif reading >= JOB_ENDED:
            for k in range(read, entered):
                if st.starting[k] == job:
                    value = time if reading == JOB_STARTED else time + jobs[job].planned
        else:
            value = _last_end(st.running, now)
        if st.queue.totals[0].entries == 0:
            break
        if reading >= MEANS:
            if is_beyond(total, time * weight, base, slack, limit * count):
                value = np.inf
                break
        elif reading >= JOB_ENDED:
            if value < np.inf or time + (jobs[job].planned if reading == JOB_ENDED else 0.0) >= limit:
                break
        elif value >= limit:
            site.at_least, value = value, np.inf
            break
        time = _end_next(st, jobs, time)
    if machine.kind >= RESERVATIONS:
        _restore_reservations(grid, jobs, s, job)
    return value


@kernel
def _pass(st, jobs, now, new, entered):
    """Run a cycle; return how many of ``st.starting`` run then, `entered` of which did before."""
    kind = st.machine[0].kind
    if kind >= RESERVATIONS:
        keep_reservations(st, jobs, now, 0, new)
    elif kind == RESERVED:
        reserve_and_start(st, jobs, now)
    else:
        start_from_head(st, jobs, now)
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


@kernel
def _end_next(st, jobs, now):
    """Advance to the next planned end or reservation; return its time."""
    running, time = st.running, np.inf
    if running.totals[0].blocks > 0:
        time = running.blocks[running.order[0]].key[0]
    if st.machine[0].kind >= RESERVATIONS:
        time = min(time, next_due(st))
    while running.totals[0].blocks > 0:
        block = running.blocks[running.order[0]]
        if block.key[0] > time:
            break
        st.machine[0].free += block.size[0]
        remove_at(running, 0, 0)
    return time


@kernel
def _copy_site(grid, jobs, s, job):
    """Copy site `s` to the place of look-ahead simulation, with `job` if that is at least 0.

    Return how many jobs are new to its next cycle: they are in ``grid.fresh``.
    """
    numbers = grid.numbers[0]
    twin = numbers.sites
    if grid.sites[s].jobs + 2 > grid.sites[twin].room:
        _clear(grid, twin)
        make_room(grid, twin, grid.sites[s].jobs + 2)
    site, to = state_of(grid, s), state_of(grid, twin)
    grid.machine[twin] = grid.machine[s]
    machine = grid.machine[twin]
    forget(to.levels, to.reach)
    _copy_list(site.queue, to.queue)
    _copy_list(site.running, to.running)
    if machine.own_order:
        _copy_list(site.candidates, to.candidates)
    new = 0
    if machine.kind >= RESERVATIONS:
        _copy_reservations(grid, jobs, site, to)
        fresh = grid.sites[s].first_fresh
        while fresh >= 0:
            grid.fresh[new] = fresh
            new += 1
            fresh = grid.trips[fresh].next
    if job >= 0:
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
    machine.n_ends = machine.touched = 0
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


@kernel
def _copy_reservations(grid, jobs, site, to):
    """Copy the profile, and save the reservations of waiting jobs."""
    machine = to.machine[0]
    for k in range(machine.touched):
        to.profile[k] = site.profile[k]
    n = 0
    queue = site.queue
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            job, kept = block.id[i], grid.kept[n]
            place = grid.places[job]
            kept.reserved, kept.begin, kept.end = jobs[job].reserved, place.begin, place.end
            kept.next, kept.previous = place.next, place.previous
            n += 1


@kernel
def _restore_reservations(grid, jobs, s, job):
    """Restore the reservations of the jobs that wait at site `s`."""
    queue = state_of(grid, s).queue
    n = 0
    for place in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[place]]
        for i in range(block.count):
            waiting, kept = block.id[i], grid.kept[n]
            place = grid.places[waiting]
            jobs[waiting].reserved, place.begin, place.end = kept.reserved, kept.begin, kept.end
            place.next, place.previous = kept.next, kept.previous
            n += 1
    if job >= 0:
        jobs[job].reserved, grid.places[job].begin = np.nan, NOWHERE
