"""Step functions over a schedule's time: busy processors and waiting jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from echelon.model.columns import FloatColumn, IntColumn


class Steps(NamedTuple):
    """A step function: `value[i]` holds from `time[i]` until `time[i + 1]`, and 0 before `time[0]`.

    Times ascend strictly; neighboring values differ.
    """

    time: FloatColumn
    value: IntColumn


def busy_processors(start: FloatColumn, end: FloatColumn, size: IntColumn) -> Steps:
    """Return how many processors run jobs over time.

    Parameters
    ----------
    start, end : FloatColumn, shape (n_jobs,)
        In seconds.
    size : IntColumn, shape (n_jobs,)
        Processors of each job.

    Notes
    -----
    Ties: a value is the one after all events of its instant. Cost: O(n log n).
    """
    return _steps(start, end, size)


def waiting_jobs(submit: FloatColumn, start: FloatColumn) -> Steps:
    """Return how many submitted jobs have not started, over time; ties and cost as `busy_processors`."""
    return _steps(submit, start, np.ones(len(submit), dtype=np.int64))


def _steps(enter: FloatColumn, leave: FloatColumn, weight: IntColumn) -> Steps:
    times = np.concatenate((enter, leave))
    order = np.argsort(times, kind="stable")
    times = times[order]
    value = np.cumsum(np.concatenate((weight, -weight))[order])
    last_of_instant = np.flatnonzero(
        np.append(times[1:] != times[:-1], np.ones(min(1, len(times)), np.bool_))
    )
    times, value = times[last_of_instant], value[last_of_instant]
    changed = np.flatnonzero(np.diff(value, prepend=0))
    return Steps(times[changed], value[changed])
