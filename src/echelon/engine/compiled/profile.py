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

GAPS = 16
"""Stretches that are remembered for each level."""
LEVEL_TYPE = np.dtype(
    [
        ("gaps", np.int64),
        ("begin", np.float64, (GAPS,)),  # when a stretch begins in which as many as `size` are free ...
        ("end", np.float64, (GAPS,)),  # ... and ends
        ("length", np.float64, (GAPS,)),  # at most this long; each one is longer than those before it
        ("boundary", np.int64, (GAPS,)),  # where it begins
    ],
    align=True,
)
"""What is known of the slots for jobs of one size, or of similar ones: stretches longer than any before."""

KNOWN, LONGEST, SIZE = 0, 1, 2
"""Rows of `reach`, a column a level: up to when its stretches are known, the length of the longest, its size.

Known are the stretches that have ended by then: each is no longer than one of those remembered that begins
no later.
"""

_ROUNDED = 1e-9
"""A share of a time that rounding is far below."""


@kernel
def begin(machine, boundaries, reach, free, now):
    """Lay out a profile in which `free` processors are free for ever."""
    head, tail, nowhere = boundaries[HEAD], boundaries[TAIL], boundaries[NOWHERE]
    head.time, head.free, head.behind = now, -1, TAIL
    tail.time, tail.free, tail.before = np.inf, free, HEAD
    nowhere.time, nowhere.free = -np.inf, -1
    machine.touched, machine.spare = FIRST, -1
    forget(reach)


@kernel
def forget(reach):
    """Forget what is known of slots."""
    for level in range(reach.shape[1]):
        reach[KNOWN, level] = -np.inf


@kernel
def rebuild(machine, boundaries, reach, running, now):
    """Lay the profile out from the running jobs alone."""
    begin(machine, boundaries, reach, machine.free, now)
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
def give_back(machine, boundaries, reach, k, until, size):
    """Free `size` processors from boundary `k` to boundary `until`."""
    most = -1
    while k != until:
        time = boundaries[k].time
        k = boundaries[k].behind
        boundaries[k].free += size
        machine.segments += 1
        if boundaries[k].free > most:
            # Sizes that fit here, and not before, may have longer stretches from here on.
            most = boundaries[k].free
            known, sizes = reach[KNOWN], reach[SIZE]
            for level in range(len(known)):
                known[level] = time if (sizes[level] <= most) & (known[level] > time) else known[level]


@kernel
def bring_forward(machine, boundaries, reach, first, last, to, end, size):
    """Move a slot of `size` processors from [first, last) to one that begins at boundary `to` before it.

    That one ends at `end`. All but `end` are boundaries; return the one at `end`.
    """
    if end <= boundaries[first].time:
        new = take(machine, boundaries, to, end, size)
        give_back(machine, boundaries, reach, first, last, size)
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
    give_back(machine, boundaries, reach, new, last, size)
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
def earliest(machine, boundaries, levels, reach, level, size, duration, promised):
    """Return the boundary from which `size` processors stay free the earliest for `duration`.

    `promised` is where a slot of the job begins already, which counts as free for it and is returned if
    there is none before it; `TAIL` without.
    """
    # Slots that reach the promised one: the first of them begins with the stretch that does.
    nearest = promised
    least = reach[SIZE, level]
    while boundaries[nearest].free >= least:
        nearest = boundaries[nearest].before
        machine.segments += 1
    since, latest = boundaries[nearest].time, boundaries[promised].time
    if nearest != HEAD and reach[KNOWN, level] < since:
        extend(machine, boundaries, levels[level], reach, level, nearest)
    if nearest != HEAD and reach[LONGEST, level] >= duration:
        gap = _gap(levels[level], duration)
        if levels[level].begin[gap] < since:
            k = _start_of(boundaries, levels[level], gap)
            if k < 0:
                _shorten(levels[level], reach, level, gap)
                extend(machine, boundaries, levels[level], reach, level, nearest)
                k = levels[level].boundary[gap] if gap < levels[level].gaps else nearest
            else:
                # Somebody may have taken it by now: then it is not looked at a second time.
                _shorten(levels[level], reach, level, gap)
            found = find(machine, boundaries, k, size, duration, latest)
            return found if found >= 0 else promised
    if least == size or nearest == promised:
        return nearest
    found = find(machine, boundaries, nearest, size, duration, latest)
    return found if found >= 0 else promised


@kernel
def _gap(level, duration):
    """Return the first stretch remembered that may be as long as `duration`; there is one."""
    gap = 0
    while level.length[gap] < duration:
        gap += 1
    return gap


@kernel
def _start_of(boundaries, level, gap):
    """Return the boundary at which a stretch that is remembered begins, or now; -1 if there is none any more."""
    k, time = level.boundary[gap], level.begin[gap]
    if boundaries[k].time == time:
        return k
    return HEAD if time <= boundaries[HEAD].time else -1


@kernel
def _shorten(level, reach, column, gap):
    """Forget the stretch `gap` and whatever comes after it began."""
    reach[KNOWN, column] = min(reach[KNOWN, column], level.begin[gap])
    level.gaps = gap
    reach[LONGEST, column] = level.length[gap - 1] if gap > 0 else -1.0


@kernel
def extend(machine, boundaries, level, reach, column, until):
    """Learn of all stretches up to boundary `until`, where none is."""
    since, size = reach[KNOWN, column], reach[SIZE, column]
    gaps = level.gaps if since > -np.inf else 0
    while gaps > 0 and level.end[gaps - 1] >= since:
        # What was given back since may have made it longer, and what was taken then, shorter.
        gaps -= 1
        since = min(since, level.begin[gaps])
    longest = level.length[gaps - 1] if gaps > 0 else -1.0
    k, steps = until, 1
    while boundaries[k].time > since and k != HEAD:
        k = boundaries[k].before
        steps += 1
    while boundaries[k].free >= size:
        k = boundaries[k].before
        steps += 1
    first = k
    while k != until:
        behind = boundaries[k].behind
        steps += 1
        if boundaries[behind].free < size:
            if first != k:
                start, end = boundaries[first].time, boundaries[k].time
                length = end - start + _ROUNDED * (abs(start) + abs(end))
                if length > longest:
                    longest = length
                    if gaps == GAPS:
                        # No room: the last one stands for this one, too.
                        gaps -= 1
                    else:
                        level.begin[gaps], level.boundary[gaps] = start, first
                    level.end[gaps], level.length[gaps] = end, length
                    gaps += 1
            first = behind
        k = behind
    machine.segments += steps
    level.gaps = gaps
    reach[KNOWN, column], reach[LONGEST, column] = boundaries[until].time, longest
