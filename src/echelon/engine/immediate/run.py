"""One run on time-shared machines: ENDs, SUBMITs, decisions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.immediate.broker_queue import BrokerQueue
from echelon.engine.immediate.dispatcher_queue import DispatcherQueue
from echelon.engine.immediate.system import System
from echelon.engine.multicluster.deadlock import LATEST
from echelon.engine.releases import Releases
from echelon.engine.worlds import TimeSharedSites
from echelon.errors import DeadlockError
from echelon.policies.immediate.contract import Dispatcher

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Schedule

_PROGRESS_EVERY = 512


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario` on its time-shared machines.

    At an instant: jobs end, in the order of their first dispatch; daemons publish; jobs are submitted, in the
    workload's order; then the metascheduler decides.

    Parameters
    ----------
    scenario : Scenario
        With `ImmediateRules`, a broker or dispatcher, and a platform of time-shared machines.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        Starts are dispatches, the first for a job with several copies; sites are those where jobs ended. Its
        instance's run times are end minus start.

    Raises
    ------
    PolicyError
        If a decision of the metascheduler is not allowed, or it fails.
    DeadlockError
        If some jobs can never start, or run beyond the resolution of times.

    Notes
    -----
    Cost: O(log n) per event if jobs are CPU-bound, in addition to the metascheduler's own.
    """
    return _Run(scenario, progress).schedule()


class _Run:
    """The clock of one run."""

    def __init__(self, scenario: Scenario, progress: Progress | None) -> None:
        platform, broker = scenario.instance.sites, scenario.world_as(TimeSharedSites).broker
        self._system = System(scenario, platform)
        self._releases = Releases(scenario.instance)
        self._may_replicate = isinstance(broker, Dispatcher)
        self._queue: BrokerQueue | DispatcherQueue
        if isinstance(broker, Dispatcher):
            self._queue = DispatcherQueue(scenario, broker, self._system)
        else:
            self._queue = BrokerQueue(scenario, broker, platform, self._system)
        self._progress = progress
        self._instants = 0

    def schedule(self) -> Schedule:
        while (now := self._next_time()) < math.inf:
            if now > LATEST:
                break
            self._instant(now)
            self._report_progress()
        self._check_done()
        return self._system.record.schedule(replicated=self._may_replicate)

    def _next_time(self) -> float:
        return min(self._system.sites.next_end(), self._releases.next_time, self._queue.next_time())

    def _instant(self, now: float) -> None:
        system = self._system
        system.sites.now = now
        ended = system.take_ends()
        for position in ended:
            self._releases.ended(position, now)
        arriving = self._releases.take(now)
        for position in arriving:
            self._queue.submit(system.submit(position))
        if isinstance(self._queue, BrokerQueue):
            self._queue.decide()
        else:
            last = self._releases.next_time == math.inf
            self._queue.decide(event=bool(ended or arriving), last=last)

    def _check_done(self) -> None:
        left = [job for job in self._system.record.jobs if math.isnan(self._system.record.end[job.position])]
        if not left:
            return
        if isinstance(self._queue, DispatcherQueue) and self._next_time() == math.inf:
            self._queue.raise_deadlock()
        shown = ", ".join(str(job.job_id) for job in left[:5])
        raise DeadlockError(
            f"jobs {shown}{' ...' if len(left) > 5 else ''} have not ended at t = {LATEST:.3g} s, and later "
            "times cannot resolve one second: check the speeds of machines, how long decisions and jobs "
            "take, and what jobs wait for"
        )

    def _report_progress(self) -> None:
        self._instants += 1
        if self._progress is not None and self._instants % _PROGRESS_EVERY == 0:
            self._progress(self._system.record.ended, len(self._system.record.jobs))
