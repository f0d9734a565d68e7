"""Metrics as a run proceeds, from the tables of the run."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import grid_bounded_slowdown, job_traces, slowdown, turnaround_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics import Trace
    from echelon.metrics.columns.steps import Steps
    from echelon.model.jobs.columns import FloatColumn, IntColumn
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
    jobs = _TableJobs(run)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        return job_traces(jobs, jobs.busy, SHOWN, times=times)


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


@dataclass(frozen=True, eq=False)
class _TableJobs:
    """A run's jobs as `echelon.metrics.EndedJobs`."""

    tables: RunTables

    def busy(self) -> Steps:
        return self.tables.busy(weighted=True)

    @cached_property
    def submit(self) -> FloatColumn:
        return self.tables.float_column("submit_time")

    @cached_property
    def earliest_submit(self) -> FloatColumn:
        has_column = "earliest_release" in self.tables.jobs.columns
        return self.tables.float_column("earliest_release") if has_column else self.submit

    @cached_property
    def end(self) -> FloatColumn:
        return self.tables.float_column("end_time")

    @property
    def by_end(self) -> IntColumn:
        return self.tables.by_end

    @cached_property
    def run(self) -> FloatColumn:
        return self.tables.run_time

    @cached_property
    def size(self) -> IntColumn:
        return self.tables.int_column("processors")

    @cached_property
    def area(self) -> FloatColumn:
        return self.tables.area

    @cached_property
    def work(self) -> FloatColumn:
        return self.tables.work

    @cached_property
    def shortest(self) -> FloatColumn:
        return self.tables.shortest

    @cached_property
    def capacity(self) -> float:
        return self.tables.capacity

    @cached_property
    def wait(self) -> FloatColumn:
        return self.tables.wait

    @cached_property
    def turnaround(self) -> FloatColumn:
        return turnaround_time(self.submit, self.end)

    @cached_property
    def slowdown(self) -> FloatColumn:
        return slowdown(self.tables.delay, self.run)

    @cached_property
    def bounded_slowdown(self) -> FloatColumn:
        return self.tables.bounded_slowdown

    @cached_property
    def grid_bounded_slowdown(self) -> FloatColumn:
        return grid_bounded_slowdown(self.tables.delay, self.run)
