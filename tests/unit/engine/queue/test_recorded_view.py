"""What schedulers plan, as their questions tell it."""

from __future__ import annotations

from types import SimpleNamespace

from echelon.engine.queue.recorded_view import RecordedView
from echelon.model import Job


class Profile:
    """A profile in which every job starts at 7 s."""

    earliest = earliest_for = take = staticmethod(lambda *_: 7.0)

    def hold(self, job, start):
        """Take no place by name."""


def view_of(shadow=5.0):
    """Return a view at 2 s whose blocked job could start at `shadow`."""
    return SimpleNamespace(
        now=2.0, free=3, head_start=lambda head: SimpleNamespace(time=shadow), availability=Profile
    )


FIRST, SECOND = (Job(place, place + 1, 0.0, 1, 9.0) for place in range(2))


def test_planned_starts_are_noted_in_the_order_of_the_questions():
    """The shadow time of a head, and room held for a later time; not room from now on."""
    recorded = RecordedView(view_of())
    assert recorded.head_start(FIRST).time == 5
    profile = recorded.availability()
    assert profile.earliest_for(SECOND) == 7
    profile.hold(SECOND, 7.0)
    profile.hold(FIRST, 2.0)
    assert [*recorded.plans.values()] == [(FIRST, 5.0), (SECOND, 7.0)]


def test_a_start_that_is_never_known_is_no_plan():
    """Where enough of the machine may never come back, the shadow time is infinite."""
    recorded = RecordedView(view_of(float("inf")))
    recorded.head_start(FIRST)
    assert not recorded.plans


def test_all_else_is_the_view():
    """What it does not note it passes on."""
    assert RecordedView(view_of()).free == 3
