"""The availability profile, readable and in kernels, against an array of free processors second by second.

Kernels run as plain Python here, which stops at an index out of range. Machine code does the same to the last
bit, as tests/unit/libraries/test_calls.py proves.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.engine.compiled.arrays import classes_of, klasses_of
from echelon.engine.compiled.machine import profile as kernels
from echelon.engine.compiled.machine.state import JOB_TYPE, MACHINE_TYPE, PLACE_TYPE
from echelon.engine.compiled.structures import chain, openings
from echelon.engine.compiled.structures.chain import BOUNDARY_TYPE, FIRST, HEAD, TAIL
from echelon.engine.compiled.structures.openings import (
    COLUMNS,
    KLASSES,
    KNOWN,
    LARGEST,
    LATEST,
    OPENINGS,
    OPENS,
    SIZE,
    level_type,
)
from echelon.engine.resources.profile import AvailabilityProfile
from echelon.libraries.python_kernels import in_python

check = examples(300)
PROCESSORS = 6
HORIZON = 400


@in_python
def lay_out(machine, boundaries, free):
    chain.lay_out(machine[0], boundaries, free, 0.0)


class Slots(NamedTuple):
    """What the kernels of the profile take, of a machine."""

    machine: Any
    boundaries: Any
    levels: Any
    reach: Any
    places: Any
    jobs: Any


@in_python
def take(st, time, job):
    """Give a job a slot that begins at `time`, wherever that is; return when it begins."""
    k = HEAD
    while st.boundaries[st.boundaries[k].behind].time <= time:
        k = st.boundaries[k].behind
    if st.boundaries[k].time < time:
        k = chain.insert(st.machine[0], st.boundaries, k, time)
    chain.line_up(st.machine[0], st.boundaries, st.places, k, job)
    st.places[job].end = chain.take(
        st.machine[0], st.boundaries, k, time + st.jobs[job].planned, st.jobs[job].size
    )
    chain.use(st.boundaries, k, st.places[job].end)
    st.jobs[job].reserved = time
    return time


@in_python
def reserve(st, job):
    """Give a job its slot, which is the earliest; return when that begins."""
    return kernels.reserve(st.machine[0], st.boundaries, st.levels, st.reach, st.places, st.jobs, job)


@in_python
def give_back(st, first, job):
    """Give back what a job holds from a boundary on, as its end does or whoever has a slot no more."""
    last = st.places[job].end
    kernels.give_back(st.machine[0], st.boundaries, st.levels, st.reach, first, last, st.jobs[job].size)
    if first != HEAD:
        chain.step_out(st.machine[0], st.boundaries, st.places, job)
        chain.let_go(st.machine[0], st.boundaries, first)
    chain.let_go(st.machine[0], st.boundaries, last)


@in_python
def start(st, job):
    """Let a job that is due start: it keeps its slot and has no promise any more."""
    st.jobs[job].reserved = np.nan
    chain.step_out(st.machine[0], st.boundaries, st.places, job)


@in_python
def advance(st, now):
    chain.advance(st.machine[0], st.boundaries, st.places, now)


@in_python
def bring_forward(st, job):
    """Move the slot of a job, which may be the whole machine's, to the earliest one."""
    place, size, planned = st.places[job], st.jobs[job].size, st.jobs[job].planned
    first = place.begin
    k = kernels.earliest_slot(
        st.machine[0], st.boundaries, st.levels, st.reach, place.level, place.klass, size, planned, first
    )
    if k != first:
        begin = st.boundaries[k].time
        kernels.move(
            st.machine[0], st.boundaries, st.levels, st.reach, st.places, job, k, begin + planned, size
        )
        st.jobs[job].reserved = begin


@in_python
def forget(st):
    openings.forget(st.levels, st.reach)


@in_python
def find(st, size, duration):
    return chain.find(st.machine[0], st.boundaries, HEAD, size, duration, np.inf)


@in_python
def in_order(boundaries, found):
    """Write the boundaries in order, the last one at the end of time; return how many they are."""
    found[0], many = HEAD, 1
    while found[many - 1] != TAIL:
        found[many] = boundaries[found[many - 1]].behind
        many += 1
    return many


class InKernels:
    """The kernels' profile behind the readable one's methods; sizes up to the next of `levels` share one."""

    def __init__(
        self, most, levels=tuple(range(1, PROCESSORS + 1)), most_openings=OPENINGS, planned=(2, 4, 8)
    ):
        self.machine = np.zeros(1, dtype=MACHINE_TYPE)
        self.boundaries = np.zeros(2 * most + FIRST, dtype=BOUNDARY_TYPE)
        self.reach = np.full((len(levels) + 1, COLUMNS), -np.inf)
        self.reach[:-1, SIZE], self.reach[:, KNOWN] = levels, 0.0
        self.reach[:-1, LARGEST] = [*(least - 1 for least in levels[1:]), PROCESSORS]
        self.reach[-1, OPENS:LATEST] = classes_of(np.array(planned, dtype=float))
        self.jobs = np.zeros(most, dtype=JOB_TYPE)
        self.state = Slots(
            self.machine,
            self.boundaries,
            np.zeros(len(levels), dtype=level_type(most_openings)),
            self.reach,
            np.zeros(most, dtype=PLACE_TYPE),
            self.jobs,
        )
        self.held = {}
        lay_out(self.machine, self.boundaries, PROCESSORS)

    @property
    def chain(self):
        """The boundaries in order, the last one at the end of time."""
        found = np.empty(len(self.boundaries), dtype=np.int64)
        return found[: in_order(self.boundaries, found)]

    times = property(lambda self: self.boundaries["time"][self.chain[:-1]].tolist())
    free = property(lambda self: self.boundaries["free"][self.chain[1:]].tolist())

    @property
    def due(self):
        """When the next promise after now falls due."""
        return float(self.boundaries["time"][self.machine["due"][0]])

    def take(self, start, duration, size):
        """Give a job this slot, whatever is known of earlier ones."""
        job = self._new_job(duration, size)
        self._hold(job, take(self.state, start, job))

    def reserve(self, duration, size):
        """Give a job the earliest slot; return when it begins."""
        job = self._new_job(duration, size)
        return self._hold(job, reserve(self.state, job))

    def _new_job(self, duration, size):
        job = len(self.held)
        self.jobs[job]["size"], self.jobs[job]["planned"] = size, duration
        place = self.state.places[job : job + 1]
        place["level"] = np.searchsorted(self.reach[:-1, SIZE], size, side="right") - 1
        place["klass"] = klasses_of(np.array([duration]), self.reach[-1, OPENS:LATEST])
        return job

    def _hold(self, job, start):
        self.held[job] = [start, start + self.jobs["planned"][job], int(self.jobs["size"][job]), False]
        self._start()
        return start

    def _start(self):
        """Start whoever is due."""
        now = float(self.boundaries["time"][HEAD])
        for job, slot in self.held.items():
            if slot is not None and not slot[3] and slot[0] <= now:
                start(self.state, job)
                slot[3] = True

    def _job(self, slot):
        """Return a job that holds a slot, or what is left of it if that begins now."""
        held = [job for job, held in self.held.items() if held is not None and tuple(held[1:3]) == slot[1:]]
        begun = [job for job in held if self.held[job][0] <= slot[0]]
        return next((job for job in held if self.held[job][0] == slot[0]), begun[0] if begun else None)

    def give_where(self, _, size, start, end):
        job = self._job((start, end, size))
        give_back(self.state, HEAD if self.held[job][3] else int(self.state.places["begin"][job]), job)
        self.jobs["reserved"][job] = np.nan
        self.held[job] = None

    def advance(self, now):
        advance(self.state, now)
        self._start()

    def forget(self):
        forget(self.state)

    def earliest(self, size, duration):
        return float(self.boundaries["time"][find(self.state, size, duration)])

    def bring_forward(self, slot):
        """Move a slot, which may be the whole machine's, to the earliest one; return where it begins."""
        job = self._job(slot)
        bring_forward(self.state, job)
        found = float(self.jobs["reserved"][job])
        self.held[job][:2] = found, found + slot[1] - slot[0]
        self._start()
        return found


def readable():
    return AvailabilityProfile(0.0, PROCESSORS)


# A small array makes the kernels use the same places again and again.
PROFILES = {
    "readable": readable,
    "kernels": lambda: InKernels(40),
    "kernels, sizes together": lambda: InKernels(40, (1, 3, 5)),
}

steps = st.lists(
    st.tuples(
        st.sampled_from(("take", "take", "take", "give back", "advance")),
        st.integers(0, 30),
        st.integers(1, 25),
        st.integers(1, PROCESSORS),
    ),
    max_size=40,
)


def by_brute_force(free, now, size, duration):
    """Return the first second from which `size` processors stay free for `duration`."""
    return next(t for t in range(now, len(free)) if (free[t : t + duration] >= size).all())


def played(profile, rows):
    """Play `rows` on a profile and on an array; return the array, the time, and what is held."""
    free, now, held = np.full(HORIZON, PROCESSORS), 0, []
    for what, offset, duration, size in rows:
        if what == "take":
            start = by_brute_force(free, now + offset, size, duration)
            profile.take(float(start), float(duration), size)
            free[start : start + duration] -= size
            held.append((start, start + duration, size))
        elif what == "give back" and held:
            start, end, size = held.pop(offset % len(held))
            if end > now:
                profile.give_where(None, size, float(max(start, now)), float(end))
                free[max(start, now) : end] += size
        else:
            now += offset % 8
            profile.advance(float(now))
    return free, now, held


def second_by_second(profile, now):
    """Return free processors for each second from `now` on."""
    times = np.arange(now, HORIZON)
    return np.array(profile.free)[np.searchsorted(profile.times, times, side="right") - 1]


@pytest.mark.parametrize("kind", PROFILES)
@check
@given(rows=steps)
def test_free_processors(kind, rows):
    """After any changes, both say how many processors are free in each second."""
    profile = PROFILES[kind]()
    free, now, _ = played(profile, rows)
    assert second_by_second(profile, now).tolist() == free[now:].tolist()
    assert profile.times[0] == now


@pytest.mark.parametrize("kind", PROFILES)
@check
@given(rows=steps)
def test_boundaries_are_needed(kind, rows):
    """Boundaries ascend; at each something changes, or in kernels a slot begins or ends."""
    profile = PROFILES[kind]()
    _, now, _ = played(profile, rows)
    assert profile.times == sorted(set(profile.times))
    if kind == "readable":
        assert all(before != after for before, after in zip(profile.free[1:], profile.free[2:], strict=False))
    else:
        held = [slot for slot in profile.held.values() if slot is not None]
        ends = {time for start, end, _, _ in held for time in (start, end)}
        assert set(profile.times[1:]) == {time for time in ends if time > now}


@pytest.mark.parametrize("kind", PROFILES)
@check
@given(rows=steps, size=st.integers(1, PROCESSORS), duration=st.integers(1, 40))
def test_earliest(kind, rows, size, duration):
    """The earliest slot is the first one that trying every second finds."""
    profile = PROFILES[kind]()
    free, now, _ = played(profile, rows)
    assert profile.earliest(size, float(duration)) == by_brute_force(free, now, size, duration)


@check
@given(rows=steps, start=st.integers(0, 60), duration=st.integers(1, 60))
def test_lowest(rows, start, duration):
    """The fewest free processors of a span are the array's minimum."""
    profile = readable()
    free, now, _ = played(profile, rows)
    begin = now + start
    assert profile.window(float(begin), float(begin + duration)) == free[begin : begin + duration].min()


moves = st.lists(
    st.tuples(
        st.sampled_from(("take", "take", "take", "give back", "give back", "advance", "move", "sweep")),
        st.integers(0, 1000),
        st.integers(1, 25),
        st.integers(1, PROCESSORS),
    ),
    min_size=10,
    max_size=120,
)


@pytest.mark.parametrize("most_openings", [OPENINGS, 2])
@examples(300)
@given(
    levels=st.sampled_from([(1, 2, 3, 4, 5, 6), (1, 3, 5), (1,)]),
    rows=moves,
    forgets=st.sampled_from((False, False, False, True)),
    planned=st.sampled_from([(2, 4, 8), range(1, 26), (9,)]),
)
def test_what_is_known_stays_true(most_openings, levels, rows, forgets, planned):
    """Between any changes, slots taken and brought forward are the first that trying every second finds."""
    profile = InKernels(120, levels, most_openings, planned)
    free, now, held = np.full(4000, PROCESSORS), 0, []
    for what, which, duration, size in rows:
        later = [slot for slot in held if slot[0] > now]
        if what == "take":
            start = by_brute_force(free, now, size, duration)
            assert profile.reserve(float(duration), size) == start
            free[start : start + duration] -= size
            held.append((start, start + duration, size))
        elif what == "give back" and held:
            start, end, size = held.pop(which % len(held))
            if end > now:
                profile.give_where(None, size, float(start), float(end))
                free[max(start, now) : end] += size
        elif what in {"move", "sweep"} and later:
            # A compression goes once through all who wait, in the order in which they came.
            for slot in later if what == "sweep" else [later[which % len(later)]]:
                start, end, size = slot
                free[start:end] += size
                found = by_brute_force(free, now, size, end - start)
                assert profile.bring_forward((float(start), float(end), size)) == found
                free[found : found + end - start] -= size
                held[held.index(slot)] = (found, found + end - start, size)
        else:
            now += which % 8
            profile.advance(float(now))
        if forgets and which % 5 == 0:
            profile.forget()
        ahead = np.arange(now, len(free))
        known = np.array(profile.free)[np.searchsorted(profile.times, ahead, side="right") - 1]
        np.testing.assert_array_equal(known, free[now:])
        assert profile.due == min((slot[0] for slot in held if slot[0] > now), default=np.inf)


times = st.floats(0, 2.0**40, allow_nan=False) | st.sampled_from([2.0**k for k in range(-3, 40)])


@check
@given(planned=st.lists(times, max_size=100), durations=st.lists(times, min_size=1, max_size=9))
def test_classes_of_durations(planned, durations):
    """A job's class, worked out for all at once, is what kernels work out: the last that begins no later."""
    reach = np.zeros((2, COLUMNS))
    least = reach[-1, OPENS:LATEST] = classes_of(np.array(planned))
    for duration, klass in zip(durations, klasses_of(np.array(durations), least), strict=True):
        assert klass == openings.klass_of(reach, duration)
        assert least[klass] <= duration
        assert klass == KLASSES - 1 or duration < least[klass + 1]


@check
@given(planned=st.lists(times, max_size=100), often=times)
def test_time_that_many_ask_for(planned, often):
    """A planned time that one in `KLASSES` jobs asks for, or more, begins a class, or is the shortest."""
    planned += [often] * (len(planned) // (KLASSES - 1) + 1)
    assert often in classes_of(np.array(planned)) or often == min(planned)


@check
@given(
    ends=st.lists(st.tuples(st.integers(-2, 20), st.integers(1, 3)), max_size=8),
    size=st.integers(1, 24),
)
def test_around_running_jobs(ends, size):
    """Jobs planned to end by now hold nothing; the others hold their processors until their planned ends."""
    ends = sorted(ends)
    profile = AvailabilityProfile.around(0.0, 24, [(float(end), held) for end, held in ends])
    for second in range(25):
        used = sum(held for end, held in ends if end > second)
        assert profile.window(float(second), second + 1.0) == 24 - used
    assert profile.times == sorted(set(profile.times))
    first = next(t for t in range(25) if sum(held for end, held in ends if end > t) + size <= 24)
    assert profile.earliest(size, 1000.0) == first
