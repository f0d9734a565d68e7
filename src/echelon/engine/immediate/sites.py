"""Sites: all machines of one run, and the statistics that metaschedulers read."""

from __future__ import annotations

import math
from bisect import bisect_left
from heapq import heappop, heappush
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.immediate.accounting import RecentJobs
from echelon.engine.immediate.machine import ROUNDING, TimeSharedMachine
from echelon.engine.immediate.monitoring import daemons
from echelon.engine.worlds import TimeSharedSites
from echelon.execution.processor_sharing import cpu_demand, time_alone
from echelon.policies import Planned

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.engine.contract import Scenario
    from echelon.model import Instance, Job, Platform
    from echelon.model.jobs.columns import FloatColumn


class Copy(NamedTuple):
    """One copy of a job at a site: its start, and the computing time of its processes, in seconds.

    The latter is known when it has ended.
    """

    job: Job
    site: int
    start: float
    computed: float = math.nan


def cpu_shares(instance: Instance, cpu_use: str) -> FloatColumn:
    """Return the part of its run time that each job computes, in (0, 1], shape (n_jobs,).

    1 with ``full``; with ``log`` the log's average CPU time of a processor by the log's run time, at most 1,
    and 1 where the log has no value or 0.
    """
    if cpu_use == "full":
        return np.ones(len(instance))
    used = instance.workload.float_column("average_cpu_time")[instance.kept]
    return np.where(used > 0, np.minimum(used / instance.workload.run_time[instance.kept], 1.0), 1.0)


class Sites:
    """The time-shared machines of one run: the jobs on each, and when the next job ends.

    Counts and sums are of the jobs at each site, none of which waits. A sum is made by adding at dispatches
    and subtracting when jobs leave, and is 0 when no job is left.

    Parameters
    ----------
    scenario : Scenario
        The run.
    platform : Platform
        Its machines.

    Attributes
    ----------
    sizes : tuple of int
        Cores of each site.
    speeds : tuple of float
        Speed of a core of each site.
    jobs, size_sum : list of int
        By site.
    time_sum, area_sum : list of float
        Planned times (s), and sizes times planned times (processor-seconds), by site.
    past : list of list of Planned
        Jobs that have ended at each site.
    running : list of dict of int to Copy
        Copies that run at each site, by the job's position.
    now : float
        Simulation time, in seconds.
    """

    def __init__(self, scenario: Scenario, platform: Platform) -> None:
        rules = scenario.world_as(TimeSharedSites).rules
        self.sizes = tuple(site.processors for site in platform.sites)
        order: list[int] = platform.by_size.tolist()
        # A slice of a range is a range: sites that are sorted by size in the file need no list for each job.
        self._by_size = range(len(order)) if order == sorted(order) else order
        self.speeds = tuple(machine.speed for machine in platform.time_shared)
        self.machines = [TimeSharedMachine(cores) for cores in self.sizes]
        # Drawn by size, so that the order in the file does not matter.
        monitoring = daemons(rules.monitoring, len(platform), scenario.seed)
        self._rank = {site: rank for rank, site in enumerate(order)}
        self.daemons = [monitoring[self._rank[site]] for site in range(len(monitoring))]
        self._recent = [RecentJobs(rules.monitoring.window, rules.monitoring.ended) for _ in platform.sites]
        self.jobs, self.size_sum = [0] * len(platform), [0] * len(platform)
        self.time_sum, self.area_sum = [0.0] * len(platform), [0.0] * len(platform)
        self.past: list[list[Planned]] = [[] for _ in platform.sites]
        self.running: list[dict[int, Copy]] = [{} for _ in platform.sites]
        self.now = 0.0
        shares = cpu_shares(scenario.instance, rules.cpu_use)
        self._run_time: list[float] = scenario.instance.run_time.tolist()
        self._share: list[float] = shares.tolist()
        # Each site's next end, and the number of the change that set it: the last one counts.
        self._ends: list[tuple[float, int, int]] = []
        self._changes = [0] * len(platform)
        self._plans: list[tuple[Planned, ...] | None] = [None] * len(platform)
        # The number of each job's first dispatch.
        self._dispatched: dict[int, int] = {}

    def next_end(self) -> float:
        """Return when the next job ends without further arrivals, in seconds; infinity if none runs."""
        while self._ends and self._ends[0][2] != self._changes[self._ends[0][1]]:
            heappop(self._ends)
        return self._ends[0][0] if self._ends else math.inf

    def take_ends(self) -> list[Copy]:
        """Remove the copies that are complete now; return them by the job's first dispatch, then by site."""
        done: list[Copy] = []
        sites = []
        while self.next_end() - self.now <= ROUNDING * math.ulp(self.now):
            sites.append(heappop(self._ends)[1])
        for site in sites:
            done += [self._gone(position, site) for position in self.machines[site].take_ends(self.now)]
            self._changed(site)
        return sorted(done, key=lambda copy: (self._dispatched[copy.job.position], self._rank[copy.site]))

    def dispatch(self, job: Job, site: int) -> None:
        """Start a copy of `job` at `site` now."""
        self._dispatched.setdefault(job.position, len(self._dispatched))
        share, speed = self._share[job.position], self.speeds[site]
        real = time_alone(self._run_time[job.position], share, speed)
        self.machines[site].join(
            job.position,
            self.now,
            processes=job.processors,
            demand=cpu_demand(share, speed),
            alone=(real, time_alone(job.planned_time, share, speed)),
        )
        self.running[site][job.position] = Copy(job, site, self.now)
        self._recent[site].started(self.now, job.processors)
        self._count(job, site, 1)
        self._changed(site)

    def cancel(self, position: int, site: int) -> Copy:
        """Cancel the copy of a job at `site` now; return it."""
        computed = self.machines[site].leave(position, self.now)
        copy = self._gone(position, site)
        self._changed(site)
        return copy._replace(computed=computed)

    def note_past(self, copy: Copy) -> None:
        """Note that the job of `copy` has ended with it."""
        self.past[copy.site].append(Planned(copy.job, copy.start, self.now))

    def fits(self, job: Job) -> Sequence[int]:
        """Return the sites with at least as many cores as `job` has processes, the lowest first."""
        first = bisect_left(self._by_size, job.processors, key=self.sizes.__getitem__)
        return self._by_size[first:]

    def free(self, site: int) -> int:
        """Return the cores of `site` that would idle if its processes only computed."""
        return max(0, self.sizes[site] - self.machines[site].processes)

    def work(self, position: int) -> float:
        """Return the computing time of a process of a job on a core of speed 1, in seconds."""
        return self._run_time[position] * self._share[position]

    def execution_time(self, job: Job, site: int) -> float:
        """Return the planned time of `job` alone at `site`, in seconds."""
        return time_alone(job.planned_time, self._share[job.position], self.speeds[site])

    def ready_time(self, site: int) -> float:
        """Return when `site` would complete all its jobs as planned, with all its cores."""
        return self.now + self.machines[site].planned_work(self.now) / self.sizes[site]

    def load(self, site: int) -> float:
        """Return the load average that `site` published last, in processes."""
        return self.daemons[site].published(self.now)

    def estimated_load(self, site: int) -> float:
        """Return the load of `site`, corrected for recent starts and ends of jobs, in processes."""
        return self._recent[site].estimated_load(self.load(site), self.now)

    def planned_schedule(self, site: int, job: Job | None) -> list[Planned]:
        """Return the ends of the jobs at `site` if each takes its planned time and no further job arrives.

        By end, then position; then `job`, if it began now. Cost: O(n log n) of n jobs of one kind there, or
        O(1) if nothing has changed since the last call without a job.
        """
        if job is not None and job.position not in self.running[site]:
            *others, own = self._plan(site, job)
            return [*sorted(others, key=lambda p: (p.end, p.job.position)), own]
        plan = self._plans[site]
        if plan is None:
            plan = tuple(sorted(self._plan(site, None), key=lambda p: (p.end, p.job.position)))
            self._plans[site] = plan
        return list(plan)

    def _plan(self, site: int, job: Job | None) -> list[Planned]:
        """Return the jobs that run at `site` with their planned ends; `job` is last if there is one."""
        twin = self.machines[site].by_plan()
        copies = list(self.running[site].values())
        ends: dict[int, float] = {}
        if job is not None:
            _run(twin, ends, self.now)
            alone = self.execution_time(job, site)
            demand = cpu_demand(self._share[job.position], self.speeds[site])
            twin.join(job.position, self.now, processes=job.processors, demand=demand, alone=(alone, alone))
            copies.append(Copy(job, site, self.now))
        _run(twin, ends, math.inf)
        return [Planned(copy.job, copy.start, ends[copy.job.position]) for copy in copies]

    def _gone(self, position: int, site: int) -> Copy:
        copy = self.running[site].pop(position)
        self._recent[site].ended(copy.start, self.now, copy.job.processors)
        self._count(copy.job, site, -1)
        return copy._replace(computed=self.work(position) / self.speeds[site])

    def _count(self, job: Job, site: int, sign: int) -> None:
        self.jobs[site] += sign
        self.size_sum[site] += sign * job.processors
        # Sums of fractions need not return to exactly 0.
        busy = bool(self.jobs[site])
        self.time_sum[site] = self.time_sum[site] + sign * job.planned_time if busy else 0.0
        self.area_sum[site] = self.area_sum[site] + sign * job.area if busy else 0.0

    def _changed(self, site: int) -> None:
        machine = self.machines[site]
        self.daemons[site].history.change(self.now, machine.load)
        self._changes[site] += 1
        self._plans[site] = None
        if len(machine):
            heappush(self._ends, (machine.next_end(), site, self._changes[site]))


def _run(machine: TimeSharedMachine, ends: dict[int, float], until: float) -> None:
    """Advance a machine to a time; note when its jobs end."""
    while len(machine) and (end := machine.next_end()) <= until:
        ends.update(dict.fromkeys(machine.take_ends(end), end))
