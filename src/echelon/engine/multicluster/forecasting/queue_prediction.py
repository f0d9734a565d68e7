"""QueuePrediction: the future of a cluster's queue without new jobs, by analysis (algorithm 3.2)."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.multicluster.sharing.node_choice import best_nodes, rooms
from echelon.execution.cpu_sharing import cpu_use, fair_level, slowdown_by_use
from echelon.execution.slowdowns import (
    communication_slowdown,
    effective_power,
    execution_time,
    left_after,
    processing_slowdown,
)
from echelon.execution.time_shared import assigned_shares

if TYPE_CHECKING:
    from echelon.engine.multicluster.forecasting.snapshot import Snapshot
    from echelon.model.jobs.columns import FloatColumn, IntColumn

NEGLIGIBLE = 1e-12
"""Jobs of which so much or less is left at an instant end then: the sums of intervals are inexact."""


class QueuePrediction(NamedTuple):
    """When each job of a snapshot starts and ends.

    Attributes
    ----------
    start : FloatColumn, shape (n_jobs,)
        In seconds; nan of the running jobs, and where it has not been found to happen.
    end : FloatColumn, shape (n_jobs,)
        In seconds; nan where it has not been found to happen.
    """

    start: FloatColumn
    end: FloatColumn


def predict_queue(snapshot: Snapshot, *, to_the_end: bool = False) -> QueuePrediction:
    """Return when the jobs of a cluster start and end by the analytic model.

    Waiting jobs are placed in order at the snapshot's moment, then at every END. Between these instants each
    job's work shrinks at the speed of its nodes and links. Owners stay as they are.

    Parameters
    ----------
    snapshot : Snapshot
        The snapshot of the cluster.
    to_the_end : bool, default False
        Whether to continue after the last job, the one to predict, has ended. Otherwise others may be nan.

    Notes
    -----
    **Ties**: ENDs within rounding of each other are one instant; all free their nodes before anything is
    placed. **Cost**: O(ENDs x (running jobs x their nodes + waiting jobs x nodes)), more where links
    saturate. **Source**: M-CISNE thesis, algorithm 3.2, which places nothing on an idle cluster, frees no
    nodes and returns the rest of the last step for the run; all repaired.
    """
    cluster = _Cluster(snapshot)
    cluster.place_waiting(snapshot.now)
    cluster.pace(snapshot.now)
    last = len(snapshot.left) - 1
    while (instant := cluster.next_end()) < math.inf:
        cluster.end_jobs(instant)
        if not to_the_end and not math.isnan(cluster.end[last]):
            break
        cluster.place_waiting(instant)
        cluster.pace(instant)
    return QueuePrediction(cluster.start, cluster.end)


class _Cluster:
    """The simulated cluster: the place, the remaining work and the speed of each job."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._snapshot = snapshot
        n_jobs, first = len(snapshot.left), snapshot.first_node
        self.start = np.full(n_jobs, math.nan)
        self.end = np.full(n_jobs, math.nan)
        self._waiting = list(range(snapshot.running, n_jobs))
        self._held = {j: snapshot.nodes[first[j] : first[j + 1]] for j in range(snapshot.running)}
        self._tasks = snapshot.tasks.copy()
        self._memory = snapshot.memory.copy()
        self._demand = np.zeros(len(snapshot.power))
        for j, nodes in self._held.items():
            self._demand[nodes] += snapshot.task_bandwidth[j]
        self._left = snapshot.left.astype(np.float64)
        self._since = np.full(n_jobs, float(snapshot.now))
        self._duration = np.full(n_jobs, math.nan)

    def place_waiting(self, now: float) -> None:
        """Start waiting jobs, in order; one that does not fit blocks the others, unless they may overtake."""
        blocked, sizes = [], self._snapshot.size
        # Nodes only fill up here: who needs as much as one that did not fit, or more, does not fit either.
        too_many: dict[tuple[float, float], int] = {}
        for position, j in enumerate(self._waiting):
            need = float(self._snapshot.task_memory[j]), float(self._snapshot.task_bandwidth[j])
            fits = sizes[j] < too_many.get(need, math.inf)
            if fits and (nodes := self._nodes_for(j, need)) is not None:
                self._place(j, nodes, now)
                continue
            blocked.append(j)
            too_many[need] = min(int(sizes[j]), too_many.get(need, int(sizes[j])))
            if not self._snapshot.overtake:
                blocked += self._waiting[position + 1 :]
                break
        self._waiting = blocked

    def _nodes_for(self, j: int, need: tuple[float, float]) -> IntColumn | None:
        snapshot, size = self._snapshot, int(self._snapshot.size[j])
        room = rooms(
            need,
            tasks=self._tasks,
            mpl=snapshot.mpl,
            processors=snapshot.processors,
            memory=self._memory,
            demand=self._demand,
            ceiling=snapshot.ceiling,
        )
        if np.count_nonzero(room) < size:
            return None
        gamma = effective_power(snapshot.power, snapshot.processors, self._tasks + 1)
        return best_nodes(size, room=room, tasks=self._tasks, memory=self._memory, gamma=gamma)

    def _place(self, j: int, nodes: IntColumn, now: float) -> None:
        self._held[j] = nodes
        self._take(j, nodes, 1)
        self.start[j] = self._since[j] = now

    def _take(self, j: int, nodes: IntColumn, sign: int) -> None:
        """Take the demand of the job's tasks from the nodes, or give it back (-1)."""
        self._tasks[nodes] += sign
        self._memory[nodes] -= sign * self._snapshot.task_memory[j]
        self._demand[nodes] += sign * self._snapshot.task_bandwidth[j]

    def pace(self, now: float) -> None:
        """Let every running job continue at the speed that the present occupation gives it."""
        for j, duration in self._durations().items():
            if duration != self._duration[j]:
                if now > self._since[j]:
                    self._left[j] = left_after(
                        self._left[j], now - self._since[j], duration=self._duration[j]
                    )
                    self._since[j] = now
                self._duration[j] = duration

    def _durations(self) -> dict[int, float]:
        """Return what all of each running job takes as things are, in seconds."""
        snapshot, jobs = self._snapshot, sorted(self._held)
        if snapshot.slowdown.size:
            return {j: self._by_table(j) for j in jobs}
        slowest = self._by_use(jobs) if snapshot.by_use else self._by_count(jobs)
        return {
            j: execution_time(
                float(snapshot.compute_time[j]),
                float(snapshot.communication_time[j]),
                processing=slowest[j],
                crossing=communication_slowdown(share),
            )
            for j, share in zip(jobs, self._shares(jobs), strict=True)
        }

    def _by_count(self, jobs: list[int]) -> dict[int, float]:
        """Return SP of each job where all tasks of a node get the same share of it."""
        snapshot = self._snapshot
        gamma = effective_power(snapshot.power, snapshot.processors, np.maximum(self._tasks, 1))
        return {j: processing_slowdown(gamma[self._held[j]]) for j in jobs}

    def _by_use(self, jobs: list[int]) -> dict[int, float]:
        """Return SP of each job where tasks share a node by what they use of it."""
        snapshot, uses = self._snapshot, dict[int, list[float]]()
        times = {j: (float(snapshot.compute_time[j]), float(snapshot.communication_time[j])) for j in jobs}
        power: list[float] = snapshot.power.tolist()
        for j in jobs:
            for i in self._held[j].tolist():
                uses.setdefault(i, []).append(cpu_use(*times[j], power[i]))
        level = {i: fair_level(here, float(snapshot.processors[i])) for i, here in uses.items()}
        return {
            j: max(slowdown_by_use(*times[j], level=level[i], power=power[i]) for i in self._held[j].tolist())
            for j in jobs
        }

    def _by_table(self, j: int) -> float:
        snapshot = self._snapshot
        fullest = min(int(self._tasks[self._held[j]].max()), snapshot.mpl)
        dedicated = snapshot.compute_time[j] + snapshot.communication_time[j]
        return float(dedicated * snapshot.slowdown[j, fullest - 1])

    def _shares(self, jobs: list[int]) -> list[float]:
        """Return the share of its bandwidth that each of the running jobs is assigned."""
        sizes = [len(self._held[j]) for j in jobs]
        links = np.concatenate([np.empty(0, dtype=np.int64), *(self._held[j] for j in jobs)])
        demand = np.repeat(self._snapshot.task_bandwidth[jobs], sizes)
        first = np.concatenate(([0], np.cumsum(sizes, dtype=np.int64)))
        return [float(share) for share in assigned_shares(first, links, demand, self._snapshot.link)]

    def next_end(self) -> float:
        """Return when the next of the running jobs ends, infinity if none ever does."""
        return min((self._end_of(j) for j in self._held), default=math.inf)

    def _end_of(self, j: int) -> float:
        left = float(self._left[j])
        return float(self._since[j] + (left * self._duration[j] if left > 0 else 0.0))

    def end_jobs(self, instant: float) -> None:
        """Let all jobs that end at this instant give back their nodes."""
        rounding = 4 * float(np.spacing(abs(instant)))
        for j in sorted(self._held):
            end = self._end_of(j)
            if end < math.inf and end - instant <= rounding + NEGLIGIBLE * self._duration[j]:
                self.end[j] = instant
                self._take(j, self._held.pop(j), -1)
