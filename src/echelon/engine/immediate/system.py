"""System: the parts of one run on time-shared machines, and the events of a job there."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.immediate.accounting import CpuTimes, warm_prior
from echelon.engine.immediate.record import Record
from echelon.engine.immediate.sites import Sites
from echelon.engine.observer import Place
from echelon.engine.worlds import TimeSharedSites

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.immediate.sites import Copy
    from echelon.model import Job, Platform


class System:
    """Machines, accounting and observers of one run.

    Parameters
    ----------
    scenario : Scenario
        The run.
    platform : Platform
        Its machines.

    Attributes
    ----------
    copies : list of list of int
        The sites where copies of each job run, in the order of their dispatch.
    running : dict of int to Job
        Jobs that run, by position, in the order of their first dispatch.
    """

    def __init__(self, scenario: Scenario, platform: Platform) -> None:
        self.sites = Sites(scenario, platform)
        self.record = Record(scenario.instance)
        self.copies: list[list[int]] = [[] for _ in self.record.jobs]
        self.running: dict[int, Job] = {}
        self._observers = tuple(scenario.observers)
        self._places = [Place(site, one.name) for site, one in enumerate(platform.sites)]
        warm = scenario.world_as(TimeSharedSites).rules.experience == "warm"
        work = np.array([self.sites.work(position) for position in range(len(self.copies))])
        speeds = self.sites.speeds
        self.cpu_times = CpuTimes(warm_prior(scenario.instance, work, speeds) if warm else None)

    @property
    def now(self) -> float:
        """Simulation time, in seconds."""
        return self.sites.now

    def take_ends(self) -> list[int]:
        """End all jobs that end now, with their other copies; return them by first dispatch."""
        done = self.sites.take_ends()
        ended = []
        for copy in done:
            # Of copies that end at one instant, that at the lowest site ends the job.
            if copy.site in self.copies[copy.job.position]:
                self._finish(copy, [other for other in done if other.job.position == copy.job.position])
                ended.append(copy.job.position)
        return ended

    def submit(self, position: int) -> Job:
        """Submit the job at `position` now."""
        job = self.record.submitted(position, self.now)
        for observer in self._observers:
            observer.submitted(self.now, job, Place())
        return job

    def dispatch(self, job: Job, site: int) -> None:
        """Start a copy of `job` at `site` now."""
        self.sites.dispatch(job, site)
        self.copies[job.position].append(site)
        self.record.decisions += 1
        if job.position not in self.running:
            self.running[job.position] = job
            self.record.start[job.position] = self.now
            for observer in self._observers:
                observer.started(self.now, job, self._places[site])

    def cancel(self, job: Job, site: int) -> None:
        """Cancel the copy of `job` at `site` now."""
        self.copies[job.position].remove(site)
        self.record.decisions += 1
        self.record.canceled(self.sites.cancel(job.position, site), self.now)

    def decided(self, waiting: int) -> None:
        """Note that the metascheduler has made its decisions for now; `waiting` jobs still wait."""
        self.record.passes += 1
        if self._observers:
            free = sum(map(self.sites.free, range(len(self.sites.sizes))))
            for observer in self._observers:
                observer.decided(self.now, waiting, free, Place())

    def _finish(self, copy: Copy, done: list[Copy]) -> None:
        position = copy.job.position
        for other in done[1:]:
            self.record.canceled(other, self.now)
        gone = {other.site for other in done}
        for site in self.copies[position]:
            if site not in gone:
                self.record.canceled(self.sites.cancel(position, site), self.now)
        self.copies[position] = []
        del self.running[position]
        self.record.finished(copy, self.now)
        self.sites.note_past(copy)
        seconds = self.sites.work(position) / self.sites.speeds[copy.site]
        self.cpu_times.observe(copy.job.executable, copy.site, seconds)
        for observer in self._observers:
            observer.ended(self.now, copy.job, self._places[copy.site])
