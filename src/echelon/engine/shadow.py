"""CountShadow: when a blocked job could start on identical processors, and how many are left then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.policies import Start

if TYPE_CHECKING:
    from echelon.engine.cluster import Cluster
    from echelon.model import Job


class CountShadow:
    """Implements `echelon.policies.contract.Shadow`, by counting processors.

    Parameters
    ----------
    cluster : Cluster
        The cluster in which the job waits.
    head : Job
        The blocked job.
    """

    __slots__ = ("_extra", "_now", "time")

    def __init__(self, cluster: Cluster, head: Job) -> None:
        self._now = cluster.now
        self.time, self._extra = cluster.shadow(head.processors)

    def admits(self, job: Job) -> Start | None:
        """See `Shadow.admits`. Cost: O(1)."""
        return Start(job) if self._in_time(job) or job.processors <= self._extra else None

    def take(self, job: Job) -> None:
        """See `Shadow.take`."""
        if not self._in_time(job):
            self._extra -= job.processors

    def _in_time(self, job: Job) -> bool:
        return self._now + job.planned_time <= self.time
