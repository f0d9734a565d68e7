"""E4: how long co-allocated jobs really take, beside what the program's model of their time says."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.policies.coallocation import co_allocation_named
from echelon.reproduce.multicluster.arrangements import base
from echelon.reproduce.multicluster.setups import Setup, owners_words, simulated
from echelon.reproduce.multicluster.world import FITTED

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.experiments.processes import Processes
    from echelon.model import Job, Schedule
    from echelon.policies.coallocation import CoAllocation, Span, SpanningProblem
    from echelon.reproduce.multicluster.evidence import FloatTable
    from echelon.reproduce.multicluster.world import World

    Progress = Callable[[int, int | None], None]
    Kind = tuple[int, float, float]
    """Tasks, T^p and T^c of a job."""


@dataclass(frozen=True, slots=True, eq=False)
class Noted:
    """A co-allocation that notes what its answers over several clusters say of the time.

    Parameters
    ----------
    rule : CoAllocation
        Who answers.
    times : mapping, default empty
        Times said, in s, in the order of the answers, by kind of job.
    """

    rule: CoAllocation
    times: defaultdict[Kind, list[float]] = field(default_factory=lambda: defaultdict(list))

    @property
    def name(self) -> str:
        """Name of the rule."""
        return self.rule.name

    def span(self, problem: SpanningProblem) -> Span | None:
        """Return the rule's answer."""
        found = self.rule.span(problem)
        if found is not None and len(np.unique(problem.cluster[list(found.nodes)])) > 1:
            kind = problem.tasks, round(problem.compute_time, 6), round(problem.communication_time, 6)
            self.times[kind].append(found.time)
        return found


class _Task(NamedTuple):
    setup: Setup
    seed: int


def spanned(
    seeds: int, jobs: int, processes: Processes, *, world: World = FITTED, progress: Progress | None = None
) -> FloatTable | None:
    """Return seed, what the model said and what jobs took, in s, shape (n_jobs, 3); None if there is no job.

    Jobs on 844 and on the two unequal clusters of E4, with two phases and the optimal program.
    """
    words = {"co_allocate": "optimal", "two_phase": True, "world": world, "decision": 0.0, "jobs": jobs}
    setups = [
        base("844", owners_words(30), **words),
        Setup("cisne-e4", owners=owners_words(30))._replace(**words),  # type: ignore[arg-type]
    ]
    tasks = [_Task(setup, seed) for setup in setups for seed in range(seeds)]
    found = zip(tasks, processes.each(_said_and_took, tasks, progress), strict=True)
    rows = [(float(task.seed), *row) for task, jobs in found for row in jobs]
    return np.array(rows) if rows else None


def _said_and_took(task: _Task) -> list[tuple[float, float]]:
    rule = co_allocation_named(task.setup.co_allocate)
    assert rule is not None
    noted = Noted(rule)
    return pairs(simulated(task.setup, task.seed, co_allocation=noted).schedule, noted)


def pairs(schedule: Schedule, noted: Noted) -> list[tuple[float, float]]:
    """Return what was said of each job over several clusters, and what it took, in s.

    Jobs of one kind got their answers in the order in which they started.
    """
    places, end, instance = schedule.places, schedule.end, schedule.instance
    assert places is not None
    assert end is not None
    alone = instance.workload.columns["run_time"][instance.kept]
    left = {kind: iter(times) for kind, times in noted.times.items()}
    found = []
    jobs = {job.position: job for job in instance.jobs()}
    for position in np.argsort(schedule.start_time, kind="stable").tolist():
        if len(np.unique(places.site[places.job == position])) > 1:
            kind = _kind(jobs[position], float(alone[position]))
            found.append((next(left[kind]), float(end[position] - schedule.start_time[position])))
    return found


def _kind(job: Job, alone: float) -> Kind:
    assert job.application is not None
    computing = alone * job.application.compute_share
    return job.processors, round(computing, 6), round(alone - computing, 6)
