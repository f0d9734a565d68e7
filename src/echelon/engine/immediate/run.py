"""One run on machines without queues: ENDs, SUBMITs, decisions."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.immediate.brokering import BrokerDesk
from echelon.engine.immediate.dispatching import DispatchDesk
from echelon.engine.immediate.system import System
from echelon.engine.multicluster.stuck import LATEST
from echelon.engine.releases import Releases
from echelon.errors import StuckError
from echelon.policies import Broker
from echelon.policies.immediate.contract import Dispatcher

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Schedule

_PROGRESS_EVERY = 512


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario` on its machines without queues.

    At an instant: jobs end, in the order of their first dispatch; daemons publish; jobs are submitted, in the
    workload's order; then the metascheduler decides.

    Parameters
    ----------
    scenario : Scenario
        With `ImmediateRules`, a broker or dispatcher, and a platform of machines without queues.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        Starts are dispatches, of a job with several copies the first; sites are those where jobs ended. Its
        instance's run times are end minus start.

    Raises
    ------
    PolicyError
        If the metascheduler decides what is not allowed, or fails.
    StuckError
        If jobs wait forever, or run for longer than times can tell.

    Notes
    -----
    Cost: O(log n) an event if jobs are CPU-bound, besides the metascheduler's own.
    """
    return _Run(scenario, progress).schedule()


class _Run:
    """The clock of one run."""

    def __init__(self, scenario: Scenario, progress: Progress | None) -> None:
        platform, broker = scenario.instance.platform, scenario.broker
        assert platform is not None
        self._system = System(scenario, platform)
        self._releases = Releases(scenario.instance)
        self._may_replicate = isinstance(broker, Dispatcher)
        self._desk: BrokerDesk | DispatchDesk
        if isinstance(broker, Dispatcher):
            self._desk = DispatchDesk(scenario, broker, self._system)
        else:
            assert isinstance(broker, Broker)
            self._desk = BrokerDesk(scenario, broker, platform, self._system)
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
        return min(self._system.sites.next_end(), self._releases.next_time, self._desk.next_time())

    def _instant(self, now: float) -> None:
        system = self._system
        system.sites.now = now
        ended = system.take_ends()
        for position in ended:
            self._releases.ended(position, now)
        arriving = self._releases.take(now)
        for position in arriving:
            self._desk.submit(system.submit(position))
        if isinstance(self._desk, BrokerDesk):
            self._desk.decide()
        else:
            last = self._releases.next_time == math.inf
            self._desk.decide(event=bool(ended or arriving), last=last)

    def _check_done(self) -> None:
        left = [job for job in self._system.record.jobs if math.isnan(self._system.record.end[job.position])]
        if not left:
            return
        if isinstance(self._desk, DispatchDesk) and self._next_time() == math.inf:
            self._desk.raise_stuck()
        shown = ", ".join(str(job.job_id) for job in left[:5])
        raise StuckError(
            f"jobs {shown}{' ...' if len(left) > 5 else ''} have not ended at t = {LATEST:.3g} s, and later "
            "times cannot tell one second from the next: check the speeds of machines, how long decisions "
            "and jobs take, and what jobs wait for"
        )

    def _report_progress(self) -> None:
        self._instants += 1
        if self._progress is not None and self._instants % _PROGRESS_EVERY == 0:
            self._progress(self._system.record.ended, len(self._system.record.jobs))
