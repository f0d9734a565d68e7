"""CalendarShadow: when a blocked job could start where nodes are closed at times, and beside which jobs."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.nodes.shadow import HeadShadow
from echelon.engine.resources.closures import open_only

if TYPE_CHECKING:
    from echelon.engine.nodes.core_assignment import CoreAssignment
    from echelon.engine.nodes.nodes import Nodes
    from echelon.engine.queue.cluster import Cluster
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
    nodes : Nodes
        The nodes.
    cluster : Cluster
        The cluster in which the job waits.
    head : Job
        The blocked job.

    Notes
    -----
    Cost: that of `NodeProfile.earliest_for`, for the head and up to twice for each candidate.
    """

    __slots__ = ("_head", "_profile")

    def __init__(self, nodes: Nodes, cluster: Cluster, head: Job) -> None:
        super().__init__(nodes, cluster)
        self._head = head
        self._profile = nodes.profile(cluster)
        self.time = self._profile.earliest_for(head, after=self._powered())

    def _powered(self) -> float:
        """Return when running jobs are planned to leave power for the head, in seconds."""
        nodes, cluster = self._nodes, self._cluster
        if not nodes.power.is_capped:
            return cluster.now
        ends, left = [*cluster.holders], cluster.as_left(self._head)
        times = (end.planned_end for count, end in enumerate(ends, start=1)
                 if nodes.power.suffices(left, ends[:count], cluster.now))  # fmt: skip
        return next(times, cluster.now)

    def take(self, job: Job) -> None:
        """See `Shadow.take`."""
        cluster = self._cluster
        where = {node: cores for node, (cores, _) in self._nodes.held[job.position].items()}
        self._profile.take_where(job, where, cluster.now, cluster.planned_end(job))

    def _leaves_room(self, job: Job, assignment: CoreAssignment) -> bool:
        """See `HeadShadow._leaves_room`: the head's earliest start is found again beside it."""
        left, now = self._cluster.as_left(job), self._cluster.now
        end = now + self._nodes.planned_on(left, assignment)
        self._profile.take_where(left, assignment.where, now, end)
        start = self._profile.earliest_for(self._head)
        self._profile.give_where(left, assignment.where, now, end)
        return start <= self.time

    def _beside(self, job: Job) -> Where | None:
        """See `HeadShadow._beside`: what the head leaves over while it runs in its nodes."""
        nodes, now, profile = self._nodes, self._cluster.now, self._profile
        head = self._cluster.as_left(self._head)
        cores, memory = (free.copy() for free in profile.window(self.time, self.time + head.planned_time))
        each = nodes.memory_of(head)
        for node, count in (profile.place(head, self.time) or {}).items():
            cores[node] = max(0, cores[node] - count)
            memory[node] = max(0.0, memory[node] - count * each)
        assert nodes.closures is not None
        closed = nodes.closures.closed_to(job, now, now + job.planned_time, now)
        there = open_only(np.minimum(cores, nodes.cores), closed), np.minimum(memory, nodes.memory)
        return nodes.places.planned(job, *there, now)
