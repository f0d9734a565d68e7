"""SlotProfile: the slots of a cluster's nodes over future time, for policies that plan ahead."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.nodes.profile import NodeProfile

if TYPE_CHECKING:
    from echelon.engine.cluster import Cluster
    from echelon.engine.multicluster.slots import Slots
    from echelon.model import Job
    from echelon.policies.contract import Where


class SlotProfile(NodeProfile):
    """`NodeProfile` of nodes whose local load is assumed to stay as it is.

    For a job that would then never find room, the plan ignores owners: the job starts when the owners
    actually leave room.

    Parameters
    ----------
    slots : Slots
        The slots.
    cluster : Cluster
        Its running jobs hold slots until their planned ends.
    kept : bool, default False
        See `NodeProfile`.
    """

    __slots__ = ("_slots",)

    def __init__(self, slots: Slots, cluster: Cluster, *, kept: bool = False) -> None:
        super().__init__(slots, cluster, kept=kept)
        self._slots = slots

    def earliest_for(self, job: Job) -> float:
        """See `NodeProfile.earliest_for`. Cost: the same, twice at most."""
        start = self._first(job, super().place)
        return super().earliest_for(job) if start is None else start

    def place(self, job: Job, start: float) -> Where | None:
        """See `NodeProfile.place`."""
        where = super().place(job, start)
        if where is None:
            window = self.window(start, start + job.planned_time)
            where = self._slots.places_left_alone.planned(job, *window, self._cluster.now)
        return where
