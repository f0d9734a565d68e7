"""Moving jobs in time: what a log says in absolute times of a job moves with its submission."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.fields import UNKNOWN

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn

ABSOLUTE = ("cancel_time", "deadline", "due_time")
"""Columns of times of the log, apart from that of submission."""


def submitted_at(workload: Workload, submit: FloatColumn) -> Workload:
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
