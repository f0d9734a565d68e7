"""The off-line version of a workload: all jobs are there at the start."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.workloads.transform.moving import submitted_at
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from echelon.model import Workload


def off_line(workload: Workload) -> Workload:
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
    moved = submitted_at(ordered, np.where(submit >= 0, 0.0, submit))
    return record_transform(moved, "all jobs submitted at 0 s, in the order of their submit times")
