"""PlacedProfile: what is free over future time where jobs are planned in places."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING, Generic, TypeVar

from echelon.engine.resources.closures import ANYBODY
from echelon.errors import PolicyError
from echelon.model import Demand, Job, TaskGroup

if TYPE_CHECKING:
    from echelon.engine.queue.cluster import Cluster
    from echelon.engine.resources.closures import Closures

Where = TypeVar("Where")

REFUSES = "is refused, though the empty machine has room for it; a placement must find room there"


class PlacedProfile(Generic[Where]):
    """A step function of time, in whose segments jobs are planned in places.

    The base of implementations of `echelon.engine.resources.resource.PlacedCalendar`. What is free holds from
    ``times[i]`` until ``times[i + 1]``, the last of it forever. A job is given a place that is free, and open
    to it, **throughout** its planned time.

    Parameters
    ----------
    cluster : Cluster
        Its running jobs hold what they have until their planned ends; one planned to end by now holds none.
    kept : bool
        Whether the cluster maintains it, rather than a policy filling a scratch copy.
    """

    __slots__ = ("_cluster", "_is_kept", "times")

    def __init__(self, cluster: Cluster, *, kept: bool) -> None:
        self._cluster, self._is_kept = cluster, kept
        self.times: list[float] = [cluster.now]

    def earliest_for(self, job: Job) -> float:
        """Return the earliest time from which there is room for `job` for its planned time, in seconds.

        Infinite if what it needs is never known to be open to it for so long.
        """
        raise NotImplementedError

    def place(self, job: Job, start: float) -> Where | None:
        """Return where `job` would be from `start` for its planned time, or None."""
        raise NotImplementedError

    def take_where(self, job: Job, where: Where, start: float, end: float) -> None:
        """Occupy this for `job` in [start, end)."""
        raise NotImplementedError

    def _is_free(self, where: Where, start: float, end: float) -> bool:
        """Return whether a place is free throughout [start, end)."""
        raise NotImplementedError

    def _lay_hands_on(self, job: Job, where: Where) -> None:
        """Take this from what is actually idle in a scratch copy."""
        raise NotImplementedError

    def _open_at(self, index: int, time: float, closures: Closures) -> int:
        """Return how much of what is free in a segment is open to all at a time in it, as is known now."""
        raise NotImplementedError

    def _split(self, index: int) -> None:
        """Repeat the segment before `index` there."""
        raise NotImplementedError

    def _forget(self, count: int) -> None:
        """Forget the first segments, so many of them."""
        raise NotImplementedError

    def advance(self, now: float) -> None:
        """Forget what lies before `now`."""
        passed = bisect_right(self.times, now) - 1
        if passed > 0:
            del self.times[:passed]
            self._forget(passed)
        self.times[0] = max(self.times[0], now)

    def earliest(self, size: int, duration: float) -> float:
        """Return the earliest time from which `size` cores stay free for `duration` seconds, anywhere."""
        return self.earliest_for(_any_job(size, duration))

    def take(self, start: float, duration: float, size: int) -> None:
        """Occupy `size` cores, anywhere, from `start` for `duration` seconds."""
        self.hold(_any_job(size, duration), start)

    def hold(self, job: Job, start: float) -> Where:
        """Occupy room for `job` from `start` for its planned time; return where.

        Raises
        ------
        PolicyError
            If there is no room then; a policy must ask first.
        """
        job = self._cluster.as_left(job)
        if (where := self.place(job, start)) is None:
            raise self._no_place(job, start)
        self.take_where(job, where, start, start + job.planned_time)
        if start <= self._cluster.now and not self._is_kept:
            self._lay_hands_on(job, where)
        return where

    def _no_place(self, job: Job, start: float) -> PolicyError:
        rule = f"got room at {start:g} s, but then it does not fit for its planned time"
        if job.position < 0:
            rule = (
                f"takes {job.processors} cores of the profile for {job.planned_time:g} s at {start:g} s, "
                "but then they are not free"
            )
        return PolicyError(
            self._cluster.policy.name,
            time=self._cluster.now,
            job_id=job.job_id if job.position >= 0 else None,
            broken_rule=rule,
        )

    def conflict(self, job: Job, where: Where, start: float, end: float) -> str | None:
        """See `Calendar.conflict`."""
        if self._is_free(where, start, end):
            return None
        return "was started in cores that are reserved for other jobs"

    def no_room(self, job: Job, time: float) -> str:
        """See `Calendar.no_room`."""
        return f"got a reservation at {time:g} s, but there is no room for it then"

    def open_shadow(self, size: int, closures: Closures) -> tuple[float, int]:
        """Return when `size` cores are free and open to all, and how many more; see `SystemView.shadow`.

        At that instant: how long they stay open is not asked. Infinity, and all that are beyond `size`, if
        they never are as is known now. Cost: O(segments and ends of closures), each a look at what is free.
        """
        now = self._cluster.now
        times = {*self.times, *closures.openings(ANYBODY, now, now)}
        for time in sorted(times - {math.inf}):
            index = bisect_right(self.times, time) - 1
            if (free := self._open_at(index, time, closures)) >= size:
                return time, free - size
        return math.inf, self._cluster.processors - size

    def _cut(self, time: float) -> int:
        """Make `time` a boundary and return its index."""
        index = bisect_left(self.times, time)
        if index == len(self.times) or self.times[index] != time:
            self.times.insert(index, time)
            self._split(index)
        return index


def _any_job(size: int, duration: float) -> Job:
    """Return a job of `size` tasks anywhere, for policies that plan by numbers of processors."""
    return Job(-1, -1, 0.0, size, duration, demand=Demand((TaskGroup(size, 1.0),)))
