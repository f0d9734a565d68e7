"""What the tasks of a workload's jobs ask for, in a few figures."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn
    from echelon.model.jobs.demands import Demands


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

    def to_dict(self) -> dict[str, Any]:
        """Return all of it as plain values for JSON."""
        return asdict(self)


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
