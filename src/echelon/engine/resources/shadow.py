"""CountShadow: when a blocked job could start on identical processors, and how many are left then."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.policies import Start

if TYPE_CHECKING:
    from echelon.model import Job


class CountShadow:
    """Implements `echelon.policies.contract.Shadow`, by counting processors.

    Parameters
    ----------
    now : float
        Simulation time, in seconds.
    outlook : (float, int)
        When enough processors for the blocked job are planned to be free, in seconds, and how many more.
    """

    __slots__ = ("_extra", "_now", "time")

    def __init__(self, now: float, outlook: tuple[float, int]) -> None:
        self._now = now
        self.time, self._extra = outlook

    def admits(self, job: Job) -> Start | None:
        """See `Shadow.admits`. Cost: O(1)."""
        return Start(job) if self._in_time(job) or job.processors <= self._extra else None

    def take(self, job: Job) -> None:
        """See `Shadow.take`."""
        if not self._in_time(job):
            self._extra -= job.processors

    def _in_time(self, job: Job) -> bool:
        return self._now + job.planned_time <= self.time
