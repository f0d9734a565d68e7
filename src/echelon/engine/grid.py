"""The reference engine of grids: many sites under a broker."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.broker_choice import chosen_site, one_of
from echelon.engine.grid_view import BrokerView
from echelon.engine.releases import Releases
from echelon.engine.world import World, by_plan

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Job, Platform, Schedule
    from echelon.policies import Broker

_PROGRESS_EVERY = 256


def simulate(scenario: Scenario, broker: Broker, platform: Platform, progress: Progress | None) -> Schedule:
    """Run `scenario` on its platform under its broker.

    At an instant, after all ENDs, each SUBMIT is assigned in the workload's order; then every site concerned
    decides once. Two schedules are kept: the one that really happens, of which all metrics are, and, for a
    broker that believes in it, the allocation-level schedule, in which every job runs for its planned time.
    A job that waits for others to end is released by what really happens, and joins both then.

    Parameters
    ----------
    scenario : Scenario
        What to run; any local policy is supported.
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
        If the broker looks at schedules by plan and the sites' policy allows none.
    PolicyError
        If the broker chooses a site that is not allowed, asks for more than its level of information, or
        fails; or as on one machine.
    StuckError
        If jobs wait forever.

    Notes
    -----
    Cost: O(sites) an instant, besides the broker's and the policies' own.
    """
    return _GridRun(scenario, broker, platform, progress).schedule()


class _GridRun:
    """One run on a grid: the clock, the broker, and one or two worlds."""

    def __init__(
        self, scenario: Scenario, broker: Broker, platform: Platform, progress: Progress | None
    ) -> None:
        self._broker = broker
        self._progress = progress
        self._world = World(scenario, platform)
        self._worlds = [self._world]
        if broker.belief == "allocation":
            self._worlds.append(World(by_plan(scenario), platform))
        self._view = BrokerView(scenario, broker, self._worlds[-1])
        self._releases = Releases(scenario.instance)
        self._instants = 0
        self._allowed = scenario.admissible.sites(platform, scenario.instance.size)
        self._site = np.full(len(scenario.instance), -1, dtype=np.int64)

    def schedule(self) -> Schedule:
        while (now := self._next_time()) < np.inf:
            for world in self._worlds:
                ended = world.begin(now)
                if world is self._world:
                    for job in ended:
                        self._releases.ended(job.position, now)
            self._view.now = now
            for position in self._releases.take(now):
                self._assign(self._world.ledger.announce(position, now))
            for world in self._worlds:
                world.decide(last=self._releases.next_time == np.inf)
            self._report_progress()
        for machine in self._world.machines:
            if machine.cluster.waiting:
                machine.raise_stuck()
        return self._world.ledger.schedule(self._site)

    def _next_time(self) -> float:
        return min(self._releases.next_time, *(world.next_time() for world in self._worlds))

    def _assign(self, job: Job) -> None:
        self._view.allowed = allowed = self._allowed[job.position]
        expected = f"{one_of(allowed)}, which can hold it and are admissible"
        site = chosen_site(self._broker, job, self._view, allowed, expected=expected)
        self._site[job.position] = self._view.last_site = site
        for world in self._worlds:
            world.assign(job, site)

    def _report_progress(self) -> None:
        self._instants += 1
        if self._progress is not None and self._instants % _PROGRESS_EVERY == 0:
            self._progress(self._world.ledger.ended, len(self._site))
