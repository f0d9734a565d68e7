"""ClosingPhases: the order of one instant where nodes are drained, maintained or reserved.

At one instant what ends comes first, then capacity comes back and goes down, then what begins.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.clock.dynamic_phases import DynamicPhases
from echelon.engine.resources.closure_events import ClosureEvent, slide_ahead
from echelon.model import EndReason, JobStatus

if TYPE_CHECKING:
    from echelon.engine.ledger.course import Course
    from echelon.engine.ledger.releases import Releases
    from echelon.engine.resources.closures import Closure
    from echelon.engine.system import System
    from echelon.model import Job


class ClosingPhases(DynamicPhases):
    """`DynamicPhases`, with its parameters, in which nodes are closed to some jobs, and open again."""

    def __init__(self, system: System, releases: Releases, course: Course) -> None:
        super().__init__(system, releases, course)
        # Positions of the jobs that name reservations which are over: all, and those that may still run.
        self._over: set[int] = set()
        self._lapsed: set[int] = set()
        # Moves of sliding reservations since a job last started.
        self._moves = self._dispatched = 0

    def _change_capacity(self) -> None:
        """Let closures end, then capacity change, then closures begin, be announced or slide."""
        closes = self._course.closures.next_time <= self.now
        if closes:
            self._close(ends=True)
        super()._change_capacity()
        if closes:
            self._close(ends=False)

    def _close(self, *, ends: bool) -> None:
        """Let the closures that are due end, or all that is due happen."""
        events = self._course.closures
        for event, closure in events.take(self.now, ends=ends):
            if event == ClosureEvent.SLIDES:
                self._slide(closure)
                continue
            for job in self._system.change_closure(event, closure):
                self._stop(job.position, EndReason.EVICTED, JobStatus.EVICTED, JobStatus.HELD)
            if event == ClosureEvent.ENDS:
                over = events.lapsed_jobs(closure)
                self._over |= over
                self._lapsed |= over & self._ledger.joined
            self._note_losses()

    def _slide(self, closure: Closure) -> None:
        """Move a sliding reservation ahead, unless a job waits for it: then it will begin where it is."""
        events, system = self._course.closures, self._system
        if system.awaits(closure):
            events.follow(closure, slides=False)
            return
        moved = slide_ahead(closure, self.now)
        system.change_closure(ClosureEvent.SLIDES, moved)
        if not self._moves_in_vain():
            events.follow(moved)

    def _moves_in_vain(self) -> bool:
        """Return whether nothing but moves happens any more, so that no waiting job will ever start."""
        dispatches = self._ledger.dispatches
        self._moves = self._moves + 1 if dispatches.dispatched == self._dispatched else 0
        self._dispatched = dispatches.dispatched
        # After each has moved twice, every distance has been there that will ever be.
        if self._moves <= 2 * len(self._ledger.closures) or not self._course.only_moves:
            return False
        return self._releases.next_time == math.inf and not any(dispatches.serial)

    def _note_losses(self) -> None:
        """See `DynamicPhases`; a job whose reservation is over does not wait any more."""
        super()._note_losses()
        self._hold()

    def _expire(self) -> bool:
        """See `DynamicPhases`; nor does a job that was suspended when its reservation was over."""
        expired = super()._expire()
        return self._hold() or expired

    def _hold(self) -> bool:
        """Take the waiting jobs out whose reservations are over; return whether there are any.

        One that has not been released yet, or waits for its delay, is taken out when it joins.
        """
        over = [one for one in sorted(self._lapsed) if not self._system.runs(self._ledger.jobs[one])]
        self._lapsed.difference_update(over)
        course = self._course
        held = [one for one in over if not (course.has_ended(one) or one in course.delayed)]
        for position in held:
            self._stop(position, EndReason.EVICTED, JobStatus.EVICTED, JobStatus.HELD)
        return bool(held)

    def _refusal_of(self, job: Job) -> JobStatus | None:
        """See `DynamicPhases`; a job whose reservation is over does not wait, either."""
        return JobStatus.HELD if job.position in self._over else super()._refusal_of(job)
