"""Simulation: the only loop in which time passes, and which of its instants need to happen."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.clock.closing_phases import ClosingPhases
from echelon.engine.clock.dynamic_phases import DynamicPhases
from echelon.engine.clock.phases import Phases
from echelon.model import JobStatus

if TYPE_CHECKING:
    from echelon.engine.contract import Progress
    from echelon.engine.ledger.course import Course
    from echelon.engine.system import System
    from echelon.model import Schedule

_PROGRESS_EVERY = 512
"""Instants between calls of `progress`."""


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
        """Return when the next change or renewal that counts happens, or `release` if earlier, in seconds."""
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


def run(system: System, progress: Progress | None = None) -> Schedule:
    """Let time pass in `system` until nothing is left to happen.

    Parameters
    ----------
    system : System
        Before its first event.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        Of all jobs.

    Raises
    ------
    PolicyError
        If a decision of a rule is not allowed, or the rule fails.
    DeadlockError
        If some jobs can never start, or run beyond the resolution of times.

    Notes
    -----
    The loop reads when the next event happens; it needs to know neither how many jobs there will be nor when
    they end. Cost: O(log n) per event, in addition to the rules' own.
    """
    ledger = system.ledger
    releases, course = ledger.releases, ledger.course
    changes, instants = course or ledger.capacity, 0
    renewals = None if course is None else Renewals(system, course)
    if course is None:
        phases = Phases(system, releases, ledger.capacity)
    else:
        phases = (ClosingPhases if ledger.closures else DynamicPhases)(system, releases, course)
    happen = phases.order(ledger.scenario.cycles)
    # Looked up once: a long run has many instants.
    next_event, begin, take_ends, watch = system.next_event, system.begin, system.take_ends, system.watch
    latest = system.latest
    while True:
        other = releases.next_time
        # Outages alone do not keep a run going.
        if ledger.ended < len(ledger.jobs):
            other = min(other, changes.next_time) if renewals is None else renewals.next_time(other)
        now = other if renewals is not None and renewals.skip else next_event(other)
        if now == math.inf:
            break
        if course is not None and releases.next_time == math.inf and course.waits_in_vain(ledger.dispatches):
            break
        if now > latest:
            system.raise_endless()
        phases.now = now
        begin(now)
        ending = take_ends()
        if not (ending or other == now or system.has_changed):
            system.settle()
            continue
        watch(event=bool(ending) or other == now)
        happen(ending)
        instants += 1
        if progress is not None and instants % _PROGRESS_EVERY == 0:
            progress(ledger.ended, len(ledger.jobs))
    if course is None or system.is_whole:
        system.check_done()
    else:
        for position in course.unfinished_jobs():
            course.ends(position, JobStatus.UNFINISHED)
            ledger.dispatches.leaves(position)
    return system.schedule()
