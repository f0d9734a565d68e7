"""NodeProfile: how many cores and how much memory each node has free over future time."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.nodes.placed_profile import REFUSES, PlacedProfile
from echelon.engine.resources.closures import ANYBODY, open_cores
from echelon.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from echelon.engine.nodes.core_assignment import CoreAssigner
    from echelon.engine.nodes.nodes import Nodes
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.closures import Closures
    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.policies.contract import Where


class NodeProfile(PlacedProfile["Where"]):
    """Free cores and memory of every node as step functions of time.

    ``cores[i]`` and ``memory[i]`` hold from ``times[i]`` until ``times[i + 1]``, the last ones forever. A
    job is given the nodes that its placement chooses from what is free in each **throughout** its planned
    time, and keeps them: reservations are of numbers of cores in nodes.

    Parameters
    ----------
    nodes : Nodes
        The nodes.
    cluster, kept
        See `PlacedProfile`.
    """

    __slots__ = ("_idle", "_nodes", "cores", "memory")

    def __init__(self, nodes: Nodes, cluster: Cluster, *, kept: bool = False) -> None:
        super().__init__(cluster, kept=kept)
        self._nodes = nodes
        # Actually idle cores: in a scratch copy, without those held in it; in the kept profile, all.
        self._idle = (nodes.cores, nodes.memory) if kept else (nodes.cores.copy(), nodes.memory.copy())
        self.cores: list[IntColumn] = [nodes.cores.copy()]
        self.memory: list[FloatColumn] = [nodes.memory.copy()]
        for end, position, _ in cluster.holders:
            if end > self.times[-1]:
                self.times.append(end)
                self.cores.append(self.cores[-1].copy())
                self.memory.append(self.memory[-1].copy())
            for node, (cores, memory) in nodes.held[position].items():
                self.cores[-1][node] += cores
                self.memory[-1][node] += memory

    def earliest_for(self, job: Job, *, after: float = -math.inf) -> float:
        """Return the earliest time from which there is room for `job` for its planned time.

        Not before `after`, in seconds. Infinite if the nodes that it needs are never known to be open to it
        for so long.

        Cost: O(segments x nodes) for each segment tried, and a placement for each that may do.
        """
        planners = self._nodes.planners
        for number in range(len(planners)):
            if (start := self._first(job, planners[: number + 1], after)) is not None:
                return start
        if self._nodes.closures is not None:
            return math.inf
        raise PolicyError(
            f"placement {self._nodes.rules.placement.name}",
            time=self._cluster.now,
            job_id=job.job_id,
            broken_rule=REFUSES,
        )

    def _first(self, job: Job, planners: Sequence[CoreAssigner], after: float) -> float | None:
        job = self._cluster.as_left(job)
        for start, time in self._openings(job):
            if time < after:
                continue
            # Counting first: it is much cheaper than placing.
            if self.cores[start].sum() >= job.processors and self._find(job, time, planners) is not None:
                return time
        return None

    def _openings(self, job: Job) -> Iterable[tuple[int, float]]:
        """Return the times from which more may be free for `job`, ascending, each with its segment."""
        closures = self._nodes.closures
        if closures is None:
            return enumerate(self.times)
        times = {*self.times, *closures.openings(job, self.times[0], self._cluster.now)}
        return ((bisect_right(self.times, time) - 1, time) for time in sorted(times))

    def window(self, start: float, end: float) -> tuple[IntColumn, FloatColumn]:
        """Return the free cores and memory of each node throughout [start, end)."""
        first = max(bisect_right(self.times, start) - 1, 0)
        last = max(bisect_left(self.times, end), first + 1)
        if last == first + 1:
            return self.cores[first], self.memory[first]
        return np.minimum.reduce(self.cores[first:last]), np.minimum.reduce(self.memory[first:last])

    def take_where(self, job: Job, where: Where, start: float, end: float) -> None:
        """Occupy these cores, and memory for the job's tasks on them, in [start, end)."""
        self._change(job, where, start, end, -1)

    def give_where(self, job: Job, where: Where, start: float, end: float) -> None:
        """Free these cores, and memory for the job's tasks on them, in [start, end)."""
        self._change(job, where, start, end, 1)

    def place(self, job: Job, start: float) -> Where | None:
        """Return the nodes of `job` from `start` for its planned time, or None."""
        return self._find(self._cluster.as_left(job), start, self._nodes.planners)

    def still_starts(self, job: Job, time: float) -> bool:
        """See `PlacedCalendar.still_starts`: some placements find room in less."""
        return self.earliest_for(job) <= time

    def place_beside(self, job: Job, head: Job, start: float) -> Where | None:
        """Return where `job` would start now in what `head`, placed at `start`, leaves over; or None."""
        nodes, now = self._nodes, self._cluster.now
        cores, memory = (free.copy() for free in self.window(start, start + head.planned_time))
        each = nodes.memory_of(head)
        for node, count in (self.place(head, start) or {}).items():
            cores[node] = max(0, cores[node] - count)
            memory[node] = max(0.0, memory[node] - count * each)
        cores = self._open_cores(np.minimum(cores, nodes.cores), job, now, now + job.planned_time)
        there = cores, np.minimum(memory, nodes.memory)
        return nodes.places.plan_nodes(job, *there, now)

    def _open_cores(self, cores: IntColumn, job: Job, start: float, end: float) -> IntColumn:
        """Return `cores` of each node without those that are closed to `job` in [start, end)."""
        closures = self._nodes.closures
        if closures is None:
            return cores
        return open_cores(cores, closures.mask_closed_to(job, start, end, self._cluster.now))

    def _find(self, job: Job, start: float, planners: Sequence[CoreAssigner]) -> Where | None:
        now, end = self._cluster.now, start + job.planned_time
        cores, memory = self.window(start, end)
        cores = self._open_cores(cores, job, start, end)
        if start <= now:
            # Between two cycles of one instant, cores can be free as planned but not yet in fact.
            there = np.minimum(cores, self._idle[0]), np.minimum(memory, self._idle[1])
            if (where := planners[0].plan_nodes(job, *there, now)) is not None:
                return where
        assignments = (places.plan_nodes(job, cores, memory, now) for places in planners)
        return next((where for where in assignments if where is not None), None)

    def _is_free(self, where: Where, start: float, end: float) -> bool:
        cores, _ = self.window(start, end)
        return all(cores[node] >= count for node, count in where.items())

    def _lay_hands_on(self, job: Job, where: Where) -> None:
        cores, memory = self._idle
        for node, count in where.items():
            cores[node] = max(0, cores[node] - count)
            memory[node] = max(0.0, memory[node] - count * self._nodes.memory_of(job))

    def _change(self, job: Job, where: Where, start: float, end: float, sign: int) -> None:
        if not (where and start < end):
            return
        first, last = self._cut(start), self._cut(end)
        each = self._nodes.memory_of(job)
        nodes, cores = np.array([*where]), sign * np.array([*where.values()])
        for index in range(first, last):
            self.cores[index][nodes] += cores
            if each:
                self.memory[index][nodes] += cores * each

    def _open_at(self, index: int, time: float, closures: Closures) -> int:
        closed = closures.mask_closed_to(ANYBODY, time, math.nextafter(time, math.inf), self._cluster.now)
        return int(open_cores(self.cores[index], closed).sum())

    def _split(self, index: int) -> None:
        self.cores.insert(index, self.cores[index - 1].copy())
        self.memory.insert(index, self.memory[index - 1].copy())

    def _forget(self, count: int) -> None:
        del self.cores[:count], self.memory[:count]
