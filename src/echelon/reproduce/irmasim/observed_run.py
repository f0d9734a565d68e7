"""What is observed of a run: where each job was, when its tasks ended, how much they were slowed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.job_places import communication_volumes
from echelon.metrics.power.energy import energy
from echelon.model.schedules.features import there

if TYPE_CHECKING:
    from echelon.experiments import Result
    from echelon.model import Hardware, Holdings
    from echelon.model.jobs.columns import FloatColumn


@dataclass(frozen=True, slots=True)
class ObservedRun:
    """One run, by the study's numbers of its jobs, from 1.

    Parameters
    ----------
    result : Result
        Of a simulation on nodes.
    """

    result: Result

    @property
    def hardware(self) -> Hardware:
        """The machine."""
        return self.result.instance.node_level.hardware

    @property
    def holdings(self) -> Holdings:
        """Which cores were held, and when."""
        return there(self.result.schedule.holdings)

    @property
    def jobs(self) -> int:
        """How many."""
        return len(self.result.instance)

    def tasks(self, job: int) -> int:
        """Return how many tasks a job has."""
        return int(self.result.instance.size[job - 1])

    @property
    def makespan(self) -> float:
        """Last end minus first submission, in seconds."""
        return float(self.result.metrics["makespan"])

    @property
    def energy(self) -> float:
        """Of all nodes over the makespan, in joules."""
        return energy(self.result.schedule).total

    @property
    def energy_of_used(self) -> float:
        """The same without what processors draw before their first task, as in IRMASim's public code."""
        return energy(self.result.schedule, unused_is_off=True).total

    @property
    def volume(self) -> float:
        """Bytes exchanged between nodes by all jobs."""
        return float(communication_volumes(self.result.schedule).sum())

    def start(self, job: int) -> float:
        """Return when a job started, in seconds."""
        return float(self.result.schedule.start_time[job - 1])

    def end(self, job: int) -> float:
        """Return when its last task ended, in seconds."""
        return float(self.result.schedule.end_time[job - 1])

    def nodes(self, job: int) -> tuple[int, ...]:
        """Return the nodes its tasks were in, ascending."""
        processors = self.holdings.processor[self.holdings.job == job - 1]
        return tuple(np.unique(self.hardware.node_of_processor[processors]).tolist())

    def cores(self, job: int) -> tuple[int, ...]:
        """Return the cores it held, ascending."""
        rows = np.flatnonzero(self.holdings.job == job - 1).tolist()
        first = self.holdings.first_core
        return tuple(
            sorted(int(core) for row in rows for core in self.holdings.cores[first[row] : first[row + 1]])
        )

    def holdings_by_node(self, job: int, column: str) -> dict[int, float]:
        """Return a column of its holdings by node: the largest value in each."""
        rows = np.flatnonzero(self.holdings.job == job - 1)
        nodes = self.hardware.node_of_processor[self.holdings.processor[rows]]
        values: FloatColumn = getattr(self.holdings, column)[rows]
        return {int(node): float(values[nodes == node].max()) for node in np.unique(nodes)}

    def speed_factor(self, job: int, node: int) -> float:
        """Return by how much its tasks in a node were slowed: their time alone over the time they took."""
        demands = self.result.instance.node_level.demands
        rows = np.flatnonzero(self.holdings.job == job - 1)
        rows = rows[self.hardware.node_of_processor[self.holdings.processor[rows]] == node]
        operations = demands[job - 1].operations
        alone = operations / self.holdings.speed[rows]
        took = self.holdings.end[rows] - self.holdings.begin[rows]
        return float((alone / took).min())

    @property
    def free_at_start(self) -> dict[int, int]:
        """Cores of each node that no job holds right after the decisions at second 0."""
        nodes = self.hardware.node_of_processor[self.holdings.processor]
        now = (self.holdings.start <= 0) & (self.holdings.release > 0)
        busy_cores = np.bincount(
            nodes[now], weights=self.holdings.held[now], minlength=len(self.hardware.nodes)
        )
        return {node: int(left) for node, left in enumerate(self.hardware.node_cores - busy_cores)}
