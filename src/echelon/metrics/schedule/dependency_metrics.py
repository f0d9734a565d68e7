"""Jobs that wait for others to end: their metrics, and how early they could come on a machine without end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.registry.metric import Metric
from echelon.metrics.schedule import schedule_values as of
from echelon.model.schedules.features import Feature, there

if TYPE_CHECKING:
    from echelon.model import Dependencies, Instance
    from echelon.model.jobs.columns import FloatColumn


def earliest_releases(instance: Instance, waiting: Dependencies, end: FloatColumn) -> FloatColumn:
    """Return when each job would be released if every job started at its release, in seconds.

    Parameters
    ----------
    instance : Instance
        Of a schedule: with run times as they were.
    waiting : Dependencies
        Which of its jobs wait for which.
    end : FloatColumn, shape (n_jobs,)
        When each job ended in that schedule, in seconds.

    Returns
    -------
    FloatColumn, shape (n_jobs,)
        Never after the release in any schedule with these run times.

    Notes
    -----
    Cost: O(n log n + edges).
    """
    alone = np.diff(waiting.first) == 0
    log = instance.workload.submit_time[instance.kept]
    # One whose predecessors were all rejected came when the last of them was, if it followed that one.
    own = np.where(alone, np.minimum(log, instance.submit_time), np.where(waiting.follows, -np.inf, log))
    release: list[float] = own.tolist()
    run: list[float] = instance.run_time.tolist()
    bounds, before = waiting.first.tolist(), waiting.predecessor.tolist()
    delay: list[float] = waiting.delay.tolist()
    # No job ends before those that it waits for, so all values needed are known.
    for job in np.argsort(end, kind="stable").tolist():
        for edge in range(bounds[job], bounds[job + 1]):
            predecessor = before[edge]
            release[job] = max(release[job], release[predecessor] + run[predecessor] + delay[edge])
    return np.array(release)


DEPENDENCY_METRICS: tuple[Metric, ...] = (
    Metric(
        "mean_held",
        "s",
        "mean(submit - submit in the log), where submit is when all predecessors of the job have ended",
        "Chapin and others, JSSPP 1999 (fields 17 and 18 of SWF)",
        None,
        lambda m: of.mean(there(m.held)),
        needs=Feature.DEPENDENCIES,
    ),
)
"""In the order of tables and files."""
