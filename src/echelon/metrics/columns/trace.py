"""Traces: the value of a metric as the run proceeds, from what can be known by then."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from types import MappingProxyType
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.metrics.columns.measured_schedule import Measured
from echelon.metrics.columns.shared_machines import copies_of, working_cores
from echelon.metrics.columns.steps import busy_processors
from echelon.metrics.schedule.schedule_values import DAY
from echelon.model.schedules.features import Feature

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import ArrayLike

    from echelon.metrics.columns.steps import Steps
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn

MOST_TIMES = 1_000
"""At how many ends of jobs a trace is taken by default."""


class Trace(NamedTuple):
    """A metric over time.

    Attributes
    ----------
    name : str
        Of the metric.
    time : FloatColumn, shape (n_times,)
        In seconds, on the workload's clock.
    value : FloatColumn, shape (n_times,)
        In the metric's unit, at that time; NaN before it has one.
    """

    name: str
    time: FloatColumn
    value: FloatColumn


class EndedJobs(Protocol):
    """What traces are taken from: columns of shape (n_jobs,), of at least one job; times in seconds.

    `Measured` has them.
    """

    @property
    def submit(self) -> FloatColumn:
        """Submit times."""

    @property
    def earliest_submit(self) -> FloatColumn:
        """Submit times as early as dependencies allow."""

    @property
    def end(self) -> FloatColumn:
        """End times."""

    @property
    def by_end(self) -> IntColumn:
        """Positions of the jobs by end; equal ends in the workload's order."""

    @property
    def size(self) -> IntColumn:
        """Processors of each job."""

    @property
    def area(self) -> FloatColumn:
        """Processor-seconds of each job: run times size, of a shared core only its part."""

    @property
    def work(self) -> FloatColumn:
        """What each job had of the processors, in seconds of one, of speed 1 where speeds differ."""

    @property
    def shortest(self) -> FloatColumn:
        """Least time that each job can run: its run time, but where its speed depends on its site."""

    @property
    def capacity(self) -> float:
        """Processors of the machine or of all sites, each as its speed where speeds differ."""

    @property
    def wait(self) -> FloatColumn:
        """Waiting times."""

    @property
    def turnaround(self) -> FloatColumn:
        """Turnaround times."""

    @property
    def slowdown(self) -> FloatColumn:
        """Slowdowns."""

    @property
    def bounded_slowdown(self) -> FloatColumn:
        """Bounded slowdowns."""

    @property
    def grid_bounded_slowdown(self) -> FloatColumn:
        """Bounded slowdowns of the grid study."""


def trace(schedule: Schedule, name: str, *, times: ArrayLike | None = None) -> Trace:
    """Return the value of a metric as the run proceeds.

    With E(t) the jobs that have ended by t, and n(t) their number:

    * ``jobs`` is n(t); means, sums and maxima of jobs are over E(t), and ``c_max`` is its last end;
    * ``lower_bound`` is of E(t) alone, and ``competitive_ratio`` is ``c_max`` over it: against what the jobs
      that have ended could have taken at best, since the run times of the others are still unknown; never
      below 1;
    * ``makespan`` and the rates count the time from the first submission until t, the rates of the grid study
      (``grid_throughput``, ``grid_utilization``) from second 0; jobs are those of E(t), but utilization is of
      all processor time held until t, by running jobs, too. Where there are no queues it is of the time at
      which cores had a process, each as its speed: by copies, and while processes waited for input, too.

    Parameters
    ----------
    schedule : Schedule
        Of at least one job.
    name : str
        Of a metric in `TRACED`.
    times : array-like, shape (n_times,), optional
        In seconds, in any order. Default: every time at which a job ends, or 1,000 of those times, the first
        and the last among them, evenly by rank.

    Returns
    -------
    Trace
        From the last end on it has the value of the metric of the whole schedule; a preempted schedule's
        utilization counts switches as held, that is ``utilization + switch_share``.

    Raises
    ------
    UnknownNameError
        If the metric has no trace: a median or a fairness has none.
    InputError
        If the schedule has no job, or a time is not finite.

    Notes
    -----
    Ties: all that ends at t has ended. Cost: O(n log n) once for the order of ends, O(n) a metric.

    Source: proposed as future work in Quezada Pina, CICESE 2012, section 5.2.
    """
    return traces(schedule, (name,), times=times)[name]


def traces(
    schedule: Schedule, names: tuple[str, ...] = (), *, times: ArrayLike | None = None
) -> dict[str, Trace]:
    """Return several traces by name, by default all of `TRACED`; see `trace`."""
    measured = Measured(schedule)
    return job_traces(measured, lambda: _busy(measured), names, times=times)


def _busy(measured: Measured) -> Steps:
    schedule = measured.schedule
    if Feature.TIME_SHARING not in measured.has:
        return busy_processors(schedule)
    return working_cores(copies_of(schedule), schedule.instance.sites, weighted=True)


def job_traces(
    jobs: EndedJobs,
    busy: Callable[[], Steps],
    names: tuple[str, ...] = (),
    *,
    times: ArrayLike | None = None,
) -> dict[str, Trace]:
    """Return traces of columns of jobs, such as those of a table; see `trace`.

    Parameters
    ----------
    jobs : EndedJobs
        The columns.
    busy : callable
        Returns how many processors are held at each time; asked where a trace needs it.
    names : tuple of str, default all of `TRACED`
        Of metrics.
    times : array-like, optional
        As for `trace`.

    Raises
    ------
    UnknownNameError, InputError
        As `trace`.
    """
    for name in names:
        if name not in TRACED:
            raise UnknownNameError("trace", name, TRACED)
    course = _Course(jobs, busy, times)
    return {name: Trace(name, course.time, TRACED[name](course)) for name in names or TRACED}


@dataclass(frozen=True)
class _Course:
    """A schedule's jobs in the order of their ends, and how many have ended by each time."""

    measured: EndedJobs
    busy: Callable[[], Steps]
    asked: ArrayLike | None

    @property
    def order(self) -> IntColumn:
        return self.measured.by_end

    @cached_property
    def ends(self) -> FloatColumn:
        return self.measured.end[self.order]

    @cached_property
    def time(self) -> FloatColumn:
        times = _thin(np.unique(self.ends)) if self.asked is None else _times(self.asked)
        times.flags.writeable = False
        return times

    @cached_property
    def count(self) -> IntColumn:
        return np.searchsorted(self.ends, self.time, side="right")

    @property
    def elapsed(self) -> FloatColumn:
        """Time since the first submission; it stops at the last end."""
        return np.asarray(self.clock - self.measured.submit.min())

    @property
    def clock(self) -> FloatColumn:
        """The time; it stops at the last end."""
        return np.asarray(np.minimum(self.time, self.ends[-1]))

    def at(self, running: FloatColumn | IntColumn, *, before: float = np.nan) -> FloatColumn:
        """Return at each time what holds after so many ends; `before` the first."""
        so_far = running[np.maximum(self.count, 1) - 1]
        return np.where(self.count > 0, so_far, before)

    def total(self, column: FloatColumn) -> FloatColumn:
        ordered = column[self.order]
        return self.at(np.cumsum(ordered, out=ordered))

    def mean(self, column: FloatColumn) -> FloatColumn:
        return np.asarray(self.total(column) / np.maximum(self.count, 1))

    def most(self, column: FloatColumn) -> FloatColumn:
        ordered = column[self.order]
        return self.at(np.maximum.accumulate(ordered, out=ordered))

    @cached_property
    def lower_bound(self) -> FloatColumn:
        jobs = self.measured
        longest = self.most(jobs.earliest_submit + jobs.shortest)
        return np.maximum(longest, self.total(jobs.work) / jobs.capacity)

    @cached_property
    def held(self) -> FloatColumn:
        """Processor time held until each time, in processor-seconds."""
        busy = self.busy()
        so_far = np.zeros(len(busy.time))
        np.subtract(busy.time[1:], busy.time[:-1], out=so_far[1:])
        so_far[1:] *= busy.value[:-1]
        return np.interp(self.clock, busy.time, np.cumsum(so_far, out=so_far))


def _rate(amount: FloatColumn | IntColumn, elapsed: FloatColumn) -> FloatColumn:
    """Return an amount per time; NaN where no time has passed."""
    passed = elapsed > 0
    return np.where(passed, amount / np.where(passed, elapsed, 1.0), np.nan)


TRACED: Mapping[str, Callable[[_Course], FloatColumn]] = MappingProxyType(
    {
        "jobs": lambda c: c.count.astype(np.float64),
        "makespan": lambda c: c.at(c.ends - c.measured.submit.min()),
        "mean_wait": lambda c: c.mean(c.measured.wait),
        "max_wait": lambda c: c.most(c.measured.wait),
        "mean_turnaround": lambda c: c.mean(c.measured.turnaround),
        "max_turnaround": lambda c: c.most(c.measured.turnaround),
        "mean_slowdown": lambda c: c.mean(c.measured.slowdown),
        "mean_bounded_slowdown": lambda c: c.mean(c.measured.bounded_slowdown),
        "utilization": lambda c: _rate(c.held, c.measured.capacity * c.elapsed),
        "throughput_per_day": lambda c: DAY * _rate(c.count, c.elapsed),
        "c_max": lambda c: c.at(c.ends),
        "max_bounded_slowdown": lambda c: c.most(c.measured.bounded_slowdown),
        "mean_grid_bounded_slowdown": lambda c: c.mean(c.measured.grid_bounded_slowdown),
        "lower_bound": lambda c: c.lower_bound,
        "competitive_ratio": lambda c: c.at(c.ends) / c.lower_bound,
        "total_wait": lambda c: c.total(c.measured.wait),
        "size_weighted_mean_wait": lambda c: c.mean(c.measured.size * c.measured.wait),
        "size_weighted_mean_turnaround": lambda c: c.mean(c.measured.size * c.measured.turnaround),
        "work_weighted_mean_turnaround": lambda c: c.mean(c.measured.area * c.measured.turnaround),
        "grid_throughput": lambda c: _rate(c.count, c.clock),
        "grid_utilization": lambda c: _rate(c.held, c.measured.capacity * c.clock),
    }
)
"""The metrics that have a trace, in the order of `METRICS`."""


def _thin(ends: FloatColumn) -> FloatColumn:
    if len(ends) <= MOST_TIMES:
        return ends
    return ends[np.linspace(0, len(ends) - 1, MOST_TIMES).round().astype(np.int64)]


def _times(values: ArrayLike) -> FloatColumn:
    try:
        times = np.array(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"must be numbers, got {values!r:.60}", field="times") from error
    if times.ndim != 1 or not np.isfinite(times).all():
        raise InputError(f"must be one-dimensional finite times, got {values!r:.60}", field="times")
    return times
