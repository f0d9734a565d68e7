"""SlotProfile: the slots of a cluster's nodes over future time, for policies that plan ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.nodes.profile import NodeProfile

if TYPE_CHECKING:
    from echelon.engine.multicluster.cluster import SlotCluster
    from echelon.model import Job
    from echelon.policies.contract import Where


class SlotProfile(NodeProfile):
    """`NodeProfile` of nodes whose local load is assumed to stay as it is.

    For a job that would then never find room, the plan ignores owners: the job starts when the owners
    actually leave room.

    Parameters
    ----------
    cluster : SlotCluster
        Its running jobs hold slots until their planned ends.
    kept : bool, default False
        See `NodeProfile`.
    """

    __slots__ = ("_slots",)

    def __init__(self, cluster: SlotCluster, *, kept: bool = False) -> None:
        super().__init__(cluster, kept=kept)
        self._slots = cluster

    def earliest_for(self, job: Job) -> float:
        """See `NodeProfile.earliest_for`. Cost: the same, twice at most."""
        start = self._first(job, super().place)
        return super().earliest_for(job) if start is None else start

    def place(self, job: Job, start: float) -> Where | None:
        """See `NodeProfile.place`."""
        where = super().place(job, start)
        if where is None:
            where = self._slots.places_left_alone.planned(job, *self.window(start, start + job.planned_time))
        return where
