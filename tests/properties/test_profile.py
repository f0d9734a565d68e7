"""The availability profile, readable and compiled, against an array of free processors second by second."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from echelon.engine.compiled import profile as kernels
from echelon.engine.compiled.profile import BOUNDARY_TYPE, FIRST, HEAD, LEVEL_TYPE, SIZE, TAIL
from echelon.engine.compiled.state import MACHINE_TYPE, PLACE_TYPE
from echelon.engine.profile import AvailabilityProfile

check = settings(max_examples=300, deadline=None, derandomize=True)
PROCESSORS = 6
HORIZON = 400


@pytest.fixture(scope="module", autouse=True)
def _compiled(jitted):
    """Compile the profile by itself; what calls it below is compiled when it is first called."""
    global kernels
    kernels = jitted("echelon.engine.compiled.profile")


@njit
def begin(machine, boundaries, reach, free):
    kernels.begin(machine[0], boundaries, reach, free, 0.0)


@njit
def boundary_at(machine, boundaries, time):
    """Return the boundary at `time`, and put one there if there is none, as only a slot does otherwise."""
    k = HEAD
    while boundaries[boundaries[k].behind].time <= time:
        k = boundaries[k].behind
    return k if boundaries[k].time == time else kernels._insert(machine[0], boundaries, k, time)


@njit
def take(machine, boundaries, place, k, end, size):  # noqa: PLR0917
    place[0].begin, place[0].end = k, kernels.take(machine[0], boundaries, k, end, size)
    kernels.use(boundaries, k, place[0].end)


@njit
def give_back(machine, boundaries, reach, place, first, size):  # noqa: PLR0917
    kernels.give_back(machine[0], boundaries, reach, first, place[0].end, size)
    if first == place[0].begin:
        kernels.let_go(machine[0], boundaries, first)
    kernels.let_go(machine[0], boundaries, place[0].end)


@njit
def advance(machine, boundaries, now):
    kernels.advance(machine[0], boundaries, now)


@njit
def earliest(machine, boundaries, levels, reach, level, size, duration, promised):  # noqa: PLR0917
    return kernels.earliest(machine[0], boundaries, levels, reach, level, size, duration, promised)


@njit
def move(machine, boundaries, reach, place, k, end, size):  # noqa: PLR0917
    kernels.move(machine[0], boundaries, reach, place[0], k, end, size)


class Compiled:
    """The compiled profile behind the readable one's methods; sizes up to the next of `levels` share one."""

    def __init__(self, boundaries, levels=tuple(range(1, PROCESSORS + 1))):
        self.machine = np.zeros(1, dtype=MACHINE_TYPE)
        self.boundaries = np.zeros(boundaries, dtype=BOUNDARY_TYPE)
        self.levels = np.zeros(len(levels), dtype=LEVEL_TYPE)
        self.reach = np.full((6, len(levels)), -np.inf)
        self.reach[SIZE] = levels
        self.places = {}
        begin(self.machine, self.boundaries, self.reach, PROCESSORS)

    @property
    def chain(self):
        """The boundaries in order, the last one at the end of time."""
        found = [HEAD]
        while found[-1] != TAIL:
            found.append(int(self.boundaries["behind"][found[-1]]))
        return found

    times = property(lambda self: self.boundaries["time"][self.chain[:-1]].tolist())
    free = property(lambda self: self.boundaries["free"][self.chain[1:]].tolist())

    def take(self, start, duration, size):
        place = np.zeros(1, dtype=PLACE_TYPE)
        k = boundary_at(self.machine, self.boundaries, start)
        take(self.machine, self.boundaries, place, k, start + duration, size)
        self.places.setdefault((start, start + duration, size), []).append(place)

    def give_back(self, start, end, size):
        begun = min(slot[0] for slot in self.places if slot[1:] == (end, size) and slot[0] <= start)
        slot = (start if (start, end, size) in self.places else begun, end, size)
        place = self.places[slot].pop()
        if not self.places[slot]:
            del self.places[slot]
        first = int(place["begin"][0]) if slot[0] > self.times[0] else HEAD
        give_back(self.machine, self.boundaries, self.reach, place, first, size)

    def advance(self, now):
        advance(self.machine, self.boundaries, now)

    def _earliest(self, size, duration, promised):
        level = np.searchsorted(self.reach[SIZE], size, side="right") - 1
        return earliest(
            self.machine, self.boundaries, self.levels, self.reach, level, size, duration, promised
        )

    def earliest(self, size, duration):
        return float(self.boundaries["time"][self._earliest(size, duration, TAIL)])

    def bring_forward(self, slot):
        """Move a slot, which may be the whole machine's, to the earliest one; return where it begins."""
        start, end, size = slot
        place = self.places[slot][-1]
        k = self._earliest(size, end - start, int(place["begin"][0]))
        found = float(self.boundaries["time"][k])
        if k != place["begin"][0]:
            self.places[slot].pop()
            if not self.places[slot]:
                del self.places[slot]
            move(self.machine, self.boundaries, self.reach, place, k, found + end - start, size)
            self.places.setdefault((found, found + end - start, size), []).append(place)
        return found


def readable():
    return AvailabilityProfile(0.0, PROCESSORS)


# A small array makes the compiled profile use the same places again and again.
PROFILES = {
    "readable": readable,
    "compiled": lambda: Compiled(2 * 40 + FIRST),
    "compiled, sizes together": lambda: Compiled(2 * 40 + FIRST, (1, 3, 5)),
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
                profile.give_back(float(max(start, now)), float(end), size)
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
    """Boundaries ascend; at each something changes, or in the compiled one a slot begins or ends."""
    profile = PROFILES[kind]()
    _, now, _ = played(profile, rows)
    assert profile.times == sorted(set(profile.times))
    if kind == "readable":
        assert all(before != after for before, after in zip(profile.free[1:], profile.free[2:], strict=False))
    else:
        ends = {time for start, end, _ in profile.places for time in (start, end)}
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
    assert profile.lowest(float(begin), float(duration)) == free[begin : begin + duration].min()


moves = st.lists(
    st.tuples(
        st.sampled_from(("take", "take", "take", "give back", "advance", "move", "move", "ask", "ask")),
        st.integers(0, 1000),
        st.integers(1, 25),
        st.integers(1, PROCESSORS),
    ),
    max_size=120,
)


@pytest.mark.parametrize("levels", [(1, 2, 3, 4, 5, 6), (1, 3, 5), (1,)])
@check
@given(rows=moves)
def test_what_is_known_stays_true(levels, rows):
    """Between any changes, slots taken and brought forward are the first that trying every second finds."""
    profile, free, now, held = Compiled(2 * 120 + FIRST, levels), np.full(4000, PROCESSORS), 0, []
    for what, which, duration, size in rows:
        later = [slot for slot in held if slot[0] > now]
        if what == "take":
            start = by_brute_force(free, now, size, duration)
            assert profile.earliest(size, float(duration)) == start
            profile.take(float(start), float(duration), size)
            free[start : start + duration] -= size
            held.append((start, start + duration, size))
        elif what == "give back" and held:
            start, end, size = held.pop(which % len(held))
            if end > now:
                profile.give_back(float(start), float(end), size)
                free[max(start, now) : end] += size
        elif what == "move" and later:
            slot = later[which % len(later)]
            start, end, size = slot
            free[start:end] += size
            found = by_brute_force(free, now, size, end - start)
            assert profile.bring_forward((float(start), float(end), size)) == found
            free[found : found + end - start] -= size
            held[held.index(slot)] = (found, found + end - start, size)
        elif what == "ask":
            assert profile.earliest(size, float(duration)) == by_brute_force(free, now, size, duration)
        else:
            now += which % 8
            profile.advance(float(now))
        ahead = np.arange(now, len(free))
        known = np.array(profile.free)[np.searchsorted(profile.times, ahead, side="right") - 1]
        assert known.tolist() == free[now:].tolist()


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
        assert profile.lowest(float(second), 1.0) == 24 - used
    assert profile.times == sorted(set(profile.times))
    first = next(t for t in range(25) if sum(held for end, held in ends if end > t) + size <= 24)
    assert profile.earliest(size, 1000.0) == first
