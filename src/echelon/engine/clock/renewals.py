"""Renewals: which instants need to happen only because a repair takes longer than was estimated."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.engine.ledger.course import Course
    from echelon.engine.system import System


class Renewals:
    """When something other than an END happens next, without the renewals of estimates that change nothing.

    An estimate is renewed every time it has passed, for as long as the node is down: forever, if it never
    returns. A renewal may let a job start, as the reservation of the first job in the queue moves. But it
    changes nothing, and the next instant makes up for it,

    * while no job waits;
    * once no job runs, and nothing happened for one whole period but renewals: then all periods are alike.
      The clock continues to the last ones before something else happens.

    Not alike are periods where something other than the estimates changes with time: an order of the queue
    that does, planned times that shrink towards deadlines, nodes that will be closed.

    Parameters
    ----------
    system : System
        Of a run with a course.
    course : Course
        Of the run.

    Attributes
    ----------
    skip : bool
        Whether the next instant follows many renewals that were left out: what was planned by them is void.
    """

    def __init__(self, system: System, course: Course) -> None:
        self._system, self._course, self._capacity = system, course, course.capacity
        # The first renewal after which no job ran and nothing else happened.
        self._idle_from = math.inf
        self.skip = False

    def next_time(self, release: float) -> float:
        """Return when the next release, change or renewal that counts happens, in seconds.

        Parameters
        ----------
        release : float
            When the next job is released, in seconds.
        """
        self.skip = False
        until, renewal = min(release, self._course.next_planned), self._capacity.next_late
        if until <= renewal or not self._system.has_waiting_jobs:
            self._idle_from = math.inf
            return until
        if not self._system.is_at_rest:
            self._idle_from = math.inf
            return renewal
        self._idle_from = min(self._idle_from, renewal)
        if renewal <= self._idle_from + self._capacity.period or until == math.inf or not self._are_alike():
            return renewal
        # Not the very last period: an outage that ends with one is not renewed at its end.
        last = self._capacity.first_late(until - 2 * self._capacity.period)
        self.skip = last > renewal
        return max(renewal, last)

    def _are_alike(self) -> bool:
        """Return whether one period without events is like the next."""
        course = self._course
        return (
            not course.shrinking
            and course.closures.next_time == math.inf
            and not self._system.ledger.orders_change
        )
