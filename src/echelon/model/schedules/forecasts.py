"""Forecasts, task places and owners' delays: further results of a run on a multicluster."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class Forecasts:
    """One estimator's forecasts of every job at its dispatch to its cluster.

    Parameters
    ----------
    estimator : str
        Its spec.
    wait, run : FloatColumn, shape (n_jobs,)
        Forecast, in seconds; nan of a job it was not asked about.
    seconds : FloatColumn, shape (n_jobs,)
        Wall-clock time of each forecast, in seconds: the only column that differs from run to run.
    """

    estimator: str
    wait: FloatColumn
    run: FloatColumn
    seconds: FloatColumn


@dataclass(frozen=True, slots=True, eq=False)
class TaskPlaces:
    """The node of every task: one row a task, by job, time, site, node.

    Where jobs may have several attempts, a task has a row for each.

    Parameters
    ----------
    job : IntColumn, shape (n_tasks,)
        Position in the instance.
    site : IntColumn, shape (n_tasks,)
        Place of the site in the platform.
    node : IntColumn, shape (n_tasks,)
        Number of the node in the site, from 0.
    start, end : FloatColumn, shape (n_tasks,), optional
        From when to when the task was there, in seconds, where jobs may have several attempts. Default: from
        the start of its job to the end.
    """

    job: IntColumn
    site: IntColumn
    node: IntColumn
    start: FloatColumn | None = None
    end: FloatColumn | None = None

    def times(self, start: FloatColumn, end: FloatColumn) -> tuple[FloatColumn, FloatColumn]:
        """Return from when to when each task was there, in seconds, each of shape (n_tasks,).

        Parameters
        ----------
        start, end : FloatColumn, shape (n_jobs,)
            Of the jobs, in seconds.
        """
        if self.start is None or self.end is None:
            return start[self.job], end[self.job]
        return self.start, self.end

    @property
    def last(self) -> NDArray[np.bool_]:
        """Whether each row is of the last attempt of its job, shape (n_tasks,)."""
        if self.start is None:
            return np.ones(len(self.job), dtype=np.bool_)
        latest = np.full(int(self.job.max(initial=-1)) + 1, -np.inf)
        np.maximum.at(latest, self.job, self.start)
        is_last: NDArray[np.bool_] = self.start == latest[self.job]
        return is_last


@dataclass(frozen=True, slots=True, eq=False)
class OwnerDelays:
    """How much longer the owners of nodes waited for their own work because of parallel tasks.

    Parameters
    ----------
    site, node : IntColumn, shape (n_nodes,)
        Every node of the platform, in order.
    active_time : FloatColumn, shape (n_nodes,)
        How long its owner was at work while jobs were in the system, in seconds.
    delayed_time : FloatColumn, shape (n_nodes,)
        The same with each second weighed by the slowdown of the owner's system calls in it, in seconds.
    """

    site: IntColumn
    node: IntColumn
    active_time: FloatColumn
    delayed_time: FloatColumn
