"""What of a cluster is free for a job now, and which planned start the job would be in the way of."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.engine.queue.cluster import Cluster
    from echelon.model import Job


class RoomReport(NamedTuple):
    """What a waiting job finds.

    Attributes
    ----------
    free : int
        Processors that no job and no outage holds.
    down : int
        Processors that are down.
    closed : int
        Free processors that are closed to the job at some time before its planned end, as far as is known.
    in_one_node : int, optional
        Most free cores of one node; None without a node-level model.
    """

    free: int
    down: int
    closed: int
    in_one_node: int | None


class Conflict(NamedTuple):
    """The planned start of another job, which a job would be in the way of if it started now.

    Attributes
    ----------
    job : Job
        The other job.
    start : float
        Its planned start, in seconds.
    moved_to : float, optional
        The earliest start of the other job then, beside what runs and the planned starts before its own, in
        seconds; None if it is not later than `start`.
    """

    job: Job
    start: float
    moved_to: float | None


def room_report(cluster: Cluster, job: Job) -> RoomReport:
    """Return what of `cluster` waiting `job` finds now."""
    resource = cluster.resource
    down = sum(holder.job.processors for holder in resource.out.values())
    closed = resource.count_closed_to(cluster.as_left(job), cluster.now)
    return RoomReport(resource.free, down, closed, resource.most_in_one_node)


def first_conflict(cluster: Cluster, job: Job, planned: Iterable[tuple[Job, float]]) -> Conflict | None:
    """Return the first of these planned starts that `job` would be in the way of if it started now.

    Parameters
    ----------
    cluster : Cluster
        Where `job` waits and fits.
    job : Job
        It would run for its planned time.
    planned : iterable of (Job, float)
        Other waiting jobs and their planned starts, in seconds, those that come first first.

    Notes
    -----
    A planned start is in the way if, beside what runs as planned, `job`, and the planned starts before it,
    there is no room for it at its time. Cost: O(planned starts x segments), on nodes times a placement.
    """
    now, calendar = cluster.now, cluster.resource.profile(cluster)
    left = cluster.as_left(job)
    if (where := calendar.place(left, now)) is None:
        return None
    calendar.take_where(left, where, now, now + left.planned_time)
    for other, time in planned:
        waits, start = cluster.as_left(other), max(time, now)
        end = start + waits.planned_time
        reserved = cluster.reserved_place(other, time)
        if reserved is None:
            reserved = calendar.place(waits, start)
        if reserved is None or calendar.conflict(waits, reserved, start, end) is not None:
            moved = calendar.earliest_for(waits)
            return Conflict(other, time, moved if moved > time else None)
        calendar.take_where(waits, reserved, start, end)
    return None
