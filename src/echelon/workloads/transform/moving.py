"""Moving jobs in time: what a log says in absolute times of a job moves with its submission."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.fields import UNKNOWN
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn

ABSOLUTE = ("cancel_time", "deadline", "due_time")
"""Columns of times of the log, apart from that of submission."""


def move_submissions(workload: Workload, submit: FloatColumn) -> Workload:
    """Return the jobs submitted at other times, with whatever else is at a time of the log.

    Parameters
    ----------
    workload : Workload
        In any order.
    submit : FloatColumn, shape (n_jobs,)
        The new submit times, in seconds; negative where it is unknown.

    Returns
    -------
    Workload
        A job is canceled, and must or should end, as long after its submission as before; never before
        second 0. Unknown times stay unknown.

    Notes
    -----
    Cost: O(n).
    """
    later = np.where((submit >= 0) & (workload.submit_time >= 0), submit - workload.submit_time, 0.0)
    moved = {
        name: np.where(times == UNKNOWN, UNKNOWN, np.maximum(times + later, 0.0))
        for name in ABSOLUTE
        if name in workload.accounting
        for times in (workload.float_column(name),)
    }
    return workload.with_columns(submit_time=submit, **moved)


def submit_at_once(workload: Workload) -> Workload:
    """Return the jobs all submitted at second 0, in the order in which they were submitted.

    Parameters
    ----------
    workload : Workload
        In any order.

    Returns
    -------
    Workload
        Sorted by submit time, so that a scheduler that breaks ties by place in the log takes the jobs in
        their old order; then every known submit time 0. Jobs without a submit time (negative) keep none.

    Notes
    -----
    Off-line scheduling, of which many bounds of C_max speak, knows all jobs when it begins. Under it the
    lower bound of C_max is the larger of the longest run time and the work over the processors; waits are
    completion times without the run, and hours and weekdays no longer mean what they did.

    Ties: jobs of one submit time keep the workload's order. Cost: O(n log n).
    """
    ordered = workload.take(np.argsort(workload.submit_time, kind="stable"))
    submit = ordered.submit_time
    moved = move_submissions(ordered, np.where(submit >= 0, 0.0, submit))
    return record_transform(moved, "all jobs submitted at 0 s, in the order of their submit times")
