"""SharedRates: the rates of the jobs of a multicluster, and the next end."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.multicluster.sharing.nodes import program_of
from echelon.engine.progress.rates import BLUR, Rates, RunningWork
from echelon.execution.cpu_sharing import slowdown_by_use
from echelon.execution.slowdowns import execution_time, left_after
from echelon.execution.time_shared import assigned_shares

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.multicluster.sharing.nodes import SharedNodes
    from echelon.execution.time_shared import TimeShared
    from echelon.model import Job

_LEAST_SHARE = 1e-300
"""Smallest share of demand that a link leaves its jobs, to avoid divisions by 0."""

_FULL = 1.0 + 1e-9
"""A link whose demand exceeds its capacity only by rounding is not saturated."""


class SuspendedWork(NamedTuple):
    """What a job has left that was suspended, or has not run yet.

    Attributes
    ----------
    left : float
        The share of its work, 0 to 1.
    pace, seconds : float
        The time of its whole work at its last rate, and how much of that was left, in seconds: at this rate
        it takes exactly so long when it resumes. Infinity if it has not run, or stood still.
    allowance : float, optional
        How long it may hold nodes until it is cut, in seconds; default: for all of its limit.
    """

    left: float = 1.0
    pace: float = math.inf
    seconds: float = math.inf
    allowance: float | None = None


_NEW = SuspendedWork()


class RunningJob(RunningWork):
    """One running job: the share of its work left, and the time of its whole work at its present rate.

    The latter is its pace, in seconds; infinity if it stands still.

    Attributes
    ----------
    nodes : tuple of int
        Nodes of its tasks, by the platform's numbers.
    begin : float
        When it begins to progress here: its switch is paid then, in seconds.
    compute_time, communication_time : float
        T^p and T^c alone on dedicated nodes, with its noise, in seconds.
    demand : dict of int to float
        Demand on each link, in bytes a second; links of clusters are numbered after the nodes.
    crossing : float
        Slowdown of its communication by full links, >= 1.
    """

    __slots__ = (
        "_before", "begin", "communication_time", "compute_time", "crossing", "demand", "job", "nodes",
        "slowest",
    )  # fmt: skip

    def __init__(self, job: Job, nodes: tuple[int, ...], begin: float, before: SuspendedWork = _NEW) -> None:
        super().__init__(before.left, math.inf, begin)
        self.job, self.nodes, self.begin, self._before = job, nodes, begin, before
        self.compute_time = self.communication_time = 0.0
        self.demand: dict[int, float] = {}
        self.crossing = self.slowest = 1.0

    def left_at(self, now: float) -> float:
        """Return the share of its work that is left at `now`."""
        return left_after(self.left, max(0.0, now - self.since), duration=self.pace)

    def settle(self, now: float) -> None:
        """See `RunningWork.settle`: nothing is done before it begins."""
        self.left, self.since = self.left_at(now), max(now, self.since)

    def end_from(self, now: float) -> float:
        """See `RunningWork.end_from`."""
        if self.pace == math.inf:
            return math.inf
        at, before = max(now, self.begin), self._before
        # Whole seconds stay whole if it continues at the rate that it had.
        is_as_before = at == self.begin and self.pace == before.pace
        due = at + (before.seconds if is_as_before else self.left * self.pace)
        # Jobs too short for the resolution of large times still end after their start.
        return due if due > now or self.left < before.left else math.nextafter(now, math.inf)

    def part_time_left(self, time: float, now: float) -> float:
        """Return what is left at `now` of a time for the whole job, in its unit."""
        if self.pace < math.inf:
            # In this order the time of the whole job at its present rate gives whole seconds.
            return max(0.0, self.due - max(now, self.since)) * (time / self.pace)
        before = self._before
        if self.left == before.left and before.pace < math.inf:
            return before.seconds * (time / before.pace)
        return self.left * time

    def work_if_suspended(self, now: float, cut: float) -> SuspendedWork:
        """Return what it has left if it is suspended at `now`, and is to be cut at `cut`, in seconds."""
        at = max(now, self.begin)
        if self.pace < math.inf:
            return SuspendedWork(self.left_at(now), self.pace, self.due - at, cut - at)
        if self.left == self._before.left:
            return self._before._replace(allowance=cut - at)
        return SuspendedWork(self.left, allowance=cut - at)

    @property
    def computing(self) -> float:
        """Share of time in which each of its tasks wants the processor."""
        busy = self.compute_time * self.slowest
        return busy / self.pace if 0 < self.pace < math.inf else 1.0


class SharedRates(Rates[int]):
    """Rates of all running jobs; they change with the jobs and the local load on their nodes and links.

    Parameters
    ----------
    nodes : SharedNodes
        The nodes.
    execution : TimeShared
        The model of speed.
    run_time : sequence of float
        Of each job alone on dedicated nodes of full power, in seconds, by position.
    noise : sequence of float
        The factor of each job.
    longest : sequence of float, optional
        How long each job may run until it is cut, in seconds, by position; default: none is cut.
    """

    def __init__(
        self,
        nodes: SharedNodes,
        execution: TimeShared,
        run_time: Sequence[float],
        noise: Sequence[float],
        longest: Sequence[float] | None = None,
    ) -> None:
        super().__init__(BLUR)
        self._nodes = nodes
        self._execution = execution
        self._run_time, self._noise, self._longest = [*run_time], noise, longest
        self.running: dict[int, RunningJob] = {}
        self._suspended: dict[int, SuspendedWork] = {}
        clusters = nodes.clusters
        self._link_left = np.array([cluster.link - cluster.link_traffic for cluster in clusters])
        self.crossing: list[float] = [0.0] * len(clusters)
        self._touched: set[int] = set()
        self._slowed: set[int] = set()
        self._full: set[int] = set()
        self._levels: dict[int, float] = {}

    @property
    def shares_by_use(self) -> bool:
        """Whether tasks share processors by use."""
        return self._execution.cpu == "use"

    def next_time(self, other: float, planned: Iterable[float] = ()) -> float:
        """See `Rates.next_time`; cuts happen at their times, to the last bit."""
        return super().next_time(min(other, self._cuts.first()), planned)

    def complete(self, now: float) -> list[int]:
        """See `Rates.complete`."""
        return self._ends.keys_due(self.last_equal(now))

    def enter(self, job: Job, nodes: tuple[int, ...], now: float, switch: float = 0.0) -> None:
        """Start or resume `job` now with a task in each of these nodes; it progresses after its switch."""
        begin, before = now + switch, self._suspended.pop(job.position, _NEW)
        progress = RunningJob(job, nodes, begin, before)
        program, alone = program_of(job), self._run_time[job.position] * self._noise[job.position]
        progress.compute_time = program.compute_share * alone
        # The two add up to the run time exactly, so that whole seconds stay whole.
        progress.communication_time = alone - progress.compute_time
        progress.demand = self.demand_of(job, nodes)
        self._nodes.enter(job, nodes)
        for link in progress.demand:
            if link >= len(self._nodes):
                self.crossing[link - len(self._nodes)] += progress.demand[link]
        self.running[job.position] = progress
        if self._longest is not None:
            longest = self._longest[job.position] if before.allowance is None else before.allowance
            self._cuts.plan(job.position, begin + longest)
        self.touch(nodes)

    def leave(self, position: int) -> RunningJob:
        """Remove a job that has ended."""
        progress = self.running.pop(position)
        self._ends.take(position)
        self._cuts.take(position)
        self._nodes.leave(progress.job, progress.nodes)
        for link, demand in progress.demand.items():
            if link >= len(self._nodes):
                left = self.crossing[link - len(self._nodes)] - demand
                is_crossed = any(link in other.demand for other in self.running.values())
                self.crossing[link - len(self._nodes)] = left if is_crossed else 0.0
        self._slowed.discard(position)
        self.touch(progress.nodes)
        return progress

    def set_aside(self, position: int, now: float) -> None:
        """Remove a job that waits again, and keep what it has left."""
        cut = self.cut_at(position)
        self._suspended[position] = self.leave(position).work_if_suspended(now, cut)

    def share_left(self, job: Job) -> float:
        """Return the share of its work that waiting `job` has left, 0 to 1."""
        return self._suspended.get(job.position, _NEW).left

    def is_over(self, position: int, now: float) -> bool:
        """See `ProgressModel.is_over`."""
        return self.running[position].due <= self.last_equal(now) or self.cut_at(position) <= now

    def time_left(self, job: Job, now: float) -> float:
        """Return what running `job` has left of its planned time, by its work, in seconds.

        Never more than until its cut.
        """
        progress = self.running[job.position]
        left = progress.part_time_left(job.planned_time, now)
        return min(left, self.cut_at(job.position) - max(now, progress.begin))

    def touch(self, nodes: Iterable[int]) -> None:
        """Note that these nodes change now."""
        self._touched.update(nodes)

    def demand_of(self, job: Job, nodes: Sequence[int]) -> dict[int, float]:
        """Return the demand of `job` on each link if it has a task in each of `nodes` (equation 4.14)."""
        each, tasks = program_of(job).bandwidth, len(nodes)
        if tasks < 2 or not each:
            return {}
        demand = dict.fromkeys(nodes, each)
        here: dict[int, int] = {}
        for node in nodes:
            site = self._nodes.site_of[node]
            here[site] = here.get(site, 0) + 1
        if len(here) > 1:
            for site, count in here.items():
                demand[len(self._nodes) + site] = count * (tasks - count) / (tasks - 1) * each
        return demand

    def link_use(self, site: int) -> float:
        """Return the use of the link of cluster `site` to the others, in bytes a second."""
        return self._nodes.clusters[site].link_traffic + self.crossing[site]

    def settle(self, now: float) -> set[int]:
        """Set the rate of every job from now on; return the changed nodes."""
        if not self._touched:
            return self._touched
        touched, self._touched = self._touched, set()
        for node in touched:
            self._levels.pop(node, None)
        concerned = {position for node in touched for position in self._nodes.jobs[node]}
        concerned |= self._share_links(touched)
        for position in sorted(concerned):
            progress = self.running[position]
            if progress.run_at(self._execution_time(progress), now):
                self._ends.plan(position, progress.due)
        return touched.union(*(self.running[position].nodes for position in concerned))

    def outlook(self, position: int) -> float:
        """Return when a running job ends at its present rate, or at its cut, in seconds."""
        return min(self.running[position].due, self.cut_at(position))

    def time_alone(self, position: int) -> float:
        """Return the run time of a job alone on dedicated nodes of full power, in seconds."""
        return self._run_time[position]

    def progress(self, position: int, now: float) -> float:
        """Return what a running job has done since it last lost its work, in seconds of its run time."""
        return (1.0 - self.running[position].left_at(now)) * self._run_time[position]

    def plan_attempt(self, position: int, run_time: float) -> None:
        """Let the next attempt of a job take so long alone on dedicated nodes, in seconds."""
        self._run_time[position] = run_time

    def last_end(self, position: int, start: float) -> float:
        """Return when a job that runs, or starts or resumes at `start`, is cut, in seconds; else infinity."""
        if self._longest is None or position in self.running:
            return self.cut_at(position)
        allowance = self._suspended.get(position, _NEW).allowance
        return start + (self._longest[position] if allowance is None else allowance)

    def _execution_time(self, progress: RunningJob) -> float:
        """Return T of the whole job now: equations 3.1 to 3.5, with effects that estimators ignore."""
        nodes = self._nodes
        slowest, fullest = 1.0, 1
        for node in progress.nodes:
            processing = self._processing_slowdown(progress, node)
            if processing == math.inf:
                return math.inf
            slowest = max(slowest, processing)
            fullest = max(fullest, nodes.tasks(node))
        progress.slowest = slowest
        crossing = progress.crossing * self._execution.message_slowdown(fullest)
        return execution_time(
            progress.compute_time, progress.communication_time, processing=slowest, crossing=crossing
        )

    def _processing_slowdown(self, progress: RunningJob, node: int) -> float:
        """Return SP of a job's task in one of its nodes, with paging; infinity if it gets no processor."""
        nodes, paging = self._nodes, self._execution.memory_slowdown(self._nodes.overfull(node))
        if self._execution.cpu == "count":
            gamma = nodes.effective_power(node)
            return paging / gamma if gamma else math.inf
        if node not in self._levels:
            self._levels[node] = nodes.cpu_level(node)
        return paging * slowdown_by_use(
            progress.compute_time,
            progress.communication_time,
            level=self._levels[node],
            power=float(nodes.power[node]),
        )

    def _share_links(self, touched: set[int]) -> set[int]:
        """Share saturated links among jobs (algorithm 3.1); return the jobs whose share changes."""
        nodes = self._nodes
        links = np.fromiter(touched, dtype=np.int64)
        full = nodes.asked[links] > nodes.link[links] * _FULL
        self._full -= touched
        self._full.update(links[full].tolist())
        crossing = np.array(self.crossing)
        across = set((np.flatnonzero(crossing > self._link_left * _FULL) + len(nodes)).tolist())
        if not self._full and not across and not self._slowed:
            return set()
        talking = [progress for _, progress in sorted(self.running.items()) if progress.demand]
        if not talking:
            return set()
        first = np.concatenate(([0], np.cumsum([len(progress.demand) for progress in talking])))
        used = np.concatenate([np.fromiter(progress.demand, dtype=np.int64) for progress in talking])
        demand = np.concatenate([np.fromiter(p.demand.values(), dtype=np.float64) for p in talking])
        shares = assigned_shares(first, used, demand, np.concatenate((nodes.link, self._link_left)))
        changed = set()
        for progress, share in zip(talking, shares.tolist(), strict=True):
            crossed = 1.0 / max(share, _LEAST_SHARE) if share < 1.0 else 1.0
            if crossed != progress.crossing:
                progress.crossing = crossed
                changed.add(progress.job.position)
            (self._slowed.add if crossed > 1.0 else self._slowed.discard)(progress.job.position)
        return changed
