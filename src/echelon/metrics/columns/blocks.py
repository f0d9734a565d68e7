"""Blocks: the metrics of one run, stretch of time by stretch of time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.schedule.steady import (
    NEEDED,
    STEADY_METRICS,
    metrics_of_jobs,
    schedule_of,
    steady_rows,
    utilization_between,
)

if TYPE_CHECKING:
    import polars as pl

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
