"""Rows: the log of a run in order of job, in a kernel: its attempts, and the processors of each."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from echelon.engine.compiled.dynamic_machine.state import ATTEMPT_TYPE, INTERVAL_TYPE
from echelon.libraries.kernel import entry_kernel


class Rows(NamedTuple):
    """Attempts in order of job, those of one job in order of start."""

    order: Any  # int64[n_attempts]: the row of each in the log
    job: Any  # int64[n_attempts]
    start: Any  # float64[n_attempts]
    end: Any  # float64[n_attempts]
    reason: Any  # int8[n_attempts]
    offsets: Any  # int64[n_attempts + 1]: the intervals of row i are offsets[i] ... offsets[i + 1] - 1
    low: Any  # int64[n_intervals]
    high: Any  # int64[n_intervals]


def fresh_rows(n_attempts: int, n_intervals: int) -> Rows:
    """Return room for so many."""
    return Rows(
        order=np.empty(n_attempts, dtype=np.int64),
        job=np.empty(n_attempts, dtype=np.int64),
        start=np.empty(n_attempts),
        end=np.empty(n_attempts),
        reason=np.empty(n_attempts, dtype=np.int8),
        offsets=np.zeros(n_attempts + 1, dtype=np.int64),
        low=np.empty(n_intervals, dtype=np.int64),
        high=np.empty(n_intervals, dtype=np.int64),
    )


def _sample() -> tuple[Any, ...]:
    """Return arguments of the types that `sort_by_job` takes."""
    return np.zeros(1, ATTEMPT_TYPE), np.zeros(1, INTERVAL_TYPE), np.zeros(2, np.int64), fresh_rows(1, 1)


@entry_kernel("dynamic_rows", _sample)
def sort_by_job(log, intervals, first, rows):
    """Fill `rows` from a log in order of dispatch; `first` is room for one number a job and one more, 0."""
    n = len(rows.job)
    for k in range(n):
        first[log[k].job + 1] += 1
    for j in range(1, len(first)):
        first[j] += first[j - 1]
    for k in range(n):
        j = log[k].job
        rows.order[first[j]] = k
        first[j] += 1
    at = 0
    for place in range(n):
        k = rows.order[place]
        attempt = log[k]
        rows.job[place], rows.reason[place] = attempt.job, attempt.reason
        rows.start[place], rows.end[place] = attempt.start, attempt.end
        rows.offsets[place] = at
        last = log[k + 1].first if k + 1 < n else len(rows.low)
        for i in range(attempt.first, last):
            rows.low[at], rows.high[at] = intervals[i].low, intervals[i].high
            at += 1
    rows.offsets[n] = at
