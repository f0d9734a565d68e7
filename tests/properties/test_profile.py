"""The availability profile, readable and compiled, against an array of free processors second by second."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numba import njit

from echelon.engine.compiled import profile as kernels
from echelon.engine.compiled.state import MACHINE_TYPE, SEGMENT_TYPE
from echelon.engine.profile import AvailabilityProfile

check = settings(max_examples=300, deadline=None, derandomize=True)
PROCESSORS = 6
HORIZON = 400
NEVER = float("inf")


@pytest.fixture(scope="module", autouse=True)
def _compiled(jitted):
    """Compile the profile by itself."""
    global call, kernels
    kernels = jitted("echelon.engine.compiled.profile")
    call = njit(_call)


def _call(what, machine, profile, times, numbers):
    """Call one kernel of the compiled profile, which Python can not do; return what it found."""
    if what == 0:
        kernels.change(machine[0], profile, times[0], times[1], numbers)
    elif what == 1:
        kernels.advance(machine[0], profile, times[0])
    else:
        return kernels.earliest(machine[0], profile, numbers, times[0], times[1], times[2], times[3])
    return 0.0


class Compiled:
    """The compiled profile behind the readable one's methods."""

    def __init__(self, segments):
        self.machine = np.zeros(1, dtype=MACHINE_TYPE)
        self.machine["n_segments"] = 1
        self.profile = np.zeros(segments, dtype=SEGMENT_TYPE)
        self.profile[0] = (0.0, PROCESSORS)

    @property
    def _kept(self):
        return self.profile[self.machine["first_segment"][0] : self.machine["n_segments"][0]]

    times = property(lambda self: self._kept["time"].tolist())
    free = property(lambda self: self._kept["free"].tolist())

    def _call(self, what, number, *times):
        return call(what, self.machine, self.profile, np.array(times, dtype=np.float64), number)

    def take(self, start, duration, size):
        self._call(0, -size, start, start + duration)

    def give_back(self, start, end, size):
        self._call(0, size, start, end)

    def advance(self, now):
        self._call(1, 0, now)

    def earliest(self, size, duration, *, since=-NEVER, latest=NEVER, before=NEVER):
        return self._call(2, size, duration, since, latest, before)


def readable():
    return AvailabilityProfile(0.0, PROCESSORS)


# A small array makes the compiled profile move its segments to the front again and again.
PROFILES = {"readable": readable, "compiled": lambda: Compiled(90), "compiled, roomy": lambda: Compiled(2000)}

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
    """Boundaries ascend, and at each something changes, but where the past was forgotten or now begins."""
    profile = PROFILES[kind]()
    played(profile, rows)
    assert profile.times == sorted(set(profile.times))
    assert all(before != after for before, after in zip(profile.free[1:], profile.free[2:], strict=False))


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


@check
@given(rows=steps, which=st.integers(0, 1000), since=st.integers(0, 60), before=st.integers(0, 80))
def test_earliest_before_a_promise(rows, which, since, before):
    """A job with a promise finds the slot it would find if it gave the promise up, at the latest the promise.

    Told that none begins before some time, or at or after another, it finds the first one between.
    """
    profile = Compiled(2000)
    free, now, held = played(profile, rows)
    later = [span for span in held if span[0] > now]
    if not later:
        return
    promised, end, size = later[which % len(later)]
    alone = free.copy()
    alone[promised:end] += size
    slots = [t for t in range(now, promised) if (alone[t : t + end - promised] >= size).all()]
    expected = slots[0] if slots else promised
    assert profile.earliest(size, float(end - promised), latest=float(promised)) == expected
    if slots and slots[0] >= now + since and slots[0] < now + before:
        found = profile.earliest(
            size,
            float(end - promised),
            since=float(now + since),
            latest=float(promised),
            before=float(now + before),
        )
        assert found == slots[0]


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
