"""The reference engine of grids: many sites under a broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.broker_choice import chosen_site, one_of
from echelon.engine.grid_state import GridState, planned_scenario
from echelon.engine.grid_view import BrokerView
from echelon.engine.releases import Releases

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Job, Platform, Schedule
    from echelon.policies import Broker

_PROGRESS_EVERY = 256


def simulate(scenario: Scenario, broker: Broker, platform: Platform, progress: Progress | None) -> Schedule:
    """Run `scenario` on its platform under its broker.

    At an instant, after all ENDs, each SUBMIT is assigned in the workload's order; then every site concerned
    decides once. For a broker whose information is planned (``belief="allocation"``) a second schedule is
    kept, the allocation-level schedule, in which every job runs for its planned time. All metrics are of the
    actual schedule. A job that waits for others to end is released by the actual schedule, and joins both.

    Parameters
    ----------
    scenario : Scenario
        The run; any local policy is supported.
    broker : Broker
        The scenario's.
    platform : Platform
        The scenario's.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        One start and one site a job.

    Raises
    ------
    InputError
        If the broker needs planned schedules and the sites' policy does not support look-ahead simulation.
    PolicyError
        If the broker chooses a site that is not allowed, requests information above its level, or fails; or
        as on one machine.
    DeadlockError
        If some jobs can never start.

    Notes
    -----
    Cost: O(sites) per instant, in addition to that of the broker and the policies.
    """
    return _GridRun(scenario, broker, platform, progress).schedule()


class _GridRun:
    """One run on a grid: the clock, the broker, and one or two states, actual and planned."""

    def __init__(
        self, scenario: Scenario, broker: Broker, platform: Platform, progress: Progress | None
    ) -> None:
        self._broker = broker
        self._progress = progress
        self._state = GridState(scenario, platform)
        self._states = [self._state]
        if broker.belief == "allocation":
            self._states.append(GridState(planned_scenario(scenario), platform))
        self._view = BrokerView(scenario, broker, self._states[-1])
        self._releases = Releases(scenario.instance)
        self._instants = 0
        self._allowed = scenario.admissible.sites(platform, scenario.instance.size)
        self._site = np.full(len(scenario.instance), -1, dtype=np.int64)

    def schedule(self) -> Schedule:
        while (now := self._next_time()) < np.inf:
            for state in self._states:
                ended = state.begin(now)
                if state is self._state:
                    for job in ended:
                        self._releases.ended(job.position, now)
            self._view.now = now
            for position in self._releases.take(now):
                self._assign(self._state.ledger.announce(position, now))
            for state in self._states:
                state.decide(last=self._releases.next_time == np.inf)
            self._report_progress()
        for machine in self._state.machines:
            if machine.cluster.waiting:
                machine.raise_deadlock()
        return self._state.ledger.schedule(self._site)

    def _next_time(self) -> float:
        return min(self._releases.next_time, *(state.next_time() for state in self._states))

    def _assign(self, job: Job) -> None:
        self._view.allowed = allowed = self._allowed[job.position]
        expected = f"{one_of(allowed)}, which can hold it and are admissible"
        site = chosen_site(self._broker, job, self._view, allowed, expected=expected)
        self._site[job.position] = self._view.last_site = site
        for state in self._states:
            state.assign(job, site)

    def _report_progress(self) -> None:
        self._instants += 1
        if self._progress is not None and self._instants % _PROGRESS_EVERY == 0:
            self._progress(self._state.ledger.ended, len(self._site))
