"""Stays: the times of every job of a schedule in its cluster's queue and on its nodes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class Stays:
    """Columns of shape (n_jobs,), in the instance's order.

    Parameters
    ----------
    site : IntColumn
        The site whose queue a job joined, by index in the platform; 0 on one machine.
    joined, start, end : FloatColumn
        When it joined that queue, started and ended, in seconds.
    queued : ndarray of bool
        Whether it joined a queue: a job that got nodes of several clusters at once did not.
    work : FloatColumn
        Processor-seconds that it computes on dedicated nodes of full power: processors x dedicated run time x
        share of it in which it computes.
    """

    site: IntColumn
    joined: FloatColumn
    start: FloatColumn
    end: FloatColumn
    queued: NDArray[np.bool_]
    work: FloatColumn

    @classmethod
    def of(cls, schedule: Schedule) -> Stays:
        """Return the stays of `schedule`; a job that was never dispatched to a cluster counts from its start.

        Where nothing hands jobs to clusters, as at sites beside them, they join their site's queue when they
        are submitted.
        """
        instance = schedule.instance
        site = np.zeros(len(instance), dtype=np.int64) if schedule.site is None else schedule.site
        joined = _find_joining_times(schedule)
        queued = ~(np.isnan(joined) | _spread_at_once(schedule, joined))
        joined = np.where(np.isnan(joined), schedule.start_time, joined)
        return cls(site, joined, schedule.start_time, schedule.end_time, queued, dedicated_work(schedule))

    def __len__(self) -> int:
        """Return the number of jobs."""
        return len(self.site)

    @property
    def order(self) -> IntColumn:
        """Jobs in the order in which they joined their queues; at one instant by position."""
        return np.lexsort((np.arange(len(self)), self.joined))


def _find_joining_times(schedule: Schedule) -> FloatColumn:
    """Return when each job came to its queue: those that ran on no shared nodes when they were submitted."""
    if (delivered := schedule.delivered) is None:
        return schedule.instance.submit_time
    beside = np.ones(len(delivered), dtype=np.bool_)
    if schedule.places is not None:
        beside[schedule.places.job] = False
    return np.where(beside & np.isnan(delivered), schedule.instance.submit_time, delivered)


def _spread_at_once(schedule: Schedule, joined: FloatColumn) -> NDArray[np.bool_]:
    """Return whether each job started in several clusters at its dispatch."""
    spread = np.zeros(len(joined), dtype=np.bool_)
    at_once: NDArray[np.bool_] = joined == schedule.start_time
    if schedule.places is not None and schedule.site is not None:
        job = schedule.places.job
        spread[job[schedule.places.site != schedule.site[job]]] = True
    return spread & at_once


def dedicated_time(schedule: Schedule) -> FloatColumn:
    """Return the time of each job alone on dedicated nodes of full power, in seconds, shape (n_jobs,)."""
    instance = schedule.instance
    return instance.workload.run_time[instance.kept]


def dedicated_work(schedule: Schedule) -> FloatColumn:
    """Return processors x dedicated run time x share of it in which it computes, in processor-seconds."""
    instance = schedule.instance
    applications = instance.workload.applications
    work = instance.size * dedicated_time(schedule)
    if applications is None:
        return work
    share = np.array([application.compute_share for application in applications.catalog], dtype=np.float64)
    return work * share[applications.index[instance.kept]]
