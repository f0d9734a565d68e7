"""What jobs waited for: columns of a run's table of jobs, and settings for its manifest."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypedDict

import numpy as np

from echelon.quantities import tally

if TYPE_CHECKING:
    from echelon.metrics import Measured
    from echelon.model import Instance


def dependency_columns(measured: Measured) -> dict[str, Any]:
    """Return what a table of jobs says of what they waited for; nothing if no job waited for others."""
    instance = measured.schedule.instance
    if instance.dependencies is None:
        return {}
    from echelon.workloads.formats.text.dependency_cells import dependency_cells

    return {
        "held_time": measured.held,
        "earliest_release": measured.earliest_submit,
        "dependencies": [cell or None for cell in dependency_cells(instance.dependencies, instance.label)],
    }


def dependency_sentences(instance: Instance) -> list[str]:
    """Return sentences on jobs that wait for others to end, and on unknown predecessors."""
    settings = dependency_settings(instance)
    jobs, absent = settings["dependent_jobs"], settings["absent_predecessors"]
    if settings["dependencies"] is None:
        return []
    if settings["dependencies"] == "ignore":
        return ["The log has dependencies between jobs: ignored."]
    lines = [f"{tally(jobs, 'job')} waited for others to end, as in the log."] if jobs else []
    if absent:
        lines.append(f"Not among the jobs, so considered ended: {tally(absent, 'predecessor')}.")
    return lines


class DependencySettings(TypedDict):
    """What a manifest says of the dependencies of a run."""

    dependencies: str | None
    dependent_jobs: int
    absent_predecessors: int


def dependency_settings(instance: Instance) -> DependencySettings:
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
