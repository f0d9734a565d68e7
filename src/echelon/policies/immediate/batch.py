"""Batch mode: all waiting jobs are mapped together, at each mapping event."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError
from echelon.policies.broker.contract import check_decision
from echelon.policies.contract import Wake
from echelon.policies.immediate.contract import Dispatch
from echelon.policies.immediate.execution_times import Times, check_times, execution_time
from echelon.policies.site_order import sites_by_size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn
    from echelon.policies.immediate.contract import DispatchDecision, DispatchView

_CLOSED = 2.0**1000
"""Ready time of a site that is closed for an unknown time, in seconds: later than all others."""


@dataclass(frozen=True, slots=True)
class BatchMode:
    """The base of min-min, max-min and sufferage: dispatchers that map batches.

    Parameters
    ----------
    interval : float, default 0
        Time between mapping events, in seconds, finite, >= 0: at its multiples on the log's clock the jobs
        submitted until then are mapped. 0: a mapping event at every event, so that jobs do not wait, and a
        batch consists of jobs submitted together.
    times : {"planned", "history"}, default "planned"
        Execution times from jobs' planned times and machines' speeds, or the mean CPU times of their
        applications there (0 if an application has never ended there).
    decision : float, default 0
        How long a decision takes under ``--decision-time own``, in seconds, finite, >= 0. After each decision
        the rest of the batch is mapped again.

    Raises
    ------
    InputError
        If `interval` or `decision` is out of its range.
    UnknownNameError
        If `times` is neither word.

    Notes
    -----
    A mapped job is dispatched at once, as on all time-shared machines, and is not mapped again; in the source
    it may be mapped again until it starts.
    """

    interval: float = field(default=0.0, metadata={"unit": "s"})
    times: Times = "planned"
    decision: float = field(default=0.0, kw_only=True, metadata={"unit": "s"})

    name: ClassVar[str]
    source: ClassVar[str]
    goes_by: ClassVar[str] = "execution and ready times"
    dispatches: ClassVar[bool] = True
    immediate: ClassVar[bool] = True

    def __post_init__(self) -> None:
        check_times(self.times, self.name)
        check_decision(self.decision, self.name)
        if not 0 <= self.interval < math.inf:
            raise InputError(
                f"must be a finite number >= 0, got {self.interval!r}", field=f"{self.name}, interval"
            )

    def decide(self, view: DispatchView) -> Iterator[DispatchDecision]:
        """Yield the site of each job of the batch; then, if others wait, the time of the next event."""
        event = last_event(view.now, self.interval)
        # Only jobs that had arrived by the event: decisions that take time dispatch the batch after it.
        batch = [job for job in view.waiting if job.submit_time <= event]
        if batch:
            yield from self.map_jobs(Mapping.of(batch, view, self.times))
        if view.waiting:
            yield Wake(next_event(event, self.interval))

    def map_jobs(self, mapping: Mapping) -> Iterator[Dispatch]:
        """Yield the dispatches of a batch one by one."""
        raise NotImplementedError


@dataclass(slots=True)
class Mapping:
    """A batch during its mapping: the jobs left, and the completion time of each at each machine.

    Parameters
    ----------
    view : DispatchView
        The source of ready times, which change with dispatches.
    jobs : sequence of Job
        The batch, by submit time, then position.
    sites : sequence of int
        Sites, the lowest first: by size, then by place in the file. Columns are in this order.
    execution : FloatColumn, shape (n_jobs, n_sites)
        Execution times, in seconds; infinite if a job does not fit.
    ready : FloatColumn, shape (n_sites,)
        Ready time of each site, in seconds.
    left : FloatColumn, shape (n_jobs,)
        0 for jobs not mapped yet, else infinite.
    """

    view: DispatchView
    jobs: Sequence[Job]
    sites: Sequence[int]
    execution: FloatColumn
    ready: FloatColumn
    left: FloatColumn

    @classmethod
    def of(cls, jobs: Sequence[Job], view: DispatchView, times: Times) -> Mapping:
        """Return the initial mapping of `jobs`."""
        sites = sites_by_size(view.sizes)
        column = {site: place for place, site in enumerate(sites)}
        execution = np.full((len(jobs), len(sites)), np.inf)
        for row, job in enumerate(jobs):
            for site in view.fits(job):
                execution[row, column[site]] = execution_time(job, site, view, times)
        ready = np.array([_ready_time(view, site) for site in sites])
        return cls(view, jobs, sites, execution, ready, np.zeros(len(jobs)))

    @property
    def completion(self) -> FloatColumn:
        """Completion time of each job left at each site, shape (n_jobs, n_sites); infinite if mapped."""
        return self.execution + self.ready + self.left[:, None]

    def dispatch(self, row: int, column: int) -> Iterator[Dispatch]:
        """Yield the dispatch of the job at `row` to the site of `column` and update the site's ready time."""
        yield Dispatch(self.jobs[row], self.sites[column])
        self.left[row] = np.inf
        self.ready[column] = _ready_time(self.view, self.sites[column])


def _ready_time(view: DispatchView, site: int) -> float:
    """Return the ready time of a site; a late but finite one if it is closed for an unknown time.

    A job that fits no other site is mapped there: only where it does not fit its completion is infinite.
    """
    return min(view.ready_time(site), _CLOSED)


def last_event(now: float, interval: float) -> float:
    """Return the last multiple of `interval` that is not after `now`.

    `now` itself without an interval, or if the interval is too short to resolve.
    """
    if interval < math.ulp(now):
        return now
    multiple = round(now / interval)
    return multiple * interval if multiple * interval <= now else (multiple - 1) * interval


def next_event(event: float, interval: float) -> float:
    """Return the multiple of `interval` after the multiple `event`."""
    return (round(event / interval) + 1) * interval
