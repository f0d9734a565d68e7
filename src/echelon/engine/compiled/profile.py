"""The availability profile of `echelon.engine.profile`, over arrays: boundaries in a chain, and what is known.

Between two boundaries a number of processors is free; it stands with the later of the two. A boundary is
where somebody's slot begins or ends, and knows for how many that is so; whoever has a slot knows both of its
boundaries. So a slot moves without a search for its place, at the cost of what changes between the old
place and the new one, and most moves are short.

Where no slot can begin is remembered, by the size of jobs: see `reach`. What is taken later leaves that
true; what is given back later makes it forget only what comes after, and only for sizes that fit there.
"""

from __future__ import annotations

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

KIND_TYPE = np.dtype(
    [
        ("known", np.float64),  # no slot begins before this time ...
        ("seen", np.int64),  # ... if nothing was given back after so many times
        ("boundary", np.int64),  # the boundary at that time, or at another if it is gone
    ],
    align=True,
)
"""What is known of slots for jobs of one size and planned time, promises to themselves aside."""

RISE_TYPE = np.dtype([("time", np.float64), ("most", np.int64)], align=True)
"""Something given back: from `time` on, so that up to `most` are free then."""

RISES = 1024
"""How many of them are remembered, a power of two; a kind not asked about for longer is looked for anew."""

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
def give_back(machine, boundaries, rises, first, last, size):
    """Free `size` processors from boundary `first` to boundary `last`."""
    k, steps, most = first, 0, 0
    while k != last:
        time = boundaries[k].time
        k = boundaries[k].behind
        boundaries[k].free += size
        if boundaries[k].free > most:
            # Whoever needs more than was free in this stretch before finds it from here on at the earliest.
            most = boundaries[k].free
            rise = rises[machine.rises & (RISES - 1)]
            rise.time, rise.most = time, most
            machine.rises += 1
        steps += 1
    machine.segments += steps


@kernel
def forget(machine):
    """Forget what is known of slots of every kind."""
    machine.rises += RISES + 1


@kernel
def catch_up(machine, rises, kind, size, duration):
    """Take into account what was given back since it was last asked about slots of this kind."""
    known = kind.known
    if machine.rises - kind.seen > RISES:
        known = -np.inf
    else:
        for k in range(kind.seen, machine.rises):
            rise = rises[k & (RISES - 1)]
            if rise.most >= size:
                # A little earlier than exact, because the difference may be rounded up.
                known = min(known, rise.time - duration - _ROUNDED * abs(rise.time))
    kind.known, kind.seen = known, machine.rises


@kernel
def bring_forward(machine, boundaries, rises, first, last, to, end, size):
    """Move a slot of `size` processors from [first, last) to one that begins at boundary `to` before it.

    That one ends at `end`. All but `end` are boundaries; return the one at `end`.
    """
    if end <= boundaries[first].time:
        new = take(machine, boundaries, to, end, size)
        give_back(machine, boundaries, rises, first, last, size)
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
    give_back(machine, boundaries, rises, new, last, size)
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
def earliest(machine, boundaries, rises, kind, size, duration, promised):
    """Return the boundary at which the earliest slot for a job of this kind begins.

    `promised` is where a slot of its own begins already, which counts as free for it and is returned if
    there is none before it; `TAIL` without.
    """
    if kind.seen != machine.rises:
        catch_up(machine, rises, kind, size, duration)
    latest = boundaries[promised].time
    if kind.known + duration <= latest:
        k = find(machine, boundaries, _from(machine, boundaries, kind, promised, size), size, duration, latest)
        kind.boundary = k if k >= 0 else promised
        kind.known = boundaries[kind.boundary].time
        if k >= 0:
            return k
    # Only one that reaches the promised slot is left.
    k, steps = promised, 1
    while boundaries[k].free >= size:
        k = boundaries[k].before
        steps += 1
    machine.segments += steps
    return k


@kernel
def _from(machine, boundaries, kind, promised, size):
    """Return a boundary, where a slot may begin, before which there is none for this kind."""
    known = kind.known
    if known <= boundaries[HEAD].time:
        return HEAD
    k, steps = kind.boundary, 1
    if boundaries[k].time != known:
        if promised == TAIL:
            return HEAD
        k = promised
        while boundaries[k].time > known:
            k = boundaries[k].before
            steps += 1
    while boundaries[k].free >= size:
        k = boundaries[k].before
        steps += 1
    machine.segments += steps
    return k
