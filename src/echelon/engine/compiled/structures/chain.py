"""The availability profile of `echelon.engine.resources.profile`, over arrays: a chain of boundaries.

Between two boundaries the number of free processors is constant; it is stored with the later boundary. Slots
of jobs begin and end at boundaries; a boundary counts them, and a job with a slot knows both of its
boundaries. So a slot moves without a search for its place, at the cost of the changes between the old place
and the new one, and most moves are short. The waiting jobs with a reservation at a boundary form a line
there, so that the next due reservation is found without a heap.
"""

from __future__ import annotations

import numpy as np

from echelon.libraries.kernel import kernel

HEAD, TAIL, NOWHERE = 0, 1, 2
"""Boundaries that always exist: now, the end of time, and one for jobs without a reservation."""
FIRST = 3
"""The first that comes and goes."""

BOUNDARY_TYPE = np.dtype(
    [
        ("time", np.float64),  # not a number if it is out of use
        ("free", np.int32),  # processors free from the boundary before until this one
        ("uses", np.int32),  # slots that begin or end here
        # Without a sign: no index counts from the end, and machine code need not look whether one does.
        ("before", np.uint32),
        ("behind", np.uint32),  # the next one; of one out of use, the next of those
        ("line", np.int32),  # the first waiting job reserved to start here, -1 without
    ],
    align=True,
)


@kernel
def lay_out(machine, boundaries, free, now):
    """Build a profile in which `free` processors are free forever."""
    head, tail, nowhere = boundaries[HEAD], boundaries[TAIL], boundaries[NOWHERE]
    head.time, head.free, head.behind, head.line = now, -1, TAIL, -1
    tail.time, tail.free, tail.before, tail.line = np.inf, free, HEAD, -1
    nowhere.time, nowhere.free, nowhere.line = -np.inf, -1, -1
    machine.touched, machine.spare, machine.due = FIRST, HEAD, TAIL


@kernel
def rebuild(machine, boundaries, running, now):
    """Lay the profile out from the running jobs alone."""
    lay_out(machine, boundaries, machine.free, now)
    last = HEAD
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            # A job planned to end by now holds nothing: its processors count from now on.
            if block.key[i] > boundaries[last].time:
                last = insert(machine, boundaries, last, block.key[i])
            boundaries[TAIL].free += block.size[i]
    machine.segments += machine.touched - FIRST + 1


@kernel
def insert(machine, boundaries, k, time):
    """Put a boundary behind boundary `k` and return it; nothing changes there yet."""
    new = machine.spare
    if new != HEAD:
        machine.spare = boundaries[new].behind
    else:
        new = machine.touched
        machine.touched += 1
    behind = boundaries[k].behind
    boundary = boundaries[new]
    boundary.time, boundary.free, boundary.uses = time, boundaries[behind].free, 0
    boundary.line = -1
    boundary.before, boundary.behind = k, behind
    boundaries[k].behind = boundaries[behind].before = new
    return new


@kernel
def _retire(machine, boundaries, k):
    """Put boundary `k`, which has left the chain, among the unused ones."""
    boundaries[k].time, boundaries[k].behind = np.nan, machine.spare
    machine.spare = k


@kernel
def let_go(machine, boundaries, k):
    """Drop boundary `k` if no slot begins or ends there any more."""
    boundary = boundaries[k]
    boundary.uses -= 1
    if boundary.uses == 0 and k >= FIRST:
        boundaries[boundary.before].behind = boundary.behind
        boundaries[boundary.behind].before = boundary.before
        _retire(machine, boundaries, k)


@kernel
def advance(machine, boundaries, places, now):
    """Drop all boundaries before `now`; jobs with reservations by then move to the line of now."""
    k, due = boundaries[HEAD].behind, machine.due
    passed = boundaries[due].time <= now
    while boundaries[k].time <= now:
        behind = boundaries[k].behind
        if boundaries[k].line >= 0:
            _join_lines(boundaries, places, k)
        _retire(machine, boundaries, k)
        k = behind
    boundaries[HEAD].behind, boundaries[k].before = k, HEAD
    boundaries[HEAD].time = max(boundaries[HEAD].time, now)
    if passed:
        machine.due = _next_line(boundaries, k)


@kernel
def _join_lines(boundaries, places, k):
    """Let the line of boundary `k` stand behind that of now."""
    first = boundaries[k].line
    last, here = places[first].previous, boundaries[HEAD].line
    job = first
    while True:
        places[job].begin = HEAD
        job = places[job].next
        if job == first:
            break
    if here < 0:
        boundaries[HEAD].line = first
    else:
        end = places[here].previous
        places[end].next, places[first].previous = first, end
        places[last].next, places[here].previous = here, last


@kernel
def _next_line(boundaries, k):
    """Return the first boundary from `k` on with a reserved start, or the end of time."""
    while boundaries[k].line < 0 and k != TAIL:
        k = boundaries[k].behind
    return k


@kernel
def line_up(machine, boundaries, places, k, job):
    """Append `job`, which has a reservation at boundary `k`, to the line there."""
    place, first = places[job], boundaries[k].line
    place.begin = k
    if first < 0:
        boundaries[k].line = place.next = place.previous = job
    else:
        last = places[first].previous
        place.next, place.previous = first, last
        places[last].next = places[first].previous = job
    if k != HEAD and boundaries[k].time < boundaries[machine.due].time:
        machine.due = k


@kernel
def step_out(machine, boundaries, places, job):
    """Let `job` leave the line that it stands in."""
    place = places[job]
    k, behind = place.begin, place.next
    if behind == job:
        boundaries[k].line = -1
        if k == machine.due:
            machine.due = _next_line(boundaries, k)
    else:
        places[place.previous].next, places[behind].previous = behind, place.previous
        if boundaries[k].line == job:
            boundaries[k].line = behind


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
        k = insert(machine, boundaries, k, end)
        boundaries[k].free -= size
    return k


@kernel
def use(boundaries, first, last):
    """Record that a slot begins at boundary `first` and ends at boundary `last`."""
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
