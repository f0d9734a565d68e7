"""Changing a workload's load, its machine's size, or its place in time."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.workloads.transform.moving import move_submissions
from echelon.workloads.transform.record import LEFT_OUT, record_transform

if TYPE_CHECKING:
    from echelon.model import Workload
    from echelon.model.jobs.columns import IntColumn


_TIMES_OF_RUNS = ("run_time", "requested_time", "average_cpu_time")
_LIMITS = ("minimum_time",)
"""Scaled, too, where a log has them."""


def scale_load(workload: Workload, factor: float) -> Workload:
    r"""Return the jobs with interarrival times divided by `factor`: :math:`s_0 + (s - s_0) / f`.

    Parameters
    ----------
    workload : Workload
        In any order.
    factor : float
        Above 1 for more load, below for less; > 0 and finite. The offered load grows by this factor, as run
        times and sizes stay.

    Returns
    -------
    Workload
        The earliest submit time s_0 stays; deadlines, due times and cancellations are as long after their
        submissions as before. Jobs without a submit time (negative) are left as they are.

    Raises
    ------
    InputError
        If `factor` is not > 0 and finite, or so small that times become infinite.

    Notes
    -----
    Think times and other delays after predecessors stay.

    Wait times of the log and the daily and weekly cycles no longer mean what they did. Cost: O(n).
    """
    _check_factor(factor)
    submit = workload.submit_time
    has_time = submit >= 0
    first = submit[has_time].min(initial=np.inf)
    with np.errstate(over="ignore"):  # reported below, in our own message
        scaled = np.where(has_time, first + (submit - first) / factor, submit) if has_time.any() else submit
    if not np.isfinite(scaled).all():
        raise InputError(f"is too small: submit times become infinite with {factor}", field="factor")
    return record_transform(move_submissions(workload, scaled), f"load scaled by {factor:.15g}")


def scale_run_times(workload: Workload, factor: float) -> Workload:
    """Return the jobs with run times and requested times multiplied by `factor`.

    Parameters
    ----------
    workload : Workload
        In any order.
    factor : float
        Below 1 for less load, above for more; > 0 and finite. The offered load changes by this factor, as
        arrivals and sizes stay.

    Returns
    -------
    Workload
        Run times, requested times and CPU times scaled where they are known; with a factor of 1 the same.

    Raises
    ------
    InputError
        If `factor` is not > 0 and finite.

    Notes
    -----
    Unlike `scale_load` it keeps the daily and weekly cycles of arrivals. Cost: O(n).
    """
    _check_factor(factor)
    if factor == 1:
        return workload
    names = (*_TIMES_OF_RUNS, *(name for name in _LIMITS if name in workload.accounting))
    columns = {name: workload.float_column(name) for name in names}
    scaled = {name: np.where(times > 0, times * factor, times) for name, times in columns.items()}
    return record_transform(workload.with_columns(**scaled), f"run times scaled by {factor:.15g}")


def scale_size(workload: Workload, processors: int, *, from_: int | None = None) -> Workload:
    r"""Return the jobs scaled to a machine of another size: :math:`\max(1, \lfloor n P' / P + 1/2 \rfloor)`.

    Parameters
    ----------
    workload : Workload
        In any order.
    processors : int
        Processors P' of the new machine, >= 1.
    from_ : int, optional
        Processors P of the old one, >= 1. Default: the header's MaxProcs.

    Returns
    -------
    Workload
        Allocated and requested processors n scaled and rounded to the nearest, halves up, at least 1 (exact
        in integers); a job of the whole old machine fills the new one. The header's MaxProcs is `processors`.
        What the jobs' tasks ask for is left out.

    Raises
    ------
    InputError
        If a number is below 1, or `from_` is not given and the header does not say.

    Notes
    -----
    Rounding and the least size of 1 change the load: scaling down by much raises it. Memory per processor and
    run times stay. Cost: O(n).
    """
    old = from_ if from_ is not None else workload.header.max_procs
    if old is None:
        raise InputError(
            "the header has no MaxProcs; give the machine's processors as from_",
            file=workload.name,
            field="from_",
        )
    for name, number in (("processors", processors), ("from_", old)):
        if number < 1:
            raise InputError(f"must be at least 1, got {number}", field=name)
    scaled = workload.with_columns(
        **{
            name: _scale_sizes(workload.int_column(name), processors, old)
            for name in ("allocated_processors", "requested_processors")
        }
    )
    header = workload.header.with_value("MaxProcs", str(processors))
    lost = "" if workload.demands is None else f"; {LEFT_OUT}, as sizes differ"
    return record_transform(
        replace(scaled, header=header), f"sizes scaled from {old} to {processors} processors{lost}"
    )


def shift(workload: Workload, seconds: float) -> Workload:
    """Return the jobs submitted `seconds` later by the log's clock, at the same moments of the calendar.

    Parameters
    ----------
    workload : Workload
        In any order.
    seconds : float
        Finite; negative for earlier.

    Returns
    -------
    Workload
        Submit times, deadlines, due times and cancellations moved; the header's UnixStartTime, if any, moved
        the other way (by whole seconds), so that weekdays and hours stay. Jobs without a submit time
        (negative) are left as they are.

    Raises
    ------
    InputError
        If `seconds` is not finite, or a job would be submitted at a negative time.
    """
    submit = workload.submit_time
    has_time = submit >= 0
    first = float(submit[has_time].min(initial=np.inf))
    if not math.isfinite(seconds) or first + seconds < 0:
        raise InputError(
            f"must be finite and keep the first submit time, {first:g} s, at 0 or more; got {seconds}",
            field="seconds",
        )
    moved = move_submissions(workload, np.where(has_time, submit + seconds, submit))
    start = workload.header.unix_start_time
    if start is not None:
        header = workload.header.with_value("UnixStartTime", str(start - math.floor(seconds)))
        moved = replace(moved, header=header)
    return record_transform(moved, f"submit times shifted by {seconds:.15g} s")


def _check_factor(factor: float) -> None:
    if not (factor > 0 and math.isfinite(factor)):
        raise InputError(f"must be a finite number > 0, got {factor}", field="factor")


def _scale_sizes(sizes: IntColumn, new: int, old: int) -> IntColumn:
    """Return max(1, round(size * new / old)), halves up, of known sizes; the others as they are."""
    rounded = (2 * sizes * new + old) // (2 * old)
    return np.where(sizes > 0, np.maximum(rounded, 1), sizes)
