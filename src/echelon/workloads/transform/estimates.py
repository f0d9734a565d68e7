"""Repairing the users' estimates of run times."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias, get_args

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.workloads.transform.record import record_transform

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Workload
    from echelon.model.jobs.columns import FloatColumn

Missing: TypeAlias = Literal["run-time", "max", "median"]
Below: TypeAlias = Literal["raise", "keep"]


def repair_estimates(
    workload: Workload, *, missing: Missing | float = "run-time", below: Below = "raise"
) -> Workload:
    """Return the jobs with missing requested times filled in, and too short ones raised.

    Parameters
    ----------
    workload : Workload
        In any order.
    missing : {"run-time", "max", "median"} or float, default "run-time"
        What a job without a requested time (<= 0) gets: its own run time, the longest or the median of the
        known requests, or this many seconds, > 0. A job without a run time, too, stays without with
        "run-time".
    below : {"raise", "keep"}, default "raise"
        Whether a requested time below the run time becomes the run time, or stays; this holds for the filled
        in ones too.

    Raises
    ------
    InputError
        If `missing` is no time > 0, or "max" or "median" and no request is known.
    UnknownNameError
        If `missing` or `below` is not a known choice.

    Notes
    -----
    Cost: O(n).
    """
    if below not in get_args(Below):
        raise UnknownNameError("rule for too short estimates", below, get_args(Below))
    requested, run = workload.requested_time, workload.run_time
    unknown = ~(requested > 0)
    filled = (
        np.where(unknown, _fill_values(workload, missing, unknown), requested) if unknown.any() else requested
    )
    short = (filled > 0) & (run > filled)
    repaired = np.where(short, run, filled) if below == "raise" else filled
    raised = int(short.sum()) if below == "raise" else 0
    rule = missing if isinstance(missing, str) else f"{missing:.15g} s"
    count = int((unknown & (repaired > 0)).sum())
    return record_transform(
        workload.with_columns(requested_time=repaired),
        f"requested times: {count} missing ones filled in ({rule}), {raised} raised to the run time",
    )


def _fill_values(workload: Workload, missing: Missing | float, unknown: NDArray[np.bool_]) -> FloatColumn:
    """Return what each job would get; those that can get nothing keep what they have."""
    requested, run = workload.requested_time, workload.run_time
    if not isinstance(missing, str):
        if not (missing > 0 and math.isfinite(missing)):
            raise InputError(f"must be a finite time > 0 in seconds, got {missing}", field="missing")
        return np.full(len(workload), float(missing))
    if missing == "run-time":
        return np.where(run > 0, run, requested)
    if missing not in get_args(Missing):
        raise UnknownNameError("rule for missing estimates", missing, get_args(Missing))
    if unknown.all():
        raise InputError(f"no job has a requested time to take the {missing} of", file=workload.name)
    requests = requested[~unknown]
    return np.full(len(workload), requests.max() if missing == "max" else np.median(requests))
