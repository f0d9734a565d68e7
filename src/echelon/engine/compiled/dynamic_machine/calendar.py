"""The head's earliest start where processors are closed at times, in kernels: see `CalendarShadow`."""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.attempts import start
from echelon.engine.compiled.dynamic_machine.closures import keep_open, may_use, room
from echelon.engine.compiled.dynamic_machine.head_room import fits_beside
from echelon.engine.compiled.dynamic_machine.hosts import holds, return_memory
from echelon.engine.compiled.dynamic_machine.processors import bits_between, count, count_bits, lowest_bits
from echelon.engine.compiled.dynamic_machine.state import (
    AT,
    EASY,
    FREE,
    LAST,
    LATER,
    PICKED,
    PLACES,
    THEN,
    USABLE,
)
from echelon.engine.compiled.structures.blocked_list import remove, remove_at
from echelon.libraries.kernel import kernel


@kernel
def find_slot(st, jobs, now):
    """Find the head's earliest start for its whole planned time; infinity if none is known.

    The row `AT` has the processors that it may use then, and `extra` says how many more than it needs.
    """
    machine, running, j, head = st.machine[0], st.running, st.machine[0].head, jobs[st.machine[0].head]
    bond = st.bonds[j]
    then, at, free = st.words[THEN], st.words[AT], st.words[FREE]
    for w in range(len(free)):
        then[w] = free[w]
    if st.by_host and machine.remembers:
        for h in range(len(st.hosts)):
            st.hosts[h].later = st.hosts[h].now
    left, time, place, i, ending = machine.free, now, 0, 0, machine.first_ending
    closed_until = -np.inf
    while True:
        ending = next_opening(st, bond, ending, time, now)
        later = st.closures[st.by_end[ending]].end if ending < len(st.closures) else np.inf
        if bond.named >= 0:
            later = min(later, next_start(st, bond.named, time, now))
        if place < running.totals[0].blocks:
            later = min(later, max(time, running.blocks[running.order[place]].key[i]))
        time = later
        if time == np.inf:
            machine.shadow, machine.extra = np.inf, 0
            return
        while place < running.totals[0].blocks and running.blocks[running.order[place]].key[i] <= time:
            block = running.blocks[running.order[place]]
            left += block.size[i]
            add_held(st, jobs, block.id[i], then)
            i += 1
            if i == block.count:
                place, i = place + 1, 0
        if left >= head.size and time >= closed_until:
            for w in range(len(then)):
                at[w] = then[w]
            keep_open(st, AT, j, time, time + head.planned, now)
            fitting = count(at)
            if fitting >= head.size and (not st.by_host or holds(st, AT, j, LATER)):
                machine.shadow, machine.extra = time, fitting - head.size
                return
            if most_open(st, j, head, time, now) < head.size:
                # Whatever else returns, nothing changes that until more is open.
                ending = next_opening(st, bond, ending, time, now)
                closed_until = st.closures[st.by_end[ending]].end if ending < len(st.closures) else np.inf
                if bond.named >= 0:
                    closed_until = min(closed_until, next_start(st, bond.named, time, now))


@kernel
def most_open(st, j, head, time, now):
    """Return how many processors would be open to the head at a time if none were held or down."""
    at, processors = st.words[AT], st.machine[0].processors
    for w in range(len(at)):
        at[w] = bits_between(0, processors - 1, w)
    keep_open(st, AT, j, time, time + head.planned, now)
    return count(at)


@kernel
def next_opening(st, bond, ending, time, now):
    """Return the next place in `by_end` of a closure after which more may be open to the head."""
    while ending < len(st.closures):
        one = st.closures[st.by_end[ending]]
        if one.end > time and one.known <= now and not may_use(one, bond):
            break
        ending += 1
    return ending


@kernel
def next_start(st, named, time, now):
    """Return when a reservation that the head names begins next, infinity without."""
    earliest = np.inf
    for k in range(st.machine[0].first_open, len(st.closures)):
        one = st.closures[k]
        if one.name == named and one.start > time and one.known <= now:
            earliest = min(earliest, one.start)
    return earliest


@kernel
def add_held(st, jobs, ident, words):
    """Add to a row of processors those that a job holds, or one that is down."""
    if ident >= len(jobs):
        x = ident - len(jobs)
        words[x >> PLACES] |= 1 << (x & LAST)
        return
    row, attempts = jobs[ident].row, st.machine[0].attempts
    last = st.attempts[row + 1].first if row + 1 < attempts else st.machine[0].intervals
    for k in range(st.attempts[row].first, last):
        low, high = int(st.intervals[k].low), int(st.intervals[k].high)
        for w in range(low >> PLACES, (high >> PLACES) + 1):
            words[w] |= bits_between(low, high, w)
    if st.by_host and st.machine[0].remembers:
        return_memory(st, jobs[ident].row, st.bonds[ident].memory)


@kernel
def backfill(st, jobs, now):
    """Walk the jobs behind the head and start those that may (first-fit and EASY)."""
    machine = st.machine[0]
    if st.queue.totals[0].entries < 2 or machine.free == 0:
        return
    machine.shadow, machine.extra, beside = np.inf, 0, machine.processors
    if machine.kind == EASY:
        find_slot(st, jobs, now)
        if machine.shadow < np.inf:
            beside = _count_beside_head(st)
    most = machine.extra + beside
    walk = st.candidates if machine.own_order else st.queue
    place = 0
    while place < walk.totals[0].blocks and machine.free > 0:
        block = walk.blocks[walk.order[place]]
        machine.examined += 1
        if block.min_size > machine.free or (
            block.min_size > most and now + block.min_duration > machine.shadow
        ):
            place += 1
            continue
        i, emptied = 0, False
        while i < block.count and not emptied and machine.free > 0:
            machine.examined += 1
            j, row, size = block.id[i], -1, block.size[i]
            # Beyond the head's start it takes only what the head can spare, or may not use.
            may = size <= most or now + block.duration[i] <= machine.shadow
            if may and size <= machine.free and j != machine.head:
                row = _admit(st, jobs, j, now)
            if row < 0:
                i += 1
                continue
            emptied = remove_at(walk, place, i)
            if machine.own_order:
                remove(st.queue, jobs[j].key, j)
            start(st, jobs, now, j, row)
            most, machine.squeezed = machine.extra + beside, True
        if not emptied:
            place += 1


@kernel
def _count_beside_head(st):
    """Return how many free processors the head may not use at its earliest start."""
    free, at, number = st.words[FREE], st.words[AT], 0
    for w in range(len(free)):
        number += count_bits(free[w] & ~at[w])
    return number


@kernel
def _admit(st, jobs, j, now):
    """Return the row from which a candidate may start now without moving the head, or -1."""
    machine, job, need = st.machine[0], jobs[j], jobs[st.machine[0].head].size
    row = room(st, job, j, now)
    if row < 0 or now + job.planned <= machine.shadow:
        return row
    if st.by_host:
        return PICKED if fits_beside(st, jobs, j, row, now) else -1
    if not _leaves_room(st, row, job.size):
        # Else in what the head leaves over.
        usable, free = st.words[USABLE], st.words[FREE]
        for w in range(len(free)):
            usable[w] = free[w]
        keep_open(st, USABLE, j, now, now + job.planned, now)
        _exclude_head(st, need)
        if count(usable) < job.size or not _leaves_room(st, USABLE, job.size):
            return -1
        row = USABLE
    return row


@kernel
def _exclude_head(st, size):
    """Remove from the usable processors those that the head would take."""
    usable, at, left, w = st.words[USABLE], st.words[AT], size, 0
    while left > 0:
        bits = lowest_bits(at[w], left)
        left -= count_bits(bits)
        usable[w] &= ~bits
        w += 1


@kernel
def _leaves_room(st, row, size):
    """Let the lowest processors of a row be gone when the head starts; return whether it can spare them."""
    words, at, left, within, w = st.words[row], st.words[AT], size, 0, 0
    while left > 0:
        bits = lowest_bits(words[w], left)
        left -= count_bits(bits)
        within += count_bits(bits & at[w])
        w += 1
    if within > st.machine[0].extra:
        return False
    st.machine[0].extra -= within
    left, w = size, 0
    while left > 0:
        bits = lowest_bits(words[w], left)
        left -= count_bits(bits)
        at[w] &= ~bits
        w += 1
    return True
