"""Experiences of a schedule: the information on every job when it joined its queue, and its outcome."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.history.shared_nodes import most_tasks_at_start
from echelon.history.stays import Stays
from echelon.model import Experience, names_of

if TYPE_CHECKING:
    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def experiences_of(schedule: Schedule) -> list[Experience]:
    """Return the experience of every job, in the instance's order, as estimators learned it in the run.

    Those that a schedule does not record, as of jobs beside shared nodes, follow from its times and places.
    Of the queue that a job joins count the jobs that joined it before, or at the same instant with a lower
    position, and that start later than this instant. The work of each is its processors x dedicated run time
    x compute share. Wait is from joining the queue, not from submission.

    Parameters
    ----------
    schedule : Schedule
        Of a multicluster, or any other: jobs then join their site's queue on submission and share no node.

    Returns
    -------
    list of Experience
        One a job.

    Notes
    -----
    **Ties**: a job that starts at the very instant at which another joins has left the queue. A job that ends
    at the instant of a start has left its nodes; of jobs that start at one instant, those that joined their
    queue later come later.

    **Not determined by times**: the order of events at one instant, copies of a job in other queues than the
    one from which it started, and which jobs of a queue were there again after a suspension. A job that
    several clusters hold counts as of the one with most of its tasks, and has joined no queue if it was given
    them at once.

    **Cost**: O(n log n) for n tasks. The work in a queue is right to rounding.
    """
    learned = schedule.experiences or ()
    if len(learned) == len(schedule.instance):
        return list(learned)
    stays = Stays.of(schedule)
    count, work = queue_at_joining(stays)
    columns = (
        schedule.instance.size.tolist(),
        count.tolist(),
        work.tolist(),
        most_tasks_at_start(schedule.places, stays).tolist(),
        (stays.start - stays.joined).tolist(),
        # Of a job that was suspended what it ran in all its attempts, which is what estimators are taught.
        (schedule.instance.run_time if schedule.interrupted else stays.end - stays.start).tolist(),
        stays.end.tolist(),
    )
    names = map(names_of, schedule.instance.jobs())
    experiences = [Experience(*job_names, *row) for job_names, *row in zip(names, *columns, strict=True)]
    if learned and schedule.places is not None:
        for job, one in zip(np.unique(schedule.places.job).tolist(), learned, strict=True):
            experiences[job] = one
    return experiences


def queue_at_joining(stays: Stays) -> tuple[IntColumn, FloatColumn]:
    """Return the number of jobs in the queue that each job joined, and their work, in processor-seconds.

    Cost: O(n log n).
    """
    count, work = np.zeros(len(stays), dtype=np.int64), np.zeros(len(stays))
    order = stays.order
    for site in np.unique(stays.site).tolist():
        here = order[stays.site[order] == site]
        count[here], work[here] = _queue_of_site(stays, here)
    return np.where(stays.queued, count, 0), np.where(stays.queued, work, 0.0)


def _queue_of_site(stays: Stays, here: IntColumn) -> tuple[IntColumn, FloatColumn]:
    """Return the same for the jobs `here`, of one site, in the order in which they joined."""
    # A job that starts as it joins waits in no queue; any other leaves strictly after it joined, so what
    # has left is part of what has joined, and the difference of two sums is what waits.
    waits = stays.start[here] > stays.joined[here]
    waiting = here[waits]
    leaving = waiting[np.argsort(stays.start[waiting], kind="stable")]
    joined: IntColumn = np.cumsum(waits) - waits
    left: IntColumn = np.searchsorted(stays.start[leaving], stays.joined[here], side="right")
    count = joined - left
    work = _sums_of(stays.work[waiting])[joined] - _sums_of(stays.work[leaving])[left]
    return count, np.where(count > 0, work.clip(min=0), 0.0)


def _sums_of(values: FloatColumn) -> FloatColumn:
    return np.concatenate(((0.0,), np.cumsum(values)))
