"""Phases: the order of what happens at one instant. Ties between events are decided here and nowhere else.

========  ==================================================  =============================================
phase     what happens                                        ties inside it
========  ==================================================  =============================================
END       jobs that end release what they hold; then those    order of dispatch, through the whole system;
          that run at their deadlines                         position
CORRECT   planned ends that have passed are put off           order of planned end, then position
CHANGE    capacity comes back, then goes down, with its       order of the stream
          jobs; local load changes
REQUEUE   jobs that lost a node, and have waited for their    position
          delay, join again
CANCEL    canceled jobs end or leave; jobs that wait at       position, cancellations before deadlines
          their deadlines leave
JOIN      released jobs reach their queue, through brokers    position
LEAVE     jobs that have waited too long are rejected;        order of submission
          jobs that this releases JOIN
DECIDE    controllers concerned decide, to rest               outer before inner, then the platform's order
EXPIRE    waiting jobs leave that would miss their deadlines  position
          from now on; jobs that this releases JOIN, DECIDE
SETTLE    what runs continues at its new rate
========  ==================================================  =============================================

Under ``instant`` each phase is completed before the next begins. ``event`` and ``pyss`` are other orders of
the same phases: see `Phases`. REQUEUE, CANCEL and EXPIRE are in `echelon.engine.clock.dynamic_phases`: only
runs in which machines change, or jobs are canceled or have deadlines, have them.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.resources.capacity import Capacity
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.engine.ledger.releases import Releases
    from echelon.engine.system import System
    from echelon.model import Job


class Phases:
    """The phases of one instant, in one of three orders.

    Parameters
    ----------
    system : System
        What the events happen in.
    releases : Releases
        When jobs are released.
    capacity : Capacity, default that never changes
        When capacity changes; not under ``pyss``.
    """

    def __init__(self, system: System, releases: Releases, capacity: Capacity | None = None) -> None:
        self._system, self._releases, self._capacity = system, releases, capacity or Capacity()
        self.now = 0.0
        # Most runs have three phases fewer.
        self._corrects, self._changes, self._rejects, self._settles = map(
            system.has, ("correct", "change", "leave", "settle")
        )

    def order(self, cycles: str) -> Callable[[list[Job]], None]:
        """Return the order that `cycles` names, as a function of the jobs that end at the instant."""
        if cycles == "pyss" and self._capacity.next_time < math.inf:
            raise InputError(
                f"is 'instant' or 'event' where capacity changes, got {cycles!r}", field="cycles"
            )
        return {"instant": self._run_instant, "event": self._run_each_event, "pyss": self._run_pyss}[cycles]

    def _run_instant(self, ending: list[Job]) -> None:
        """All events, then one DECIDE."""
        system = self._system
        for job in ending:
            self._end(job)
        if self._corrects:
            system.correct()
        if self._changes:
            system.change()
        if self._capacity.next_time <= self.now:
            for outage in self._capacity.take_late(self.now):
                system.expect(outage)
            for _, down, outage in self._capacity.take(self.now):
                system.change_capacity(outage, down=down)
        if self._releases.next_time <= self.now:
            self._join()
        if self._rejects and self._leave():
            self._join()
        system.decide()
        if self._settles:
            system.settle()

    def _run_each_event(self, ending: list[Job]) -> None:
        """DECIDE after every single event, ENDs before JOINs."""
        system, arriving = self._system, self._releases.next_time == self.now
        for job in ending:
            if self._end_in_turn(job):
                self._decide()
        late, changed = system.correct(), system.change()
        changes = self._capacity.take(self.now) if self._capacity.next_time <= self.now else ()
        if late or changed or not (ending or arriving or changes):
            self._decide()
        for _, down, outage in changes:
            system.change_capacity(outage, down=down)
            self._decide()
        self._join_in_turn()
        if self._rejects and self._leave():
            self._decide()
            self._join_in_turn()

    def _run_pyss(self, ending: list[Job]) -> None:
        """Decide as pyss does: ENDs that were planned, then JOINs, then early ENDs, each with a DECIDE.

        Jobs that an early END releases follow all ENDs, in a round of their own.
        """
        system, arriving = self._system, self._releases.next_time == self.now
        early = [system.ends_early(job) for job in ending]
        for job, is_early in zip(ending, early, strict=True):
            if not is_early:
                self._end(job)
        if system.correct() or not (ending or arriving):
            self._decide()
        self._join_in_turn()
        for job, is_early in zip(ending, early, strict=True):
            if is_early:
                self._end_in_turn(job)
            self._decide()

    def _end(self, job: Job) -> None:
        self._system.end(job)
        self._releases.note_end(job.position, self.now)

    def _end_in_turn(self, job: Job) -> bool:
        """End `job`, unless a cycle has suspended it at this instant; return whether it ran."""
        if self._system.runs(job):
            self._end(job)
            return True
        # Its dependents have not been notified yet.
        self._releases.note_end(job.position, self.now)
        return False

    def _leave(self) -> bool:
        """Let the jobs that have waited too long leave; return whether there are any."""
        left = self._system.leave()
        for position in left:
            self._releases.note_end(position, self.now)
        return bool(left)

    def _join_in_turn(self) -> None:
        for position in self._releases.take(self.now):
            self._join_one(position)
            self._decide()

    def _join(self) -> None:
        for position in self._releases.take(self.now):
            self._join_one(position)

    def _join_one(self, position: int) -> None:
        self._system.join(self._system.ledger.announce(position, self.now))

    def _decide(self) -> None:
        self._system.decide()
        self._system.settle()
