"""What the jobs of a workload run, ask for and wait for, in a few figures each."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.predecessors import dependencies_of, names_predecessors

if TYPE_CHECKING:
    from echelon.model import Dependencies, Workload
    from echelon.model.jobs.applications import Applications
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.jobs.demands import Demands


@dataclass(frozen=True, slots=True)
class ApplicationSummary:
    """One application and the jobs that run it.

    Parameters
    ----------
    name : str
        May be empty.
    library : str
        Message-passing library; empty: any.
    requires : tuple of str
        Further software.
    jobs : int
        How many run it.
    least_tasks, most_tasks : int
        Of these jobs; -1 if unknown.
    mean_run_time : float
        Of these jobs, in seconds.
    compute_share : float
        Share of the time in which it computes.
    memory : float
        Of a task, in bytes.
    bandwidth : float
        That a task needs, in bytes a second.
    """

    name: str
    library: str
    requires: tuple[str, ...]
    jobs: int
    least_tasks: int
    most_tasks: int
    mean_run_time: float
    compute_share: float
    memory: float
    bandwidth: float


def application_summary(workload: Workload) -> tuple[ApplicationSummary, ...]:
    """Return the applications that jobs run, by name and library; none if unknown. Cost: O(n log n)."""
    applications = workload.applications
    if applications is None or not len(workload):
        return ()
    order = np.argsort(applications.index, kind="stable")
    used, first = np.unique(applications.index[order], return_index=True)
    summaries = [
        _one(workload, applications, int(place), jobs)
        for place, jobs in zip(used, np.split(order, first[1:]), strict=True)
    ]
    return tuple(sorted(summaries, key=lambda one: (one.name, one.library)))


def _one(workload: Workload, applications: Applications, place: int, jobs: IntColumn) -> ApplicationSummary:
    application, tasks = applications.catalog[place], workload.processors[jobs]
    return ApplicationSummary(
        name=application.name,
        library=application.library,
        requires=application.requires,
        jobs=len(jobs),
        least_tasks=int(tasks.min()),
        most_tasks=int(tasks.max()),
        mean_run_time=float(workload.run_time[jobs].mean()),
        compute_share=application.compute_share,
        memory=application.memory,
        bandwidth=application.bandwidth,
    )


@dataclass(frozen=True, slots=True)
class Range:
    """Least, median and largest of some figures."""

    least: float
    median: float
    most: float


@dataclass(frozen=True, slots=True)
class TaskSummary:
    """What the tasks ask for.

    Parameters
    ----------
    sequential_jobs, mpi_jobs : int
        How many of each kind.
    mixed_jobs : int
        MPI jobs whose tasks differ.
    spread_jobs : int
        Jobs bound to a number of nodes or of tasks a node.
    tasks : int
        Of all jobs.
    size : Range
        Tasks of a job.
    operations : Range
        Of each job's longest task.
    memory, memory_volume : Range
        Of each job's largest task, in bytes.
    communicating_jobs : int
        Jobs of two tasks or more that exchange something between nodes.
    communication_volume : Range or None
        Of these, in bytes a pair of tasks; None if there are none.
    compute_share : Range or None
        Of these.
    """

    sequential_jobs: int
    mpi_jobs: int
    mixed_jobs: int
    spread_jobs: int
    tasks: int
    size: Range
    operations: Range
    memory: Range
    memory_volume: Range
    communicating_jobs: int
    communication_volume: Range | None
    compute_share: Range | None


def task_summary(demands: Demands) -> TaskSummary:
    """Return the figures of at least one job's demands. Cost: O(n log n)."""
    volume = np.maximum.reduceat(demands.memory_volume, demands.first_group[:-1])
    talks = (demands.communication_volume > 0) & ~demands.sequential & (demands.size > 1)
    sequential = int(np.count_nonzero(demands.sequential))
    return TaskSummary(
        sequential_jobs=sequential,
        mpi_jobs=len(demands) - sequential,
        mixed_jobs=int(np.count_nonzero((np.diff(demands.first_group) > 1) & ~demands.sequential)),
        spread_jobs=int(np.count_nonzero((demands.nodes > 0) | (demands.tasks_per_node > 0))),
        tasks=int(demands.size.sum()),
        size=_range(demands.size.astype(np.float64)),
        operations=_range(demands.longest),
        memory=_range(demands.largest),
        memory_volume=_range(volume),
        communicating_jobs=int(np.count_nonzero(talks)),
        communication_volume=_range(demands.communication_volume[talks]) if talks.any() else None,
        compute_share=_range(demands.compute_share[talks]) if talks.any() else None,
    )


def _range(column: FloatColumn) -> Range:
    return Range(float(column.min()), float(np.median(column)), float(column.max()))


@dataclass(frozen=True, slots=True)
class DependencySummary:
    """How jobs wait for each other.

    Parameters
    ----------
    dependent_jobs : int
        Jobs that wait for others to end.
    following_jobs : int
        Of these, those whose own submit time does not count: answers to the end of another.
    edges : int
        Pairs of a job and one that it waits for.
    longest_chain : int
        Most jobs in a row of which each waits for the one before.
    absent_predecessors : int
        Predecessors named that the workload does not have.
    """

    dependent_jobs: int
    following_jobs: int
    edges: int
    longest_chain: int
    absent_predecessors: int


def dependency_summary(workload: Workload) -> DependencySummary | None:
    """Return how the jobs of `workload` wait for each other, or None if none names another.

    Raises
    ------
    CircleError
        If they wait for each other in a circle.

    Notes
    -----
    Cost: O(n log n + edges).
    """
    rows = np.arange(len(workload))
    if not names_predecessors(workload, rows):
        return None
    dependencies, absent = dependencies_of(workload, rows)
    if dependencies is None:
        return DependencySummary(0, 0, 0, 1, absent)
    waiting = int(np.count_nonzero(np.diff(dependencies.first)))
    return DependencySummary(
        waiting,
        int(dependencies.follows.sum()),
        len(dependencies.predecessor),
        longest_chain(dependencies),
        absent,
    )


def longest_chain(dependencies: Dependencies) -> int:
    """Return how many jobs are in the longest row of which each waits for the one before.

    Cost: O(jobs + edges).
    """
    left: list[int] = np.diff(dependencies.first).tolist()
    by_predecessor = np.argsort(dependencies.predecessor, kind="stable")
    bounds = np.searchsorted(
        dependencies.predecessor[by_predecessor], np.arange(len(dependencies) + 1)
    ).tolist()
    successors: list[int] = dependencies.successor[by_predecessor].tolist()
    length = [1] * len(dependencies)
    ready = [job for job, count in enumerate(left) if not count]
    while ready:
        job = ready.pop()
        for after in successors[bounds[job] : bounds[job + 1]]:
            length[after] = max(length[after], length[job] + 1)
            left[after] -= 1
            if not left[after]:
                ready.append(after)
    return max(length, default=0)
