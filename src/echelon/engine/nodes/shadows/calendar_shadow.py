"""CalendarShadow: when a blocked job could start where nodes are closed at times, and beside which jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.nodes.shadows.shadow import HeadShadow

if TYPE_CHECKING:
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.resource import Holding, PlacedCalendar, PlacedResource
    from echelon.model import Job
    from echelon.policies.contract import Where


class CalendarShadow(HeadShadow):
    """`HeadShadow` on the calendar of all that runs and all that is closed.

    The shadow time is the earliest start of the head for its whole planned time; infinite if none is known,
    and then no job delays it. Where less is free again later, what is left over at the shadow time says
    nothing: a job that runs beyond it is admitted if the head's earliest start, found again with the job in
    the nodes that it would take, is no later. Else the job is tried in what the head leaves over in its
    nodes, in the same way.

    Parameters
    ----------
    nodes, cluster
        See `HeadShadow`.
    head : Job
        The blocked job.
    profile : PlacedCalendar
        What is free beside what runs, as a scratch copy.
    time : float
        The earliest start of the head in it, in seconds.

    Notes
    -----
    Cost: that of `Calendar.earliest_for`, for the head and up to twice for each candidate.
    """

    __slots__ = ("_head", "_profile")

    def __init__(
        self, nodes: PlacedResource, cluster: Cluster, head: Job, profile: PlacedCalendar, time: float
    ) -> None:
        super().__init__(nodes, cluster)
        self._head, self._profile, self.time = head, profile, time

    def take(self, job: Job) -> None:
        """See `Shadow.take`."""
        cluster, where = self._cluster, self._nodes.place_held(job.position)
        self._profile.take_where(job, where, cluster.now, cluster.planned_end(job))

    def _leaves_room(self, job: Job, holding: Holding) -> bool:
        """See `HeadShadow._leaves_room`: the head's earliest start is found again beside it."""
        nodes, left, now = self._nodes, self._cluster.as_left(job), self._cluster.now
        where, end = nodes.place_of(holding), now + nodes.planned_time_on(left, holding)
        self._profile.take_where(left, where, now, end)
        starts = self._profile.still_starts(self._head, self.time)
        self._profile.give_where(left, where, now, end)
        return starts

    def _place_beside(self, job: Job) -> Where | None:
        """See `HeadShadow._place_beside`: what the head leaves over while it runs in its nodes."""
        return self._profile.place_beside(job, self._cluster.as_left(self._head), self.time)
