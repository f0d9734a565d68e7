"""Slots: the earliest stretch of time for which a waiting job has processors, in kernels.

They must be the same processors throughout, free in the profile and open to the job. More may be free only
where a segment begins, and more may be open only where a closure ends or a named reservation begins.
"""

from __future__ import annotations

import numpy as np

from echelon.engine.compiled.dynamic_machine.calendar import most_open, next_opening, next_start
from echelon.engine.compiled.dynamic_machine.closures import keep_open
from echelon.engine.compiled.dynamic_machine.planning.profile import copy_words
from echelon.engine.compiled.dynamic_machine.processors import count, count_bits
from echelon.engine.compiled.dynamic_machine.state import THEN, USABLE
from echelon.libraries.kernel import kernel


@kernel
def find_slot(st, plan, jobs, j, mine, latest, now):
    """Return the earliest start of a job before `latest`, infinity if there is none.

    The processors that it may use are in the row `USABLE` then. `mine` is its reservation, -1 without, which
    counts as free.
    """
    job, segments, n = jobs[j], plan.segments, plan.book[0].segments
    usable, then, i, time = st.words[USABLE], st.words[THEN], 0, now
    ending = st.machine[0].first_ending
    while True:
        i = _free_from(plan, then, job.size, job.planned, mine, i, time, latest)
        if i == n:
            return np.inf
        time = max(time, segments[i].time)
        copy_words(then, usable)
        if is_open(st, j, time, job.planned):
            return time
        keep_open(st, USABLE, j, time, time + job.planned, now)
        if count(usable) >= job.size:
            return time
        bond = st.bonds[j]
        ending = next_opening(st, bond, ending, time, now)
        later = st.closures[st.by_end[ending]].end if ending < len(st.closures) else np.inf
        if bond.named >= 0:
            later = min(later, next_start(st, bond.named, time, now))
        if i + 1 < n and most_open(st, j, job, time, now) >= job.size:
            # What is free changes what is usable; else nothing does before more is open.
            later = min(later, segments[i + 1].time)
        if later >= latest:
            return np.inf
        time = later
        while i + 1 < n and segments[i + 1].time <= time:
            i += 1


@kernel
def fits_now(st, plan, jobs, j, now):
    """Return whether a job has room from now on for its planned time, in the row `USABLE` then."""
    job, segments, usable, k = jobs[j], plan.segments, st.words[USABLE], 0
    end = now + job.planned
    if segments[0].free < job.size:
        return False
    copy_words(plan.sets[segments[0].row], usable)
    while k + 1 < plan.book[0].segments and segments[k + 1].time < end:
        k += 1
        if segments[k].free < job.size or _narrow(usable, plan.sets[segments[k].row]) < job.size:
            return False
    if is_open(st, j, now, job.planned):
        return True
    keep_open(st, USABLE, j, now, end, now)
    return count(usable) >= job.size


@kernel
def is_open(st, j, time, planned):
    """Return whether all processors are known to be open to a job for so long."""
    k = st.machine[0].first_open
    if k == len(st.closures):
        # Where nothing is closed any more there are no jobs that name a reservation.
        return True
    return st.closures[k].start >= time + planned and st.bonds[j].named < 0


@kernel
def _free_from(plan, words, size, planned, mine, first, time, latest):
    """Return the earliest segment, from `first` on, from which the same processors are free for so long.

    A slot in `first` begins at `time`, others where their segments do, before `latest`. Return the number of
    segments if there is none. The processors are in the row `words` then.
    """
    segments, n, i = plan.segments, plan.book[0].segments, first
    # From then on what is reserved for the job is free, too: until it could end at most.
    own = plan.reservations[mine].begin if mine >= 0 else np.inf
    while i < n and segments[i].time < latest:
        if segments[i].free < size:
            i += 1
            continue
        copy_words(plan.sets[segments[i].row], words)
        k, end = i, max(time, segments[i].time) + planned
        while k + 1 < n and segments[k + 1].time < end:
            k += 1
            if segments[k].time < own:
                if segments[k].free < size:
                    break
                if _narrow(words, plan.sets[segments[k].row]) >= size:
                    continue
            elif _narrow_beside(words, plan.sets[segments[k].row], plan.places[mine]) >= size:
                continue
            # No slot takes in both this segment and the one before those behind.
            i = _step_back(plan, words, size, mine, own, k)
            end = segments[i].time + planned
            if segments[i].time >= latest:
                return n
        else:
            return i
        i = k + 1
    return n


@kernel
def _narrow(words, free):
    """Remove from a row of processors those that are not free; return how many are left."""
    left = 0
    for w in range(len(words)):
        words[w] &= free[w]
        left += count_bits(words[w])
    return left


@kernel
def _narrow_beside(words, free, mine):
    """Remove from a row of processors those that are neither free nor mine; return how many are left."""
    left = 0
    for w in range(len(words)):
        words[w] &= free[w] | mine[w]
        left += count_bits(words[w])
    return left


@kernel
def _step_back(plan, words, size, mine, own, k):
    """Return the first segment from which enough processors are free up to segment `k`, which has enough.

    They are in the row `words` then.
    """
    segments, i = plan.segments, k
    copy_words(plan.sets[segments[k].row], words)
    if segments[k].time >= own:
        _add(words, plan.places[mine])
    while True:
        free = plan.sets[segments[i - 1].row]
        both = 0
        if segments[i - 1].time >= own:
            for w in range(len(words)):
                both += count_bits(words[w] & (free[w] | plan.places[mine, w]))
        else:
            for w in range(len(words)):
                both += count_bits(words[w] & free[w])
        if both < size:
            return i
        i -= 1
        if segments[i].time >= own:
            _narrow_beside(words, free, plan.places[mine])
        else:
            _narrow(words, free)


@kernel
def _add(words, others):
    for w in range(len(words)):
        words[w] |= others[w]
