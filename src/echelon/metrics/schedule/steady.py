"""Steady metrics: those of a run without the jobs of its beginning and its end, and block by block."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.registry.known_metrics import metric_named
from echelon.metrics.schedule.schedule_values import utilization
from echelon.model import Attempts, EndReason, Instance, Schedule, Workload

if TYPE_CHECKING:
    import polars as pl
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn

NEEDED = ("submit_time", "start_time", "end_time", "run_time", "processors")
"""Columns of a table of jobs that must be there."""

STEADY_METRICS = (
    *("jobs", "mean_wait", "median_wait", "max_wait", "p90_wait", "p95_wait", "p99_wait"),
    *("mean_turnaround", "median_turnaround", "max_turnaround", "mean_slowdown", "mean_bounded_slowdown"),
    *("median_bounded_slowdown", "p95_bounded_slowdown", "max_bounded_slowdown"),
    *("mean_grid_bounded_slowdown", "jain_fairness_wait", "jain_fairness_bounded_slowdown"),
    *("mean_response", "max_response", "mean_suspended_time", "total_wait"),
    *("size_weighted_mean_wait", "size_weighted_mean_turnaround", "work_weighted_mean_turnaround"),
)
"""Metrics that are of each job, so that some jobs have them as well as all."""


def steady_metrics(
    jobs: pl.DataFrame, *, processors: int, warm_up: float = 0.0, cool_down: float = 0.0
) -> dict[str, int | float]:
    """Return the metrics of a run without its first and last jobs, which met a machine that fills or drains.

    Parameters
    ----------
    jobs : polars.DataFrame
        The columns of ``jobs.parquet``; `NEEDED` must be there. Times in seconds.
    processors : int
        Of the machine, >= 1.
    warm_up, cool_down : float, default 0
        Shares of the jobs, in the order of submission, that are left out at the beginning and at the end;
        each >= 0, together below 1. Of n jobs, ``floor(share * n)``.

    Returns
    -------
    dict of str to int or float
        `STEADY_METRICS`, by the formulas of `METRICS` over the jobs that are left, and ``utilization``: of
        the machine from the first submission among them to the last, by whatever job. What only a whole
        schedule has, such as its makespan, is left out; so is fairness where no user is known.

    Raises
    ------
    InputError
        If a column is missing, a share is out of its range or no job is left.

    Notes
    -----
    Ties: jobs submitted at once are in the table's order. Utilization is NaN where all that are left were
    submitted at once. Cost: O(n log n).

    Source: Law, Simulation Modeling and Analysis, 2015, section 9.5.1 (deletion of initial data); Feitelson,
    Workload Modeling for Computer Systems Performance Evaluation, 2015, on the end of a log.
    """
    if missing := [name for name in NEEDED if name not in jobs.columns]:
        raise InputError(f"a table of jobs needs the columns of jobs.parquet, missing: {', '.join(missing)}")
    kept = steady_rows(_floats(jobs, "submit_time"), warm_up, cool_down)
    measured = Measured(schedule_of(jobs[np.sort(kept)], processors))
    submit = _floats(jobs, "submit_time")
    held = utilization_between(jobs, float(submit[kept[0]]), float(submit[kept[-1]]), processors=processors)
    return metrics_of_jobs(measured) | {"utilization": held}


def metrics_of_jobs(measured: Measured) -> dict[str, int | float]:
    """Return `STEADY_METRICS` of some jobs, without those that they have no value of."""
    values = ((name, metric_named(name).of(measured)) for name in STEADY_METRICS)
    return {name: value for name, value in values if value is not None}


def steady_jobs(submit: FloatColumn, *, warm_up: float = 0.0, cool_down: float = 0.0) -> NDArray[np.bool_]:
    """Mark the jobs that `steady_metrics` keeps, shape (n_jobs,).

    Raises
    ------
    InputError
        If a share is out of its range or no job is left.
    """
    marked = np.zeros(len(submit), dtype=np.bool_)
    marked[steady_rows(submit, warm_up, cool_down)] = True
    return marked


def check_shares(warm_up: float, cool_down: float) -> None:
    """Raise an error if these shares of the jobs, at the beginning and at the end, leave none between them.

    Raises
    ------
    InputError
        If a share is below 0 or not below 1, or both make 1 or more.
    """
    for field, value in (("warm_up", warm_up), ("cool_down", cool_down)):
        if not 0 <= value < 1:
            raise InputError(f"must be a share of the jobs, >= 0 and below 1, got {value:g}", field=field)
    if warm_up + cool_down >= 1:
        raise InputError(
            f"warm_up and cool_down must leave some jobs between them, got {warm_up:g} and {cool_down:g}, "
            "expected a sum below 1"
        )


def steady_rows(submit: FloatColumn, warm_up: float, cool_down: float) -> NDArray[np.int64]:
    """Return the rows of the jobs that are left, in the order of submission."""
    check_shares(warm_up, cool_down)
    first, last = int(warm_up * len(submit)), len(submit) - int(cool_down * len(submit))
    if first >= last:
        raise InputError(
            f"no job of {len(submit)} is left without {warm_up:g} of them at the beginning and {cool_down:g} "
            "at the end"
        )
    return np.argsort(submit, kind="stable")[first:last]


def _floats(jobs: pl.DataFrame, name: str) -> FloatColumn:
    return np.asarray(jobs[name].to_numpy(), dtype=np.float64)


def schedule_of(jobs: pl.DataFrame, processors: int) -> Schedule:
    """Return the schedule of a table of jobs."""
    submit, start, end, run = (_floats(jobs, name) for name in NEEDED[:4])
    size = jobs["processors"].to_numpy().astype(np.int64)
    users = jobs["user"].cast(str).rank("dense").fill_null(-1) if "user" in jobs.columns else None
    workload = Workload.from_columns(
        submit_time=submit,
        run_time=run,
        processors=size,
        user=np.full(len(jobs), -1) if users is None else users,
    )
    killed = np.zeros(len(jobs), dtype=np.bool_)
    columns = (np.arange(len(jobs)), submit, run, run, size, killed)
    instance = Instance(workload, *columns, processors, "raise")
    return Schedule(instance, start, recorded=_attempts(jobs, start, end), end=end)


def _attempts(jobs: pl.DataFrame, start: FloatColumn, end: FloatColumn) -> Attempts | None:
    """Return attempts that last as long, together, as each job held its processors; None without preemption.

    When exactly it held them the table does not tell, and no metric of `STEADY_METRICS` asks.
    """
    if "suspended_time" not in jobs.columns:
        return None
    held = np.maximum(end - start - _floats(jobs, "suspended_time"), 0.0)
    until = np.column_stack((start + held, end)).ravel()
    job, begin = np.repeat(np.arange(len(jobs)), 2), np.column_stack((start, end)).ravel()
    reason = np.tile(np.array((EndReason.PREEMPTED, EndReason.COMPLETED), dtype=np.int8), len(jobs))
    return Attempts(len(jobs), job, np.full(len(job), -1), begin, until, reason)


def utilization_between(jobs: pl.DataFrame, begin: float, close: float, *, processors: int) -> float:
    """Return the share of the processors that jobs held between two times; NaN if there is no time between.

    A job that was suspended is taken to have held its processors evenly from start to end; one that began
    again held them for what it lost, too.
    """
    start, end, run = (_floats(jobs, name) for name in NEEDED[1:4])
    if {"restarts", "suspended_time"} <= set(jobs.columns):
        run = end - start - _floats(jobs, "suspended_time")
    if not close > begin:
        return float("nan")
    within = np.maximum(np.minimum(end, close) - np.maximum(start, begin), 0.0)
    share = np.divide(run, end - start, out=np.ones(len(run)), where=end > start)
    size = jobs["processors"].to_numpy().astype(np.int64)
    return utilization(within * np.minimum(share, 1.0), size, processors=processors, makespan=close - begin)


BLOCK_METRICS = (*STEADY_METRICS, "utilization")
"""Metrics that a block of a run has: those of its jobs, and one of its time."""


def whole_blocks(first: float, last: float, length: float) -> int:
    """Return how many whole blocks of `length` lie between the first and the last submission, all in s."""
    return math.floor((last - first) / length)


def block_metrics(
    jobs: pl.DataFrame, *, processors: int, length: float, warm_up: float = 0.0, cool_down: float = 0.0
) -> list[dict[str, int | float]]:
    """Return the metrics of each block of a run: of the jobs submitted in stretches of equal length.

    Parameters
    ----------
    jobs : polars.DataFrame
        The columns of ``jobs.parquet``, of the whole run, in seconds; it must have those of
        `echelon.metrics.schedule.steady.NEEDED`.
    processors : int
        Of the machine, >= 1.
    length : float
        Of a block, in s, > 0.
    warm_up, cool_down : float, default 0
        Shares of the jobs that are left out before the run is cut, as by `steady_metrics`.

    Returns
    -------
    list of dict of str to int or float
        One a block, in the order of time. Block k has the jobs submitted from ``s + k L`` on and before
        ``s + (k + 1) L``, with s the first submission that counts; what is left at the end, shorter than L,
        is left out. A block has `STEADY_METRICS` of its jobs, by the formulas of `METRICS`, wherever they
        ended, and ``utilization``: the share of the processors held between its two ends, by whatever job.
        A block without jobs has its utilization alone.

    Raises
    ------
    InputError
        If a column is missing, a number is out of its range, or there is no whole block.

    Notes
    -----
    Blocks of one run are replications of each other only as far as one says nothing of the next: see
    `echelon.analysis.lag_one_autocorrelation`. Ties: a submission at the end of a block is of the next one.
    Cost: O(n log n) and some ms a block.

    Source: Law, Simulation Modeling and Analysis, 2015, section 9.5.3 (batch means), here of time.
    """
    if missing := [name for name in NEEDED if name not in jobs.columns]:
        raise InputError(f"a table of jobs needs the columns of jobs.parquet, missing: {', '.join(missing)}")
    if not 0 < length < math.inf:
        raise InputError(f"must be a time > 0, got {length:g} s", field="length of blocks")
    submit = jobs["submit_time"].to_numpy().astype(np.float64)
    kept = steady_rows(submit, warm_up, cool_down)
    first, last = float(submit[kept[0]]), float(submit[kept[-1]])
    count = whole_blocks(first, last, length)
    if count < 1:
        raise InputError(
            f"is longer than the {(last - first) / 86_400:.4g} d in which jobs are submitted, got "
            f"{length / 86_400:.4g} d; expected several blocks",
            field="length of blocks",
        )
    ends = first + length * np.arange(count + 1)
    place = np.searchsorted(ends, submit[kept], side="right") - 1
    return [
        _of_jobs(jobs, np.sort(kept[place == k]), processors)
        | {"utilization": utilization_between(jobs, ends[k], ends[k + 1], processors=processors)}
        for k in range(count)
    ]


def _of_jobs(
    jobs: pl.DataFrame, rows: np.ndarray[tuple[int], np.dtype[np.int64]], processors: int
) -> dict[str, int | float]:
    if not len(rows):
        return {"jobs": 0}
    return metrics_of_jobs(Measured(schedule_of(jobs[rows], processors)))
