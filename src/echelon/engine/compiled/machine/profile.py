"""Slots of waiting jobs in the availability profile, in kernels: taken, given back, moved forward."""

from __future__ import annotations

from echelon.engine.compiled.structures.chain import (
    HEAD,
    TAIL,
    find,
    insert,
    let_go,
    line_up,
    step_out,
    take,
    use,
)
from echelon.engine.compiled.structures.openings import (
    OPENS,
    SIZE,
    is_known,
    last_before,
    note_openings,
    note_reservation,
    slot_before,
)
from echelon.libraries.kernel import kernel


@kernel
def give_back(machine, boundaries, levels, reach, k, until, size):
    """Free `size` processors from boundary `k` to boundary `until`."""
    first, least, most, steps = k, boundaries[boundaries[k].behind].free, 0, 0
    while k != until:
        k = boundaries[k].behind
        least = min(least, boundaries[k].free)
        boundaries[k].free += size
        most = max(most, boundaries[k].free)
        steps += 1
    machine.segments += steps
    note_openings(machine, boundaries, levels, reach, first, until, least, least + size, most)


@kernel
def bring_forward(machine, boundaries, levels, reach, first, last, to, end, size):
    """Move a slot of `size` processors from [first, last) to one that begins at boundary `to` before it.

    That one ends at `end`. All but `end` are boundaries; return the one at `end`.
    """
    if end <= boundaries[first].time:
        new = take(machine, boundaries, to, end, size)
        give_back(machine, boundaries, levels, reach, first, last, size)
        return new
    k, steps = to, 0
    while k != first:
        k = boundaries[k].behind
        boundaries[k].free -= size
        steps += 1
    machine.segments += steps
    new = last
    while boundaries[new].time > end:
        new = boundaries[new].before
    if boundaries[new].time < end:
        new = insert(machine, boundaries, new, end)
    give_back(machine, boundaries, levels, reach, new, last, size)
    return new


@kernel
def move(machine, boundaries, levels, reach, places, job, k, end, size):
    """Move the slot of a waiting job forward to boundary `k`; it ends at `end` then."""
    place = places[job]
    first, last = place.begin, place.end
    step_out(machine, boundaries, places, job)
    line_up(machine, boundaries, places, k, job)
    place.end = bring_forward(machine, boundaries, levels, reach, first, last, k, end, size)
    use(boundaries, k, place.end)
    let_go(machine, boundaries, first)
    let_go(machine, boundaries, last)


@kernel
def earliest_slot(machine, boundaries, levels, reach, column, klass, size, duration, reserved):
    """Return the first boundary from which `size` processors stay free for `duration`.

    `reserved` is the boundary at which the job's present slot begins; it counts as free for the job and is
    returned if there is no earlier slot. `column` is the level of the job's size, `klass` the class of its
    duration.
    """
    # Slots that reach the reserved one: the first of them begins with the stretch that does.
    nearest, least, steps = reserved, int(reach[column, SIZE]), 0
    while boundaries[nearest].free >= least:
        nearest = boundaries[nearest].before
        steps += 1
    machine.segments += steps
    if nearest != HEAD and (
        not is_known(reach, column) or reach[column, OPENS + klass] < boundaries[nearest].time
    ):
        slot = slot_before(machine, boundaries, levels[column], reach, column, size, duration, nearest)
        if slot >= 0:
            return slot
    if least == size or nearest == reserved:
        return nearest
    slot = find(machine, boundaries, nearest, size, duration, boundaries[reserved].time)
    return slot if slot >= 0 else reserved


@kernel
def reserve(machine, boundaries, levels, reach, places, jobs, job):
    """Give `job`, which has no slot, the earliest one; return when it begins."""
    place, size, planned = places[job], jobs[job].size, jobs[job].planned
    column, level = place.level, levels[place.level]
    # A job of no larger demand has no slot before its own, except in later openings.
    similar = last_before(level, reach, column, place.klass, jobs, size, planned, boundaries[HEAD].time)
    k, slot = HEAD, -1
    if similar >= 0:
        k = places[similar].begin
        if k != HEAD:
            slot = slot_before(machine, boundaries, level, reach, column, size, planned, k)
    if slot < 0:
        slot = find(machine, boundaries, k, size, planned, boundaries[TAIL].time)
    begin = boundaries[slot].time
    line_up(machine, boundaries, places, slot, job)
    place.end = take(machine, boundaries, slot, begin + planned, size)
    use(boundaries, slot, place.end)
    jobs[job].reserved = begin
    note_reservation(level, reach, column, place.klass, jobs, job)
    return begin
