"""Cancellations: jobs that were canceled while they waited, made jobs that wait until they are canceled."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.fields import UNKNOWN
from echelon.workloads.transform.record import record_transform, transformations

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn

CANCELLATIONS = ("ignore", "keep")
"""Whether jobs that were canceled before they ran are simulated."""

_KEPT = "jobs canceled while they waited kept, with their requests as run times"

FAILED, CANCELED = 0, 5
"""Status of a job that failed and of one that was canceled, in the Standard Workload Format."""


def keep_cancellations(workload: Workload) -> Workload:
    """Return the jobs with those that were canceled before they ran as jobs that can be simulated.

    Parameters
    ----------
    workload : Workload
        In any order.

    Returns
    -------
    Workload
        A job of status 5 (canceled) without a run time has a ``cancel_time``: its own, else when its wait in
        the log ended. Its run time is its requested time, for which it would run if it started before; so is
        that of a job of status 0 (failed) that never ran and had a deadline or a ``cancel_time``. Jobs
        without a known size, request or time of cancellation stay as they are. A log in which no job was
        canceled before it ran is the same workload.

    Raises
    ------
    InputError
        If jobs were canceled before they ran, and none can be kept.

    Notes
    -----
    Cost: O(n).
    """
    cancel, canceled = _cancel_times(workload), is_canceled_waiting(workload)
    is_complete = (workload.requested_time > 0) & (workload.processors > 0) & (workload.submit_time >= 0)
    waited = canceled & is_complete & ((cancel >= 0) | _is_expired(workload))
    if not canceled.any():
        return workload
    count, others = int(waited.sum()), int((canceled & ~waited).sum())
    if not count:
        raise InputError(
            f"{others} jobs were canceled while they waited, but of none the size, the request and the "
            "time of cancellation are known; leave cancellations out",
            file=workload.file or workload.name,
        )
    changed = workload.with_columns(
        cancel_time=np.where(waited, cancel, workload.float_column("cancel_time")),
        run_time=np.where(waited, workload.requested_time, workload.run_time),
    )
    left = f", {others} without size, request or time of cancellation not" if others else ""
    return record_transform(changed, f"{count} {_KEPT}{left}")


def keeps_cancellations(workload: Workload) -> bool:
    """Return whether `keep_cancellations` made jobs of this workload."""
    return any(_KEPT in done for done in transformations(workload))


def is_canceled_waiting(workload: Workload) -> NDArray[np.bool_]:
    """Return which jobs were canceled, or left at their deadlines, before they ran, shape (n_jobs,)."""
    canceled: NDArray[np.bool_] = workload.int_column("status") == CANCELED
    return (canceled & ~(workload.run_time > 0)) | _is_expired(workload)


def _is_expired(workload: Workload) -> NDArray[np.bool_]:
    """Return which jobs failed without having run, and say by when they had to leave."""
    failed: NDArray[np.bool_] = workload.int_column("status") == FAILED
    limited = (workload.float_column("deadline") >= 0) | (workload.float_column("cancel_time") >= 0)
    return failed & limited & ~(workload.run_time > 0)


def _cancel_times(workload: Workload) -> FloatColumn:
    """Return when each job was canceled: as said, else at the end of its wait; -1 if unknown."""
    cancel_time, wait = workload.float_column("cancel_time"), workload.float_column("wait_time")
    is_by_wait = (wait >= 0) & (workload.submit_time >= 0) & ~_is_expired(workload)
    by_wait = np.where(is_by_wait, workload.submit_time + wait, UNKNOWN)
    return np.where(cancel_time >= 0, cancel_time, by_wait)
