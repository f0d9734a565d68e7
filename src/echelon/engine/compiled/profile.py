"""The availability profile of `echelon.engine.profile`, over arrays: boundaries in a chain, and what is known.

Between two boundaries a number of processors is free; it stands with the later of the two. A boundary is
where somebody's slot begins or ends, and knows for how many that is so; whoever has a slot knows both of its
boundaries. So a slot moves without a search for its place, at the cost of what changes between the old
place and the new one, and most moves are short.

Where no slot can begin is remembered, by the size of jobs: see `reach`. What is taken later leaves that
true; what is given back later makes it forget only what comes after, and only for sizes that fit there.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from echelon.kernel import kernel

HEAD, TAIL, NOWHERE = 0, 1, 2
"""Boundaries that are always there: now, the end of time, and one that jobs without a promise have."""
FIRST = 3
"""The first that comes and goes."""

BOUNDARY_TYPE = np.dtype(
    [
        ("time", np.float64),  # not a number if it is out of use
        ("free", np.int32),  # processors free from the boundary before until this one
        ("uses", np.int32),  # slots that begin or end here
        ("before", np.int32),
        ("behind", np.int32),  # the next one; of one out of use, the next of those
    ],
    align=True,
)

CLASSES = 32
"""Planned times that `alarms` tells apart: those of 2^k to 2^(k + 1) seconds, the first one with all below."""

FRESH, LATER = 0, 1
"""Rows of `alarm`: what was given back since the compression before this one began, or since this one did."""


class Watch(NamedTuple):
    """What is known of slots that may have opened."""

    alarm: Any  # float64[2, ...]: by size and planned time, when the first of them begins
    boundary: Any  # int32[2, ...]: where that is
    last: Any  # float64[2, ...]: by size, a time after which nobody is promised a start, and the next one
    opened: Any  # int64[...]: by size, where a stretch begins (scratch)


def fresh_watch(processors: int) -> Watch:
    """Return what is known at first of the profile of a machine."""
    levels = processors.bit_length()
    cells = (2, CLASSES * levels)
    return Watch(
        np.full(cells, np.inf), np.zeros(cells, dtype=np.int32), np.full((2, levels), -np.inf),
        np.empty(levels, dtype=np.int64),
    )  # fmt: skip


_ROUNDED = 1e-9
"""A share of a time that rounding is far below."""


@kernel
def begin(machine, boundaries, free, now):
    """Lay out a profile in which `free` processors are free for ever."""
    head, tail, nowhere = boundaries[HEAD], boundaries[TAIL], boundaries[NOWHERE]
    head.time, head.free, head.behind = now, -1, TAIL
    tail.time, tail.free, tail.before = np.inf, free, HEAD
    nowhere.time, nowhere.free = -np.inf, -1
    machine.touched, machine.spare = FIRST, -1


@kernel
def rebuild(machine, boundaries, running, now):
    """Lay the profile out from the running jobs alone."""
    begin(machine, boundaries, machine.free, now)
    last = HEAD
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            # A job planned to end by now holds nothing: its processors count from now on.
            if block.key[i] > boundaries[last].time:
                last = _insert(machine, boundaries, last, block.key[i])
            boundaries[TAIL].free += block.size[i]
    machine.segments += machine.touched - FIRST + 1


@kernel
def _insert(machine, boundaries, k, time):
    """Put a boundary behind boundary `k` and return it; nothing changes there yet."""
    new = machine.spare
    if new >= 0:
        machine.spare = boundaries[new].behind
    else:
        new = machine.touched
        machine.touched += 1
    behind = boundaries[k].behind
    boundary = boundaries[new]
    boundary.time, boundary.free, boundary.uses = time, boundaries[behind].free, 0
    boundary.before, boundary.behind = k, behind
    boundaries[k].behind = boundaries[behind].before = new
    return new


@kernel
def _retire(machine, boundaries, k):
    """Put boundary `k`, which is in the chain no more, among those out of use."""
    boundaries[k].time, boundaries[k].behind = np.nan, machine.spare
    machine.spare = k


@kernel
def let_go(machine, boundaries, k):
    """Drop boundary `k` if nobody's slot begins or ends there any more."""
    boundary = boundaries[k]
    boundary.uses -= 1
    if boundary.uses == 0 and k >= FIRST:
        boundaries[boundary.before].behind = boundary.behind
        boundaries[boundary.behind].before = boundary.before
        _retire(machine, boundaries, k)


@kernel
def advance(machine, boundaries, now):
    """Forget what lies before `now`."""
    k = boundaries[HEAD].behind
    while boundaries[k].time <= now:
        behind = boundaries[k].behind
        _retire(machine, boundaries, k)
        k = behind
    boundaries[HEAD].behind, boundaries[k].before = k, HEAD
    boundaries[HEAD].time = max(boundaries[HEAD].time, now)


@kernel
def take(machine, boundaries, k, end, size):
    """Occupy `size` processors from boundary `k` until `end`; return the boundary there."""
    steps = 1
    behind = boundaries[k].behind
    while boundaries[behind].time <= end:
        boundaries[behind].free -= size
        k, behind = behind, boundaries[behind].behind
        steps += 1
    machine.segments += steps
    if boundaries[k].time < end:
        k = _insert(machine, boundaries, k, end)
        boundaries[k].free -= size
    return k


@kernel
def give_back(machine, boundaries, watch, first, last, size):
    """Free `size` processors from boundary `first` to boundary `last`, and note which slots that may open."""
    k, steps, most = first, 0, 0
    while k != last:
        k = boundaries[k].behind
        boundaries[k].free += size
        most = max(most, boundaries[k].free)
        steps += 1
    machine.segments += steps
    # Sizes of which nobody is promised a start after this are not concerned.
    lowest, highest, since = 0, exponent(most), boundaries[first].time
    while lowest <= highest and watch.last[FRESH, lowest] <= since:
        lowest += 1
    if lowest <= highest:
        _open(machine, boundaries, watch, first, last, lowest)


@kernel
def _open(machine, boundaries, watch, first, last, lowest):
    """Note the stretches between two boundaries, and beyond, by how many are free: 2^`lowest` or more."""
    opened, steps = watch.opened, 1
    k = boundaries[first].behind
    level = max(exponent(boundaries[k].free), lowest - 1)
    start = first
    for lower in range(level, lowest - 1, -1):
        while boundaries[start].free >= 1 << lower:
            start = boundaries[start].before
            steps += 1
        opened[lower] = start
    while k != last:
        behind = boundaries[k].behind
        above = max(exponent(boundaries[behind].free), lowest - 1)
        for up in range(level + 1, above + 1):
            opened[up] = k
        _note(boundaries, watch, above, level, k)
        level, k = above, behind
    while level >= lowest:
        # What is free from here on was so before: only what began earlier goes on.
        behind = boundaries[k].behind
        above = max(min(level, exponent(boundaries[behind].free)), lowest - 1) if k != TAIL else lowest - 1
        _note(boundaries, watch, above, level, k)
        level, k = above, behind
        steps += 1
    machine.segments += steps


@kernel
def exponent(number):
    """Return the largest k with 2^k <= `number`, -1 if it is below 1."""
    return max((np.float64(number).view(np.int64) >> 52) - 1023, -1)


@kernel
def _note(boundaries, watch, above, level, k):
    """Note that at boundary `k` the stretches end in which more than 2^`above`, up to 2^`level`, are free."""
    end = boundaries[k].time
    for closing in range(above + 1, level + 1):
        first = watch.opened[closing]
        start = boundaries[first].time
        longest = closing * CLASSES + min(max(exponent(_length(start, end)), 0), CLASSES - 1)
        for row in range(2):
            cell = longest
            while cell >= closing * CLASSES and watch.alarm[row, cell] > start:
                watch.alarm[row, cell], watch.boundary[row, cell] = start, first
                cell -= 1


@kernel
def _length(start, end):
    """Return how long it is from `start` to `end` at most, however they are rounded."""
    return end - start + _ROUNDED * (abs(start) + abs(end))


@kernel
def next_compression(watch):
    """Forget what everybody who waits has been told of: what was given back before this compression."""
    alarm, boundary = watch.alarm, watch.boundary
    for cell in range(alarm.shape[1]):
        alarm[FRESH, cell], boundary[FRESH, cell] = alarm[LATER, cell], boundary[LATER, cell]
        alarm[LATER, cell] = np.inf
    last = watch.last
    for level in range(last.shape[1]):
        last[FRESH, level], last[LATER, level] = last[LATER, level], -np.inf


@kernel
def copy_watch(watch, to):
    """Copy what is known of slots over what was known of others."""
    for row in range(2):
        for cell in range(watch.alarm.shape[1]):
            to.alarm[row, cell], to.boundary[row, cell] = watch.alarm[row, cell], watch.boundary[row, cell]
    for level in range(watch.last.shape[1]):
        to.last[FRESH, level] = watch.last[FRESH, level]


@kernel
def earlier(machine, boundaries, watch, cell, size, duration, promised):
    """Return where the earliest slot begins for a job of this cell with a promise, if it is alarmed.

    It is -1 if there is none before its promise.
    """
    latest = boundaries[promised].time
    k = watch.boundary[FRESH, cell]
    if boundaries[k].time != watch.alarm[FRESH, cell]:
        k = HEAD
    # First go to a stretch for which some job of this cell might be small enough, ...
    needed, shortest = 1 << cell // CLASSES, 0.0
    if cell % CLASSES > 0:
        shortest = float(1 << cell % CLASSES)
    first, since, steps = k, boundaries[k].time, 1
    while True:
        k = boundaries[k].behind
        time = boundaries[k].time
        if boundaries[k].free < needed:
            first, since = k, time
            if time >= latest:
                break
        elif time >= latest or _length(since, time) >= shortest:
            break
        steps += 1
    machine.segments += steps
    # ... and remember that there is none before it.
    beyond = (cell // CLASSES + 1) * CLASSES
    for row in range(2):
        other = cell
        while other < beyond and watch.alarm[row, other] < since:
            watch.alarm[row, other], watch.boundary[row, other] = since, first
            other += 1
    return find(machine, boundaries, first, size, duration, latest) if since < latest else -1


@kernel
def bring_forward(machine, boundaries, watch, first, last, to, end, size):
    """Move a slot of `size` processors from [first, last) to one that begins at boundary `to` before it.

    That one ends at `end`. All but `end` are boundaries; return the one at `end`.
    """
    if end <= boundaries[first].time:
        new = take(machine, boundaries, to, end, size)
        give_back(machine, boundaries, watch, first, last, size)
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
        new = _insert(machine, boundaries, new, end)
    give_back(machine, boundaries, watch, new, last, size)
    return new


@kernel
def find(machine, boundaries, k, size, duration, latest):
    """Return the first boundary from `k` on from which `size` processors stay free for `duration`, or -1.

    It must be before `latest`, and a slot needs to be free only up to then.
    """
    first, steps = k, 1
    since = boundaries[first].time
    while True:
        k = boundaries[k].behind
        time = boundaries[k].time
        if boundaries[k].free < size:
            first, since = k, time
            if time >= latest:
                first = -1
                break
        elif time >= since + duration or time >= latest:
            break
        steps += 1
    machine.segments += steps
    return first


@kernel
def fits(machine, boundaries, size, end):
    """Return whether `size` processors are free from now until `end`."""
    k, steps = boundaries[HEAD].behind, 1
    while boundaries[k].free >= size and boundaries[k].time < end:
        k = boundaries[k].behind
        steps += 1
    machine.segments += steps
    return boundaries[k].free >= size


@kernel
def nearest(machine, boundaries, promised, size):
    """Return the boundary from which `size` processors stay free until boundary `promised`."""
    steps = 1
    while boundaries[promised].free >= size:
        promised = boundaries[promised].before
        steps += 1
    machine.segments += steps
    return promised
