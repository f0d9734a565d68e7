"""Openings: stretches of the profile in which a waiting job might find an earlier slot, by size.

No slot for a waiting job exists before its own. A new one can arise only where processors are released, so
each stretch that arises there is recorded as an opening: for every level of sizes that newly fit, if it is
long enough for some waiting job whose slot begins later. Later allocations shrink an opening, so it is
examined again, exactly, when a job needs it. Durations are grouped into classes that begin at common planned
times: for each class the start of the first opening of that length is known, and the latest slot of a job
that short.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.structures.chain import HEAD, TAIL
from echelon.libraries.kernel import kernel

KLASSES = 32
"""Classes of durations; where each begins is read off the planned times."""
OPENINGS = 24
"""Openings that are remembered for each level; if there are more, the two that are closest become one."""


def level_type(openings: int) -> np.dtype[np.void]:
    """Return the type of the openings for jobs of one size, or of similar ones.

    They are in order of time and do not overlap; there are at most `openings`.
    """
    return np.dtype(
        [
            ("count", np.int64),
            ("dropped", np.int64),  # whether some are gone since it was noted where the first ones begin
            ("begin", np.float64, (openings + 1,)),  # no opening begins before
            ("end", np.float64, (openings + 1,)),  # or ends after
            ("boundary", np.int64, (openings + 1,)),  # where it began when it was noted
            ("last", np.int64, (KLASSES,)),  # a job of each class whose slot began late, -1 without
        ],
        align=True,
    )


LEVEL_TYPE = level_type(OPENINGS)

SIZE, OPENS, LATEST = 0, 1, 1 + KLASSES
"""Columns of `reach`, which has a row a level: its least size; where the first opening of a class or of
longer ones begins; and when the last slot of a job of a class or of shorter ones begins."""
EVER = LATEST + KLASSES - 1
"""The last slot of any job: no later than now if none of this size waits."""
KNOWN = LATEST + KLASSES
"""The generation of each level's data; the row behind the last level holds the current generation.

In that row, the columns from OPENS on hold the least duration of each class."""
LARGEST = KNOWN + 1
"""The largest size of a level."""
COLUMNS = LARGEST + 1

_ROUNDED = 1e-9
"""A share of a time that rounding is far below."""


@kernel
def klass_of(reach, duration):
    """Return the class of a duration in seconds: the last class whose least duration is not longer."""
    least, klass = reach[len(reach) - 1], -1
    # All are compared at once; a search would wait for each comparison in turn.
    for k in range(OPENS, LATEST):
        klass += duration >= least[k]
    return klass


@kernel
def forget(levels, reach):
    """Forget all: any waiting job may have an earlier slot anywhere."""
    reach[len(levels), KNOWN] += 1
    for column in range(len(levels)):
        for k in range(OPENS, LATEST):
            reach[column, k] = -np.inf


@kernel
def is_known(reach, column):
    """Return whether anything is known of this level since all was forgotten."""
    return reach[column, KNOWN] == reach[len(reach) - 1, KNOWN]


@kernel
def _renew(level, reach, column):
    """Record one opening, which is the whole profile."""
    reach[column, KNOWN] = reach[len(reach) - 1, KNOWN]
    level.count, level.dropped = 1, 0
    level.begin[0], level.end[0], level.boundary[0] = -np.inf, np.inf, HEAD
    for klass in range(KLASSES):
        level.last[klass] = -1
        reach[column, LATEST + klass] = np.inf
        reach[column, OPENS + klass] = -np.inf


@kernel
def _first_of_its_size(level, reach, column):
    """Record that no job of this level waits and that there is no opening."""
    level.count = level.dropped = 0
    for klass in range(KLASSES):
        level.last[klass] = -1
        reach[column, LATEST + klass] = -np.inf
        reach[column, OPENS + klass] = np.inf


@kernel
def last_before(level, reach, column, klass, jobs, size, duration, now):
    """Return a waiting job of at most this demand whose slot begins late; -1 without."""
    if not is_known(reach, column):
        _renew(level, reach, column)
    elif reach[column, EVER] <= now:
        _first_of_its_size(level, reach, column)
    last, latest = -1, -np.inf
    for k in range(klass + 1):
        job = level.last[k]
        # A job that has started has no reservation: NaN is not later.
        if (
            job >= 0
            and jobs[job].reserved > latest
            and jobs[job].size <= size
            and jobs[job].planned <= duration
        ):
            last, latest = job, jobs[job].reserved
    return last


@kernel
def note_reservation(level, reach, column, klass, jobs, job):
    """Record the slot of the new `job`."""
    reserved, last = jobs[job].reserved, level.last[klass]
    if last < 0 or not jobs[last].reserved > reserved:
        level.last[klass] = job
    for k in range(LATEST + klass, KNOWN):
        reach[column, k] = max(reach[column, k], reserved)


@kernel
def note_openings(machine, boundaries, levels, reach, first, until, before, least, most):
    """Record the openings that arise where processors are released, between two boundaries.

    At least `before` of them were free there, and from `least` to `most` are now.
    """
    low, column = 0, len(levels)
    while low < column:
        middle = (low + column) >> 1
        if reach[middle, SIZE] <= most:
            low = middle + 1
        else:
            column = middle
    # An opening for large jobs is one for smaller jobs: from level to level the stretch only grows.
    left, right, now, steps = first, until, boundaries[HEAD].time, 0
    column -= 1
    # A level whose least size fitted before, but not its largest, has a new opening for some of its jobs.
    while column >= 0 and reach[column, LARGEST] > before:
        if reach[column, EVER] > now and is_known(reach, column):
            size = int(reach[column, SIZE])
            while boundaries[left].free >= size:
                left = boundaries[left].before
                steps += 1
            while right != TAIL and boundaries[boundaries[right].behind].free >= size:
                right = boundaries[right].behind
                steps += 1
            if boundaries[left].time < reach[column, EVER]:
                if size <= least:
                    _add_if_wanted(boundaries, levels[column], reach, column, left, right)
                else:
                    steps += _note(boundaries, levels[column], reach, column, first, until, left, right)
        column -= 1
    machine.segments += steps


@kernel
def _note(boundaries, level, reach, column, first, until, left, right):
    """Note the stretches, if they are several: the first may reach to `left`, the last to `right`."""
    size, start, k, steps = int(reach[column, SIZE]), left, first, 0
    while k != until:
        behind = boundaries[k].behind
        if boundaries[behind].free < size:
            if start != k != first:
                _add_if_wanted(boundaries, level, reach, column, start, k)
            start = behind
        k = behind
        steps += 1
    if start != until:
        _add_if_wanted(boundaries, level, reach, column, start, right)
    return steps


@kernel
def _length(begin, end):
    """Return an upper bound of the length of an opening, allowing for rounding of ends."""
    return end - begin + _ROUNDED * (abs(begin) + abs(end)) if end < np.inf else np.inf


@kernel
def _add_if_wanted(boundaries, level, reach, column, first, last):
    """Record an opening if the slot of some job short enough begins after it."""
    begin, end = boundaries[first].time, boundaries[last].time
    if reach[column, LATEST + klass_of(reach, _length(begin, end))] > begin:
        _add(level, reach, column, begin, end, first)


@kernel
def _add(level, reach, column, begin, end, boundary):
    """Record an opening, merged with those that it touches."""
    low = level.count
    while low > 0 and level.end[low - 1] >= begin:
        low -= 1
    high = low
    while high < level.count and level.begin[high] <= end:
        if level.begin[high] < begin:
            begin, boundary = level.begin[high], level.boundary[high]
        end = max(end, level.end[high])
        high += 1
    _make_way(level, low, high)
    level.begin[low], level.end[low], level.boundary[low] = begin, end, boundary
    if level.count == len(level.begin):
        _join_closest(level, reach, column)
    # The starts of merged openings are no later than the known start of their class.
    _open(reach, column, begin, end)
    level.dropped |= high > low


@kernel
def _make_way(level, low, high):
    """Replace the openings from `low` to `high` by one."""
    shift = 1 - (high - low)
    if shift > 0:
        for k in range(level.count, high, -1):
            _copy(level, k - 1, k)
    elif shift < 0:
        for k in range(high, level.count):
            _copy(level, k, k + shift)
    level.count += shift


@kernel
def _copy(level, k, to):
    level.begin[to], level.end[to], level.boundary[to] = level.begin[k], level.end[k], level.boundary[k]


@kernel
def _join_closest(level, reach, column):
    """Merge the two neighboring openings of least total length."""
    closest, shortest = 0, np.inf
    for k in range(level.count - 1):
        length = level.end[k + 1] - level.begin[k]
        if length < shortest:
            closest, shortest = k, length
    level.end[closest] = level.end[closest + 1]
    _drop(level, closest + 1)
    _open(reach, column, level.begin[closest], level.end[closest])


@kernel
def _drop(level, gap):
    """Forget one opening."""
    level.count -= 1
    level.dropped = 1
    for k in range(gap, level.count):
        _copy(level, k + 1, k)


@kernel
def _open(reach, column, begin, end):
    """Record the start of an opening for its class and for shorter ones."""
    k = OPENS + klass_of(reach, _length(begin, end))
    while k >= OPENS and reach[column, k] > begin:
        reach[column, k] = begin
        k -= 1


@kernel
def _reopen(level, reach, column):
    """Recompute the start of the first opening of each class."""
    k, longest = OPENS, -np.inf
    for gap in range(level.count):
        length = _length(level.begin[gap], level.end[gap])
        if length > longest:
            longest, last = length, OPENS + klass_of(reach, length)
            while k <= last:
                reach[column, k] = level.begin[gap]
                k += 1
    while k < LATEST:
        reach[column, k] = np.inf
        k += 1
    level.dropped = 0


@kernel
def slot_before(machine, boundaries, level, reach, column, size, duration, until):
    """Return the first boundary before `until` from which `size` are free for `duration`, or -1."""
    if not is_known(reach, column):
        _renew(level, reach, column)
    limit, horizon = boundaries[until].time, -np.inf
    while True:
        gap = 0
        while gap < level.count and (
            level.end[gap] <= horizon or _length(level.begin[gap], level.end[gap]) < duration
        ):
            gap += 1
        if gap == level.count or level.begin[gap] >= limit:
            if level.dropped:
                _reopen(level, reach, column)
            return -1
        begin = level.begin[gap]
        horizon = _look_again(machine, boundaries, level, reach, column, gap, until)
        slot = _find_among(machine, boundaries, level, begin, horizon, limit, size, duration)
        if slot >= 0:
            return slot
        if horizon >= limit:
            horizon = np.inf


@kernel
def _look_again(machine, boundaries, level, reach, column, gap, until):
    """Examine an opening up to boundary `until`; return the time up to which it is known."""
    begin, end, k = level.begin[gap], level.end[gap], int(level.boundary[gap])
    least, limit, steps = int(reach[column, SIZE]), min(level.end[gap], boundaries[until].time), 1
    if boundaries[k].time != begin:
        k = HEAD
        if begin > boundaries[HEAD].time:
            k = until
            while boundaries[k].time > begin:
                k = boundaries[k].before
                steps += 1
    _drop(level, gap)
    first = k
    while True:
        behind = boundaries[k].behind
        steps += 1
        if boundaries[behind].free < least:
            if first != k:
                _add_if_wanted(boundaries, level, reach, column, first, k)
            first = behind
            if boundaries[behind].time >= limit:
                break
        elif behind == TAIL:
            _add_if_wanted(boundaries, level, reach, column, first, TAIL)
            first = TAIL
            break
        k = behind
    horizon = boundaries[first].time
    if horizon < end:
        # The rest is examined when needed.
        _add(level, reach, column, horizon, end, first)
    machine.segments += steps
    return horizon


@kernel
def _find_among(machine, boundaries, level, begin, horizon, limit, size, duration):
    """Return the first slot in the openings between `begin` and `horizon` begun before `limit`, or -1."""
    for gap in range(level.count):
        if level.begin[gap] >= limit or level.begin[gap] >= horizon:
            break
        if level.end[gap] > begin and _length(level.begin[gap], level.end[gap]) >= duration:
            k = int(level.boundary[gap])
            if boundaries[k].time != level.begin[gap]:
                k = HEAD
            slot = _first_slot(machine, boundaries, k, size, duration, min(limit, level.end[gap]))
            if slot >= 0:
                return slot
    return -1


@kernel
def _first_slot(machine, boundaries, k, size, duration, limit):
    """Return the first boundary from `k` on, before `limit`, that a whole slot begins at, or -1."""
    first, since, steps = k, boundaries[k].time, 1
    while True:
        k = boundaries[k].behind
        time = boundaries[k].time
        if boundaries[k].free < size:
            first, since = k, time
            if time >= limit:
                first = -1
                break
        elif time >= since + duration:
            break
        steps += 1
    machine.segments += steps
    return first


@kernel
def tighten(levels, reach, queue, places, jobs, now):
    """Recompute the start of the last slot of each class, and drop openings that no job needs."""
    for column in range(len(levels)):
        for k in range(LATEST, KNOWN):
            reach[column, k] = -np.inf
    for p in range(queue.totals[0].blocks):
        block = queue.blocks[queue.order[p]]
        for i in range(block.count):
            place, reserved = places[block.id[i]], jobs[block.id[i]].reserved
            k = LATEST + place.klass
            # NaN, without a reservation, is not later.
            reach[place.level, k] = max(reach[place.level, k], reserved)
    for column in range(len(levels)):
        for k in range(LATEST + 1, KNOWN):
            reach[column, k] = max(reach[column, k], reach[column, k - 1])
        if reach[column, EVER] > -np.inf and is_known(reach, column):
            _drop_unwanted(levels[column], reach, column, now)


@kernel
def _drop_unwanted(level, reach, column, now):
    """Drop the openings of one level that are over or that no job needs."""
    kept = 0
    for gap in range(level.count):
        begin, end = level.begin[gap], level.end[gap]
        if end > now and reach[column, LATEST + klass_of(reach, _length(begin, end))] > begin:
            _copy(level, gap, kept)
            kept += 1
    level.count = kept
    _reopen(level, reach, column)
