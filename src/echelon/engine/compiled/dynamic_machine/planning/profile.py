"""The profile of a machine that changes, in kernels: which processors are planned to be free, and when.

The twin of `echelon.engine.nodes.profile` for nodes of one core. What runs, what is down and is believed to
return, and reservations hold processors; what is closed to some jobs is not in it.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.calendar import add_held
from echelon.engine.compiled.dynamic_machine.processors import count_bits, lowest_bits
from echelon.engine.compiled.dynamic_machine.state import FREE, THEN
from echelon.libraries.kernel import kernel


@kernel
def copy_words(source, target):
    """Copy a row of words."""
    for w in range(len(source)):
        target[w] = source[w]


@kernel
def keep_lowest(words, size):
    """Keep the lowest processors of a row, so many, which there are."""
    left = size
    for w in range(len(words)):
        words[w] = lowest_bits(words[w], left) if left > 0 else 0
        left -= count_bits(words[w])


@kernel
def segment_at(plan, time):
    """Return the segment in which `time` is, which is not before the first."""
    segments, low, high = plan.segments, 1, plan.book[0].segments
    while low < high:
        middle = (low + high) // 2
        if segments[middle].time <= time:
            low = middle + 1
        else:
            high = middle
    return low - 1


@kernel
def _insert(plan, k, time):
    """Insert a segment at place `k`, with a set that is yet to be filled."""
    book, segments = plan.book[0], plan.segments
    for i in range(book.segments, k, -1):
        before, one = segments[i - 1], segments[i]
        one.time, one.free, one.row = before.time, before.free, before.row
    book.segments += 1
    segments[k].time = time
    if book.spare > 0:
        book.spare -= 1
        segments[k].row = plan.spare[book.spare]
    else:
        segments[k].row = book.touched
        book.touched += 1


@kernel
def _remove(plan, first, count):
    """Remove so many segments from place `first` on."""
    book, segments = plan.book[0], plan.segments
    for i in range(first, first + count):
        plan.spare[book.spare] = segments[i].row
        book.spare += 1
    book.segments -= count
    for i in range(first, book.segments):
        after, one = segments[i + count], segments[i]
        one.time, one.free, one.row = after.time, after.free, after.row


@kernel
def _cut(plan, time):
    """Let a segment begin at `time`, and return it."""
    k = segment_at(plan, time)
    if plan.segments[k].time == time:
        return k
    _insert(plan, k + 1, time)
    before, one = plan.segments[k], plan.segments[k + 1]
    one.free = before.free
    copy_words(plan.sets[before.row], plan.sets[one.row])
    return k + 1


@kernel
def _join(plan, k):
    """Let a segment be part of the one before, if the same processors are free in both."""
    if k == 0 or k == plan.book[0].segments or plan.segments[k].free != plan.segments[k - 1].free:
        return
    one, before = plan.sets[plan.segments[k].row], plan.sets[plan.segments[k - 1].row]
    for w in range(len(one)):
        if one[w] != before[w]:
            return
    _remove(plan, k, 1)


@kernel
def hold(plan, words, size, start, end):
    """Plan these processors, `size` in all, to be held in [start, end)."""
    if not start < end:
        return
    first, last = _cut(plan, start), _cut(plan, end)
    for k in range(first, last):
        free = plan.sets[plan.segments[k].row]
        for w in range(len(free)):
            free[w] &= ~words[w]
        plan.segments[k].free -= size
    _join(plan, last)
    _join(plan, first)


@kernel
def give_back(plan, words, size, start, end):
    """Plan these processors, `size` in all, to be free in [start, end)."""
    _note_return(plan, end)
    if not start < end:
        return
    first, last = _cut(plan, start), _cut(plan, end)
    for k in range(first, last):
        free = plan.sets[plan.segments[k].row]
        for w in range(len(free)):
            free[w] |= words[w]
        plan.segments[k].free += size
    _join(plan, last)
    _join(plan, first)


@kernel
def _note_return(plan, until):
    """Note that processors were given back until a time; keep it while none is given back for longer."""
    book, returned = plan.book[0], plan.returned
    book.returns += 1
    while book.noted > 0 and returned[book.noted - 1].until <= until:
        book.noted -= 1
    if book.noted < len(returned):
        returned[book.noted].until = until
        book.noted += 1
    # Where there is no room, the last one stands for both.
    returned[book.noted - 1].number = book.returns


@kernel
def latest_return(plan, number):
    """Return until when processors were given back at most since there were so many returns."""
    low, high = 0, plan.book[0].noted
    while low < high:
        middle = (low + high) // 2
        if plan.returned[middle].number > number:
            high = middle
        else:
            low = middle + 1
    return plan.returned[low].until if low < plan.book[0].noted else -np.inf


@kernel
def pass_to(plan, now):
    """Forget what lies before `now`."""
    passed = segment_at(plan, now)
    if passed > 0:
        _remove(plan, 0, passed)
    plan.segments[0].time = now


@kernel
def rebuild(st, plan, jobs, now):
    """Make the profile of what runs and what is down."""
    book, segments, running, then = plan.book[0], plan.segments, st.running, st.words[THEN]
    book.segments = book.touched = book.spare = 0
    _insert(plan, 0, now)
    copy_words(st.words[FREE], then)
    copy_words(then, plan.sets[segments[0].row])
    segments[0].free = st.machine[0].free
    for place in range(running.totals[0].blocks):
        block = running.blocks[running.order[place]]
        for i in range(block.count):
            last = book.segments - 1
            if block.key[i] > segments[last].time:
                _insert(plan, last + 1, block.key[i])
                segments[last + 1].free = segments[last].free
                last += 1
            add_held(st, jobs, block.id[i], then)
            copy_words(then, plan.sets[segments[last].row])
            segments[last].free += block.size[i]
    _note_return(plan, np.inf)
