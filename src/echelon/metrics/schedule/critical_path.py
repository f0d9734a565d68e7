"""The critical path: how early jobs that wait for others could come, on a machine without end."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from echelon.model import Instance
    from echelon.model.jobs.columns import FloatColumn


def earliest_releases(instance: Instance, end: FloatColumn) -> FloatColumn:
    """Return when each job would be released if every job started at its release, in seconds.

    Parameters
    ----------
    instance : Instance
        Of a schedule: with run times as they were; its jobs have dependencies.
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
    waiting = instance.dependencies
    assert waiting is not None
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
            known = before[edge]
            release[job] = max(release[job], release[known] + run[known] + delay[edge])
    return np.array(release)
