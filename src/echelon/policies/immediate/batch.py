"""Batch mode: all waiting jobs are mapped together, at each mapping event."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.errors import InputError
from echelon.policies.contract import Wake
from echelon.policies.immediate.contract import Dispatch
from echelon.policies.immediate.decision_time import check_decision
from echelon.policies.immediate.expected_times import Times, check_times, execution_time
from echelon.policies.site_order import sites_by_size

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.model.jobs.columns import FloatColumn
    from echelon.policies.immediate.contract import DispatchDecision, DispatchView


@dataclass(frozen=True, slots=True)
class BatchMode:
    """What min-min, max-min and sufferage are: dispatchers that map batches.

    Parameters
    ----------
    interval : float, default 0
        From one mapping event to the next, in seconds, finite, >= 0: at the multiples of it on the log's
        clock the jobs submitted until then are mapped. 0: a mapping event at each event, so that jobs wait
        for nothing and batches are what is submitted together.
    times : {"planned", "history"}, default "planned"
        Execution times by jobs' planned times and machines' speeds, or the mean CPU times of their
        applications there (0 where one has never ended).
    decision : float, default 0
        How long a decision takes under ``--decision-time own``, in seconds, finite, >= 0. After each the
        rest of the batch is mapped again.

    Raises
    ------
    InputError
        If `interval` or `decision` is out of its range.
    UnknownNameError
        If `times` is neither word.

    Notes
    -----
    A job that is mapped is dispatched at once, as machines without queues have it, and not mapped again; in
    the source it may be until it starts.
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
        """Yield where each job of the batch goes; then, if others wait, when the next event is."""
        event = last_event(view.now, self.interval)
        # Only what had come by the event: decisions that take time still dispatch its batch after it.
        batch = [job for job in view.waiting if job.submit_time <= event]
        if batch:
            yield from self.mapped(Mapping.of(batch, view, self.times))
        if view.waiting:
            yield Wake(next_event(event, self.interval))

    def mapped(self, mapping: Mapping) -> Iterator[Dispatch]:
        """Yield the dispatches of a batch, in turn."""
        raise NotImplementedError


@dataclass(slots=True)
class Mapping:
    """A batch while it is mapped: which jobs are left, and what each machine would mean to each.

    Parameters
    ----------
    view : DispatchView
        Asked for ready times, which dispatches move.
    jobs : sequence of Job
        The batch, by submit time, then position.
    sites : sequence of int
        The lowest first: by size, then by their place in the file. Columns are in this order.
    execution : FloatColumn, shape (n_jobs, n_sites)
        Execution times, in seconds; infinite where a job does not fit.
    ready : FloatColumn, shape (n_sites,)
        When each site is ready, in seconds.
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
        """Return the mapping of `jobs` as it begins."""
        sites = sites_by_size(view.sizes)
        column = {site: place for place, site in enumerate(sites)}
        execution = np.full((len(jobs), len(sites)), np.inf)
        for row, job in enumerate(jobs):
            for site in view.fits(job):
                execution[row, column[site]] = execution_time(job, site, view, times)
        ready = np.array([view.ready_time(site) for site in sites])
        return cls(view, jobs, sites, execution, ready, np.zeros(len(jobs)))

    @property
    def completion(self) -> FloatColumn:
        """When each job left would be done at each site, shape (n_jobs, n_sites); infinite if mapped."""
        return self.execution + self.ready + self.left[:, None]

    def dispatch(self, row: int, column: int) -> Iterator[Dispatch]:
        """Yield the dispatch of the job at `row` to the site of `column` and see what that means to it."""
        yield Dispatch(self.jobs[row], self.sites[column])
        self.left[row] = np.inf
        self.ready[column] = self.view.ready_time(self.sites[column])


def last_event(now: float, interval: float) -> float:
    """Return the last multiple of `interval` that is not after `now`.

    `now` itself without an interval, or with one too short for times to tell.
    """
    if interval < math.ulp(now):
        return now
    multiple = round(now / interval)
    return multiple * interval if multiple * interval <= now else (multiple - 1) * interval


def next_event(event: float, interval: float) -> float:
    """Return the multiple of `interval` after the multiple `event`."""
    return (round(event / interval) + 1) * interval
