"""The reference engine: readable Python, every feature, the definition the compiled engine must equal."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine import decentralized, grid
from echelon.engine.immediate.run import simulate as immediate
from echelon.engine.ledger import Ledger
from echelon.engine.machine import Machine
from echelon.engine.multicluster.queue_prediction import predict_queue
from echelon.engine.multicluster.run import simulate as multicluster
from echelon.engine.nodes.machine import NodeMachine
from echelon.engine.releases import Releases
from echelon.engine.worlds import (
    BrokeredGrid,
    DecentralizedGrid,
    Multicluster,
    NodeLevelMachine,
    OneMachine,
    TimeSharedSites,
)

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Job, Schedule

_PROGRESS_EVERY = 512


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario` in the reference engine.

    Parameters
    ----------
    scenario : Scenario
        The run; any policy is supported.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        One start a job. Its counts: ``events``, ``passes``, ``decisions``, and with an estimator that
        learns ``corrections``.

    Raises
    ------
    PolicyError
        If a decision of the policy breaks the rules.
    DeadlockError
        If some jobs can never start because the policy starts none.

    Notes
    -----
    Cost: O(log n) per event, in addition to the policy's own.
    """
    match scenario.world:
        case TimeSharedSites():
            return immediate(scenario, progress)
        case Multicluster():
            return multicluster(scenario, predict_queue, progress)
        case BrokeredGrid(broker):
            return grid.simulate(scenario, broker, scenario.instance.sites, progress)
        case DecentralizedGrid(protocol):
            return decentralized.simulate(scenario, protocol, scenario.instance.sites, progress)
        case OneMachine() | NodeLevelMachine():
            return _Run(scenario, progress).schedule()


class _Run:
    """One run on one machine: the clock and the two streams of events, END and SUBMIT."""

    def __init__(self, scenario: Scenario, progress: Progress | None) -> None:
        self._scenario = scenario
        self._ledger = Ledger(scenario)
        self._machine = (
            Machine(self._ledger, scenario.instance.processors)
            if isinstance(scenario.world, OneMachine)
            else NodeMachine(self._ledger)
        )
        self._cluster = self._machine.cluster
        self._releases = Releases(scenario.instance)
        self._progress = progress

    def schedule(self) -> Schedule:
        step = {"instant": self._instant, "event": self._each_event, "pyss": self._as_pyss}[
            self._scenario.passes
        ]
        while True:
            release = self._releases.next_time
            now = self._machine.next_event(release)
            if now == math.inf:
                break
            self._cluster.now = now
            arriving = release == now
            ending = self._machine.take_ends()
            if not (ending or arriving or self._machine.has_changed):
                self._machine.quiet()
                continue
            self._machine.watch(event=bool(ending) or arriving, last=release == math.inf)
            step(ending, arriving=arriving)
            if self._progress is not None and (ending or not arriving):
                self._report_progress()
        if self._cluster.waiting:
            self._machine.raise_deadlock()
        return self._machine.schedule()

    def _end(self, job: Job) -> None:
        self._machine.end(job)
        self._releases.ended(job.position, self._cluster.now)

    def _end_in_turn(self, job: Job) -> bool:
        """End `job`, unless a cycle has suspended it at this instant; return whether it ran."""
        if self._cluster.runs(job):
            self._end(job)
            return True
        # Its dependents have not been notified yet.
        self._releases.ended(job.position, self._cluster.now)
        return False

    def _released(self) -> Iterator[None]:
        """Add the jobs released now to the queue, one after the other."""
        for position in self._releases.take(self._cluster.now):
            self._submit(position)
            yield

    def _submit(self, position: int) -> None:
        self._machine.submit(self._ledger.announce(position, self._cluster.now))

    def _instant(self, ending: list[Job], *, arriving: bool) -> None:
        for job in ending:
            self._end(job)
        self._machine.correct()
        for position in self._releases.take(self._cluster.now):
            self._submit(position)
        self._machine.decide()

    def _each_event(self, ending: list[Job], *, arriving: bool) -> None:
        machine = self._machine
        for job in ending:
            if self._end_in_turn(job):
                machine.decide()
        if machine.correct() or not (ending or arriving):
            machine.decide()
        for _ in self._released():
            machine.decide()

    def _as_pyss(self, ending: list[Job], *, arriving: bool) -> None:
        """Decide as pyss does; jobs that an early END releases follow all ENDs, in a round of their own."""
        machine = self._machine
        early = [self._cluster.planned_end(job) > self._cluster.now for job in ending]
        for job, is_early in zip(ending, early, strict=True):
            if not is_early:
                self._end(job)
        if machine.correct() or not (ending or arriving):
            machine.decide()
        for _ in self._released():
            machine.decide()
        for job, is_early in zip(ending, early, strict=True):
            if is_early:
                self._end_in_turn(job)
            machine.decide()

    def _report_progress(self) -> None:
        if self._progress is not None and self._ledger.passes % _PROGRESS_EVERY == 0:
            self._progress(self._ledger.ended, len(self._ledger.jobs))
