"""BrokerQueue: jobs that a broker sends to machines one at a time; each decision takes time."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING

from echelon.engine.broker_choice import chosen_site, one_of
from echelon.engine.immediate.view import SitesView
from echelon.engine.worlds import TimeSharedSites

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.immediate.system import System
    from echelon.model import Job, Platform
    from echelon.policies import Broker


class BrokerQueue:
    """Jobs that wait for a decision, first come, first served, one at a time.

    Parameters
    ----------
    scenario : Scenario
        The run.
    broker : Broker
        Decides, with the information available when the decision is complete.
    platform : Platform
        The machines.
    system : System
        The parts of the run.
    """

    def __init__(self, scenario: Scenario, broker: Broker, platform: Platform, system: System) -> None:
        self._broker, self._system = broker, system
        self._time = scenario.world_as(TimeSharedSites).rules.decision_time
        self._view = SitesView(scenario, broker, system.sites, system.cpu_times)
        self._allowed = scenario.admissible.sites(platform, scenario.instance.size)
        self.waiting: deque[Job] = deque()
        self._done = math.inf

    def next_time(self) -> float:
        """Return when the current decision will be complete, in seconds; infinity if there is none."""
        return self._done

    def submit(self, job: Job) -> None:
        """Add `job` to the queue."""
        if not self.waiting:
            self._done = self._system.now + self._time
        self.waiting.append(job)

    def decide(self) -> None:
        """Apply all decisions that are complete now."""
        now = self._view.now = self._system.now
        if self._done > now:
            return
        while self._done <= now:
            self._send(self.waiting.popleft())
            self._done = now + self._time if self.waiting else math.inf
        self._system.decided(len(self.waiting))

    def _send(self, job: Job) -> None:
        view = self._view
        view.allowed = allowed = self._allowed[job.position]
        expected = f"{one_of(allowed)}, which can hold it and are admissible"
        view.last_site = site = chosen_site(self._broker, job, view, allowed, expected=expected)
        self._system.dispatch(job, site)
