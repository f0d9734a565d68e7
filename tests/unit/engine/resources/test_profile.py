"""The availability profile on cases small enough to see; brute force is among the properties."""

from __future__ import annotations

from echelon.engine.resources.profile import AvailabilityProfile
from echelon.model import Job


def test_a_slot_must_be_free_throughout():
    """Two of four processors are taken in [10, 20): 3 for 5 s fit before, for 11 s only after."""
    profile = AvailabilityProfile(0.0, 4)
    profile.take(10.0, 10.0, 2)
    assert profile.earliest(3, 10.0) == 0
    assert profile.earliest(3, 10.5) == 20
    assert profile.earliest(2, 1000.0) == 0
    assert profile.window(0.0, 10.0) == 4
    assert profile.window(0.0, 10.5) == 2


def test_giving_back_undoes_taking():
    """Taken and given back, the profile has its one segment again."""
    profile = AvailabilityProfile(0.0, 4)
    profile.take(3.0, 4.0, 1)
    profile.take(5.0, 9.0, 3)
    job = Job(0, 1, 0.0, 1, 9.0)
    profile.give_where(job, 3, 5.0, 14.0)
    profile.give_where(job, 1, 3.0, 7.0)
    assert (profile.times, profile.free) == ([0.0], [4])


def test_the_past_is_forgotten():
    """After advancing, the profile begins now and what lies ahead is as it was."""
    profile = AvailabilityProfile(0.0, 4)
    profile.take(2.0, 2.0, 4)
    profile.take(6.0, 2.0, 1)
    profile.advance(7.0)
    assert (profile.times, profile.free) == ([7.0, 8.0], [3, 4])


def test_a_span_that_rounding_makes_empty():
    """One second after 1e17 is 1e17 in binary: such a span takes nothing and nothing is in its way."""
    profile = AvailabilityProfile(1e17, 4)
    profile.take(1e17, 1.0, 4)
    assert profile.free == [4]
    profile.take(1e17, 100.0, 4)
    assert profile.window(1e17, 1e17 + 1.0) == 4
