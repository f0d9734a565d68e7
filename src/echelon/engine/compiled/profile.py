"""The availability profile of `echelon.engine.profile`, over arrays."""

from __future__ import annotations

from echelon.kernel import kernel


@kernel
def _copy(segment, to):
    to.time, to.free = segment.time, segment.free


@kernel
def rebuild(machine, profile, running, now):
    """Lay the profile out from the running jobs alone."""
    level = machine.free
    profile[0].time, profile[0].free = now, level
    n = 1
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            # A job planned to end by now holds nothing: its processors count from the first boundary on.
            if block.key[i] > profile[n - 1].time:
                profile[n].time = block.key[i]
                n += 1
            level += block.size[i]
            profile[n - 1].free = level
    machine.first_segment = 0
    machine.n_segments = n
    machine.segments += n


@kernel
def advance(machine, profile, now):
    """Forget what lies before `now`."""
    first, last = machine.first_segment, machine.n_segments - 1
    while first < last and profile[first + 1].time <= now:
        first += 1
    profile[first].time = max(profile[first].time, now)
    machine.first_segment = first


@kernel
def _segment(machine, profile, time):
    """Return the first boundary not before `time`."""
    low, high = machine.first_segment, machine.n_segments
    while low < high:
        middle = (low + high) // 2
        if profile[middle].time < time:
            low = middle + 1
        else:
            high = middle
    return low


@kernel
def _to_front(machine, profile):
    """Move all boundaries to the front of the arrays, over those forgotten."""
    first = machine.first_segment
    for k in range(first, machine.n_segments):
        _copy(profile[k], profile[k - first])
    machine.n_segments -= first
    machine.first_segment = 0


@kernel
def _cut(machine, profile, time):
    """Make `time` a boundary and return its place. It is never before the first one."""
    if machine.n_segments == len(profile):
        _to_front(machine, profile)
    place = _segment(machine, profile, time)
    n = machine.n_segments
    if place < n and profile[place].time == time:
        return place
    first = machine.first_segment
    if first > 0 and place - first < n - place:
        # Room was left in front by `advance`, and the front is the shorter way.
        for k in range(first, place):
            _copy(profile[k], profile[k - 1])
        machine.first_segment = first - 1
        place -= 1
    else:
        for k in range(n, place, -1):
            _copy(profile[k - 1], profile[k])
        machine.n_segments = n + 1
    profile[place].time, profile[place].free = time, profile[place - 1].free
    return place


@kernel
def _join(machine, profile, place):
    """Drop the boundary at `place` if nothing changes there."""
    n = machine.n_segments
    if place <= machine.first_segment or place >= n or profile[place].free != profile[place - 1].free:
        return
    for k in range(place, n - 1):
        _copy(profile[k + 1], profile[k])
    machine.n_segments = n - 1


@kernel
def change(machine, profile, start, end, by):
    """Add `by` free processors in [start, end)."""
    if not start < end:
        return
    first = _cut(machine, profile, start)
    shift = machine.first_segment
    last = _cut(machine, profile, end)
    # Making room in front moves the boundaries before it down.
    first -= shift - machine.first_segment
    machine.segments += last - first
    for k in range(first, last):
        profile[k].free += by
    _join(machine, profile, last)
    _join(machine, profile, first)


@kernel
def earliest(machine, profile, size, duration, since, latest, before):
    """Return the earliest time from which `size` processors stay free for `duration`.

    With `latest` finite, the job has a promise there which counts as free for it: a slot needs to be
    free only up to `latest`, which is returned if there is none before it. Only slots that begin at the
    first boundary, or at one not before `since`, and before `before` are looked at.
    """
    n = machine.n_segments
    first = machine.first_segment
    if since > profile[first].time:
        first = _segment(machine, profile, since)
        if first == n or profile[first].time >= min(latest, before):
            return latest
    k = first
    begin = k
    found = latest
    while k < n:
        if profile[k].free < size:
            begin = k + 1
            if begin >= n or profile[begin].time >= latest or profile[begin].time >= before:
                break
        elif (
            k + 1 == n
            or profile[k + 1].time >= profile[begin].time + duration
            or profile[k + 1].time >= latest
        ):
            found = profile[begin].time
            break
        k += 1
    machine.segments += k - first + 1
    return found
