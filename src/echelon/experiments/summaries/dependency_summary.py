"""What the jobs of a workload wait for, in a few figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.predecessors import dependencies_of, names_predecessors

if TYPE_CHECKING:
    from echelon.model import Dependencies, Workload


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

    def to_dict(self) -> dict[str, int]:
        """Return the figures as plain values for JSON."""
        return asdict(self)


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
    everybody = np.arange(len(workload))
    if not names_predecessors(workload, everybody):
        return None
    dependencies, absent = dependencies_of(workload, everybody)
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
