"""The availability profile of `echelon.engine.profile`, over arrays: a chain of boundaries.

Between two boundaries a number of processors is free; it stands with the later of the two. A boundary is
where somebody's slot begins or ends, and knows for how many that is so; whoever has a slot knows both of its
boundaries. So a slot moves without a search for its place, at the cost of what changes between the old
place and the new one, and most moves are short.

Which stretches are free is remembered, by the size of jobs: see `reach`. What is taken later makes none
longer; where something is given back is noted, for sizes that fit there, and looked at again when somebody of
that size asks. So most jobs that can not move cost a few comparisons, however long the profile is.
"""

from __future__ import annotations

import numpy as np

from echelon.libraries.kernel import kernel

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
        ("begin", np.float64, (GAPS,)),  # when a stretch begins in which as many as `size` are free
        ("length", np.float64, (GAPS,)),  # at most this long; each one is longer than those before it
        ("boundary", np.int64, (GAPS,)),  # where it begins
    ],
    align=True,
)
"""What is known of the slots for jobs of one size, or of similar ones: stretches longer than any before."""

KNOWN, LONGEST, SIZE, SINCE, UNTIL, PLACE = 0, 1, 2, 3, 4, 5
"""Rows of `reach`, a column a level: up to when its stretches are known, the length of the longest, its size,
and between which times something was given back that is not known yet.

Known are the stretches that have ended by then: each is no longer than one of those remembered that begins
no later. `PLACE` is the boundary at `SINCE`.
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
        reach[KNOWN, level], reach[SINCE, level], reach[UNTIL, level] = -np.inf, np.inf, -np.inf
        reach[PLACE, level] = HEAD


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
    first, since, end, most, steps = k, boundaries[k].time, boundaries[until].time, 0, 0
    while k != until:
        k = boundaries[k].behind
        boundaries[k].free += size
        most = max(most, boundaries[k].free)
        steps += 1
    machine.segments += steps
    # Only where as many are free as they need can there be a longer stretch for these sizes.
    level = 0
    while level < reach.shape[1] and reach[SIZE, level] <= most:
        if since < reach[SINCE, level]:
            reach[SINCE, level], reach[PLACE, level] = since, first
        reach[UNTIL, level] = max(reach[UNTIL, level], end)
        level += 1


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
def move(machine, boundaries, reach, place, k, end, size):
    """Move the slot of a job, whose place this is, forward to boundary `k`; it ends at `end` then."""
    first, last = place.begin, place.end
    place.begin, place.end = k, bring_forward(machine, boundaries, reach, first, last, k, end, size)
    use(boundaries, place.begin, place.end)
    let_go(machine, boundaries, first)
    let_go(machine, boundaries, last)


@kernel
def use(boundaries, first, last):
    """Note that somebody's slot begins at boundary `first` and ends at boundary `last`."""
    boundaries[first].uses += 1
    boundaries[last].uses += 1


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
    if nearest != HEAD:
        learn(machine, boundaries, levels[level], reach, level, nearest)
    if nearest != HEAD and reach[LONGEST, level] >= duration:
        gap = _gap(levels[level], duration)
        if levels[level].begin[gap] < since:
            k = _start_of(boundaries, levels[level], gap)
            if k < 0:
                _shorten(levels[level], reach, level, gap)
                learn(machine, boundaries, levels[level], reach, level, nearest)
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
    """Return the boundary at which a stretch that is remembered begins, or now; -1 if that is gone."""
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
def learn(machine, boundaries, level, reach, column, until):
    """Learn of all stretches up to boundary `until`, where none is."""
    time = boundaries[until].time
    if reach[KNOWN, column] == -np.inf:
        level.gaps = 0
    if reach[SINCE, column] < min(time, reach[KNOWN, column]):
        last = min(reach[UNTIL, column], reach[KNOWN, column])
        place = int(reach[PLACE, column])
        if boundaries[place].time != reach[SINCE, column]:
            place = until
        _scan(machine, boundaries, level, reach[SIZE, column], reach[SINCE, column], last, place)
        reach[SINCE, column], reach[UNTIL, column] = np.inf, -np.inf
    if reach[KNOWN, column] < time:
        _scan(machine, boundaries, level, reach[SIZE, column], reach[KNOWN, column], time, until)
        reach[KNOWN, column] = time
    reach[LONGEST, column] = level.length[level.gaps - 1] if level.gaps > 0 else -1.0


@kernel
def _scan(machine, boundaries, level, size, since, last, k):
    """Remember the stretches that there are between two times; the first is not after boundary `k`."""
    steps = 1
    while boundaries[k].time > since and k != HEAD:
        k = boundaries[k].before
        steps += 1
    while boundaries[k].free >= size:
        k = boundaries[k].before
        steps += 1
    first = k
    while True:
        behind = boundaries[k].behind
        steps += 1
        if boundaries[behind].free < size:
            if first != k:
                _remember(level, boundaries[first].time, boundaries[k].time, first)
            first = behind
            if boundaries[behind].time >= last:
                break
        elif behind == TAIL:
            _remember(level, boundaries[first].time, np.inf, first)
            break
        k = behind
    machine.segments += steps


@kernel
def _remember(level, start, end, boundary):
    """Remember a stretch, unless one that begins no later is as long."""
    length = end - start + _ROUNDED * (abs(start) + abs(end))
    place, gaps = level.gaps, level.gaps
    while place > 0 and level.begin[place - 1] > start:
        place -= 1
    if place > 0 and level.length[place - 1] >= length:
        return
    last = place
    while last < gaps and level.length[last] <= length:
        last += 1
    if last == place and gaps == GAPS:
        # No room: one that begins before stands for this one, too.
        if place > 0:
            level.length[place - 1] = length
        else:
            level.begin[0], level.boundary[0] = start, boundary
        return
    shift = 1 - (last - place)
    if shift > 0:
        for k in range(gaps, last, -1):
            level.begin[k], level.length[k] = level.begin[k - 1], level.length[k - 1]
            level.boundary[k] = level.boundary[k - 1]
    elif shift < 0:
        for k in range(last, gaps):
            level.begin[k + shift], level.length[k + shift] = level.begin[k], level.length[k]
            level.boundary[k + shift] = level.boundary[k]
    level.begin[place], level.length[place], level.boundary[place] = start, length, boundary
    level.gaps = gaps + shift
