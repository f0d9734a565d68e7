"""What jobs waited for: columns of a run's table of jobs, and words for its manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.workloads.dependency_cells import dependency_cells

if TYPE_CHECKING:
    from echelon.model import Instance, Schedule


def dependency_columns(schedule: Schedule) -> dict[str, Any]:
    """Return ``held_time`` and ``dependencies`` of the table of jobs; nothing if nobody waited for others."""
    instance = schedule.instance
    if instance.dependencies is None:
        return {}
    return {
        "held_time": instance.submit_time - instance.workload.submit_time[instance.kept],
        "dependencies": dependency_cells(instance.dependencies, instance.label),
    }


def dependency_words(instance: Instance) -> dict[str, str | int | None]:
    """Return whether jobs waited for others, how many did, and how many predecessors were not there.

    ``dependencies`` is ``keep`` or ``ignore``, or null where no job names a predecessor.
    """
    waiting, absent = instance.dependencies, instance.absent_predecessors
    kept = "keep" if waiting is not None or absent else None
    return {
        "dependencies": "ignore" if instance.ignores_dependencies else kept,
        "dependent_jobs": 0 if waiting is None else int(np.count_nonzero(np.diff(waiting.first))),
        "absent_predecessors": absent,
    }
