"""A time limit for all jobs: what ask for more is cut to it, or left out."""

from __future__ import annotations

import math
import re
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.jobs.header import TIME_LIMIT
from echelon.quantities import tally
from echelon.workloads.transform.record import record_transform, transformations
from echelon.workloads.transform.selection import take_marked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn

LongerJobs: TypeAlias = Literal["cut", "drop"]
"""What becomes of jobs beyond a time limit."""

LONGER_JOBS: tuple[str, ...] = get_args(LongerJobs)

_RECORD = re.compile(rf"{TIME_LIMIT}(\S+) s, longer jobs (cut|drop): (.*)")


class TimeLimit(NamedTuple):
    """A time limit for all jobs.

    Attributes
    ----------
    seconds : float
        The limit, > 0.
    longer_jobs : {"cut", "drop"}
        What became of jobs beyond it.
    done : str
        How many jobs, requests and run times that were, as a clause.
    """

    seconds: float
    longer_jobs: str
    done: str


def limit_time(
    workload: Workload, max_time: float | None = None, longer_jobs: LongerJobs = "cut"
) -> Workload:
    """Return the jobs under a time limit.

    Parameters
    ----------
    workload : Workload
        In any order.
    max_time : float
        The limit, in seconds, > 0 and finite. It must be given.
    longer_jobs : {"cut", "drop"}, default "cut"
        Whether a requested time above the limit becomes the limit, and a run time above it ends there, as the
        job would be killed; or whether jobs that request more than the limit are left out. A job without a
        requested time is beyond the limit if it ran longer. A job that ran longer than a request within the
        limit is cut under both.

    Returns
    -------
    Workload
        Unknown times stay unknown. CPU times are cut with the run times, and so is the shortest limit that a
        job accepts to meet its deadline. What was done is recorded even if no job is beyond the limit.

    Raises
    ------
    InputError
        If `max_time` is not > 0 and finite, or a run time is to be cut that follows from the job's tasks.
    UnknownNameError
        If `longer_jobs` is neither.

    Notes
    -----
    Waits of the log are those under its own limits. Cost: O(n).
    """
    if max_time is None:
        raise InputError("applies to jobs beyond a time limit; give max-time, too", field="longer-jobs")
    if not (max_time > 0 and math.isfinite(max_time)):
        raise InputError(f"must be a finite time > 0 in seconds, got {max_time}", field="max-time")
    if longer_jobs not in LONGER_JOBS:
        raise UnknownNameError("treatment of longer jobs", str(longer_jobs), LONGER_JOBS)
    beyond = _exceeds(workload, max_time)
    dropped = longer_jobs == "drop" and bool(beyond.any())
    within = f"those within a time limit of {max_time:.15g} s"
    kept = take_marked(workload, ~beyond, within) if dropped else workload
    left = int(beyond.sum()) if dropped else 0
    requests, runs = (times > max_time for times in (kept.requested_time, kept.run_time))
    rule = f"{TIME_LIMIT}{max_time:.15g} s, longer jobs {longer_jobs}"
    done = f"{tally(left, 'job')} left out, " if left else ""
    done += f"{tally(int(requests.sum()), 'request')} and {tally(int(runs.sum()), 'run time')} cut to it"
    return record_transform(_cut(kept, max_time, runs), f"{rule}: {done}")


def time_limit_of(workload: Workload) -> TimeLimit | None:
    """Return the last time limit that `limit_time` gave these jobs; None without one."""
    matches = [match for done in transformations(workload) if (match := _RECORD.match(done))]
    return TimeLimit(float(matches[-1][1]), matches[-1][2], matches[-1][3]) if matches else None


def _exceeds(workload: Workload, limit: float) -> NDArray[np.bool_]:
    """Return which jobs ask for more than the limit, or ran longer without having asked."""
    requested = workload.requested_time
    asked: FloatColumn = np.where(requested > 0, requested, workload.run_time)
    return asked > limit


def _cut(workload: Workload, limit: float, runs: NDArray[np.bool_]) -> Workload:
    if runs.any() and workload.demands is not None:
        raise InputError(
            f"the run times of its jobs follow from their tasks, so {tally(int(runs.sum()), 'job')} cannot "
            f"be cut at {limit:.15g} s; leave longer jobs out with longer-jobs drop",
            file=workload.file or workload.name,
            field="max-time",
        )
    names = ("requested_time", *(("run_time", "average_cpu_time") if runs.any() else ()))
    names = (*names, *(name for name in ("minimum_time",) if name in workload.accounting))
    columns = {name: np.minimum(workload.float_column(name), limit) for name in names}
    return workload.with_columns(**columns)
