"""Events of closures by hand: announced, begun, over, and moved while nobody waits."""

from __future__ import annotations

import math

from echelon.engine.resources.closure_events import ClosureEvent, ClosureEvents, slide_ahead
from echelon.engine.resources.closures import Closure


def closure(start, end, number=0, known=-math.inf, slide=0.0):
    return Closure(start, end, (0,), known, number, slide=slide)


def told(events):
    """Return all that happens: time, event and number, as the clock would take it."""
    found = []
    while (now := events.next_time) < math.inf:
        for ends in (True, False):
            found += [(now, event.name, one.number) for event, one in events.take(now, ends=ends)]
    return found


def test_what_ends_comes_before_what_begins():
    """Two that follow each other meet at 20: one ends, then the other begins."""
    assert told(ClosureEvents([closure(20.0, 30.0, 0), closure(10.0, 20.0, 1)])) == [
        (10.0, "BEGINS", 1), (20.0, "ENDS", 1), (20.0, "BEGINS", 0), (30.0, "ENDS", 0),
    ]  # fmt: skip


def test_only_what_was_not_always_known_is_announced():
    """A closure that never ends has no end, and an announcement is an event of its own."""
    assert told(ClosureEvents([closure(10.0, math.inf, 0), closure(9.0, 12.0, 1, known=4.0)])) == [
        (4.0, "IS_ANNOUNCED", 1), (9.0, "BEGINS", 1), (10.0, "BEGINS", 0), (12.0, "ENDS", 1),
    ]  # fmt: skip


def test_a_sliding_closure_only_slides_until_it_is_followed():
    """It is due at the first 5 minutes at which it would be too close; once wanted, it begins and ends."""
    wanted = closure(7200.0, 9000.0, slide=3600.0)
    events = ClosureEvents([wanted])
    assert events.next_time == 3900.0
    (change,) = events.take(3900.0, ends=False)
    assert change.event == ClosureEvent.SLIDES
    events.follow(wanted, slides=False)
    assert told(events) == [(7200.0, "BEGINS", 0), (9000.0, "ENDS", 0)]


def test_it_slides_to_the_first_full_hour_that_is_far_enough_away():
    """At 3900 s an hour ahead is 7500 s, so it begins at 10800 s, for as long as before."""
    there = slide_ahead(closure(7200.0, 9000.0, slide=3600.0), 3900.0)
    assert (there.start, there.end) == (10800.0, 12600.0)
    assert slide_ahead(closure(7200.0, 9000.0, slide=3600.0), 7200.0).start == 10800.0
