"""Metrics as a run proceeds, from the tables of the run."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import job_traces

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import Trace
    from echelon.model.jobs.columns import FloatColumn
    from echelon.reports.tables import RunTables

SHOWN = (
    "mean_wait",
    "mean_bounded_slowdown",
    "utilization",
    "competitive_ratio",
    "mean_turnaround",
    "max_wait",
)
"""The metrics that the page and figures show over time."""


def run_traces(run: RunTables, times: FloatColumn) -> dict[str, Trace]:
    """Return the `SHOWN` metrics of a run at these times, in seconds. Cost: O(n log n) for n jobs."""
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return job_traces(run, partial(run.busy, weighted=True), SHOWN, times=times)


def trace_times(runs: Sequence[RunTables], most: int) -> FloatColumn:
    """Return times at which to compare runs, in seconds, ascending: every end of a job, if those are few.

    Otherwise `most` times evenly from the first end to the last.
    """
    each = [_distinct(run.float_column("end_time")[run.by_end]) for run in runs]
    if max(map(len, each)) <= most:
        ends = _distinct(np.sort(np.concatenate(each)))
        if len(ends) <= most:
            return ends
    return np.linspace(min(ends[0] for ends in each), max(ends[-1] for ends in each), most)


def _distinct(ascending: FloatColumn) -> FloatColumn:
    return ascending[np.flatnonzero(np.append(True, ascending[1:] != ascending[:-1]))]
