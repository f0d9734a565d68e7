"""GridState: the state of all sites of a grid, by actual or by planned run times."""

from __future__ import annotations

from dataclasses import replace
from math import inf
from typing import TYPE_CHECKING

from echelon.engine.ledger import Ledger
from echelon.engine.look_ahead import simulate_ahead
from echelon.engine.machine import Machine
from echelon.policies import Planned, Request

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.model import Job, Platform


class GridState:
    """The machines of a grid, and the statistics of each site that brokers may read.

    Counts and sums cover the waiting and running jobs of a site. Sums are updated at assignments and at
    ENDs, and reset to 0 when no job is left, so both engines get the same bits.

    Parameters
    ----------
    scenario : Scenario
        The run.
    platform : Platform
        Its sites.

    Attributes
    ----------
    sizes : tuple of int
        Processors of each site.
    jobs, size_sum : list of int
        By site.
    time_sum, area_sum : list of float
        Planned times (s), and sizes times planned times (processor-seconds), by site.
    past : list of list of Planned
        Jobs that have ended at each site.
    """

    def __init__(self, scenario: Scenario, platform: Platform) -> None:
        self.ledger = Ledger(scenario)
        self.machines = [
            Machine(self.ledger, site.processors, site.name, site=place)
            for place, site in enumerate(platform.sites)
        ]
        self.sizes = tuple(site.processors for site in platform.sites)
        self.jobs = [0] * len(platform)
        self.size_sum = [0] * len(platform)
        self.time_sum = [0.0] * len(platform)
        self.area_sum = [0.0] * len(platform)
        self.past: list[list[Planned]] = [[] for _ in platform.sites]
        self._now = 0.0
        self._next = [inf] * len(platform)
        self._concerned: set[int] = set()
        self._eventful: set[int] = set()

    def next_time(self) -> float:
        """Return the time of the next event at any site except submissions; infinity if there is none."""
        return min(self._next)

    def begin(self, now: float) -> list[Job]:
        """Begin the instant `now`: end the jobs that end, in order of dispatch, and find the sites concerned.

        Returns
        -------
        list of Job
            The jobs that have ended.
        """
        self._now = now
        self._concerned = {site for site, time in enumerate(self._next) if time == now}
        for site in self._concerned:
            self.machines[site].cluster.now = now
        ending = [(job, site) for site in self._concerned for job in self.machines[site].take_ends()]
        self._eventful = {site for _, site in ending}
        # Over the whole grid: dispatches are numbered across sites.
        ending.sort(key=lambda pair: self.ledger.dispatches.serial[pair[0].position])
        for job, site in ending:
            self.machines[site].end(job)
            self._leave(job, site)
        for site in self._concerned:
            self.machines[site].correct()
        return [job for job, _ in ending]

    def assign(self, job: Job, site: int) -> None:
        """Add `job` to the queue of `site` now."""
        # It may have been announced in another state of the grid.
        self.ledger.jobs[job.position] = job
        self.machines[site].cluster.now = self._now
        self.machines[site].submit(job)
        self._concerned.add(site)
        self._eventful.add(site)
        self.jobs[site] += 1
        self.size_sum[site] += job.processors
        self.time_sum[site] += job.planned_time
        self.area_sum[site] += job.processors * job.planned_time

    def decide(self, *, last: bool) -> None:
        """End the instant: run a cycle at every site concerned. `last`: no further job will be submitted."""
        for site in sorted(self._concerned):
            machine = self.machines[site]
            machine.watch(event=site in self._eventful, last=last)
            machine.decide()
            time = machine.next_time()
            self._next[site] = inf if time is None else time

    def free(self, site: int) -> int:
        """Return the processors of `site` that no running job holds."""
        return self.machines[site].cluster.free

    def planned_schedule(self, site: int, job: Job | None) -> list[Planned]:
        """Return the planned schedule of the jobs at `site` now; see `GridView.schedule`."""
        cluster = self.machines[site].cluster
        cluster.now = self._now
        return simulate_ahead(cluster, job)

    def _leave(self, job: Job, site: int) -> None:
        start = self.ledger.dispatches.first_start(job)
        self.past[site].append(Planned(job, start, self._now))
        self.jobs[site] -= 1
        self.size_sum[site] -= job.processors
        if self.jobs[site]:
            self.time_sum[site] -= job.planned_time
            self.area_sum[site] -= job.processors * job.planned_time
        else:
            self.time_sum[site] = self.area_sum[site] = 0.0


def planned_scenario(scenario: Scenario) -> Scenario:
    """Return `scenario` with jobs that run for their planned times, without observers."""
    instance = replace(scenario.instance, run_time=scenario.instance.planned_time)
    return replace(scenario, instance=instance, observers=(), estimator=Request())
