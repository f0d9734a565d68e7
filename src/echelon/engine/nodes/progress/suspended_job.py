"""SuspendedJob: what a job that was suspended on nodes needs when it resumes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model import Job


class TaskLeft(NamedTuple):
    """A task of a job that starts or resumes.

    Attributes
    ----------
    group : int
        Index of its group in the demand of the job.
    operations : float or None
        Operations left; None of a task that has ended, but whose core the job holds to its own end.
    """

    group: int
    operations: float | None


class SuspendedJob(NamedTuple):
    """A job that waits again, as its placement sees it, and its tasks.

    Attributes
    ----------
    job : Job
        With the planned time and the tasks that it has left: a task whose core was given back when it ended
        does not get one again.
    tasks : tuple of TaskLeft
        In the order in which they are dealt to the cores: by group, then the most operations left first.
    allowance : float
        How long it may hold cores until it is cut, in seconds; infinity if it is not.
    """

    job: Job
    tasks: tuple[TaskLeft, ...]
    allowance: float = math.inf

    @classmethod
    def of(cls, job: Job, planned_left: float, tasks: Iterable[TaskLeft], allowance: float) -> SuspendedJob:
        """Return `job` with these tasks, in any order; of those that gave their cores back there are none."""
        dealt = tuple(sorted(tasks, key=_turn))
        demand = job.demand
        assert demand is not None
        numbers = [sum(task.group == g for task in dealt) for g in range(len(demand.groups))]
        if len(dealt) < demand.tasks:
            # Each task keeps the memory of the largest, even if that has ended.
            groups = tuple(
                group._replace(tasks=number, memory=demand.memory)
                for group, number in zip(demand.groups, numbers, strict=True)
                if number
            )
            demand = demand._replace(groups=groups)
        left = job._replace(processors=len(dealt), planned_time=planned_left, demand=demand)
        return cls(left, dealt, allowance)


def _turn(task: TaskLeft) -> tuple[int, float]:
    return task.group, math.inf if task.operations is None else -task.operations
