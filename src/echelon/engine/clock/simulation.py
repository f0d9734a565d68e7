"""Simulation: the only loop in which time passes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.clock.changing_phases import ChangingPhases
from echelon.engine.clock.closing_phases import ClosingPhases
from echelon.engine.clock.phases import Phases
from echelon.engine.clock.renewals import Renewals
from echelon.model import JobStatus

if TYPE_CHECKING:
    from echelon.engine.contract import Progress
    from echelon.engine.system import System
    from echelon.model import Schedule

_PROGRESS_EVERY = 512
"""Instants between calls of `progress`."""


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
        phases = (ClosingPhases if ledger.closures else ChangingPhases)(system, releases, course)
    happen = phases.order(ledger.scenario.passes)
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
