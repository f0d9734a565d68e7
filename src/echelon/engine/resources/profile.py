"""AvailabilityProfile: how many processors are free over future time. The readable definition."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.model import Job


class AvailabilityProfile:
    """Free processors as a step function of time, from `now` on.

    ``free[i]`` processors are free from ``times[i]`` until ``times[i + 1]``, the last ones forever.

    Parameters
    ----------
    now : float
        Begin of the profile, in seconds.
    processors : int
        Free processors at all times, before any job is added.
    """

    __slots__ = ("free", "times")

    def __init__(self, now: float, processors: int) -> None:
        self.times: list[float] = [now]
        self.free: list[int] = [processors]

    @classmethod
    def around(cls, now: float, processors: int, ends: Iterable[tuple[float, int]]) -> AvailabilityProfile:
        """Return the profile around jobs that hold processors now.

        Parameters
        ----------
        now : float
            In seconds.
        processors : int
            The processors of the machine.
        ends : iterable of (time, size)
            Planned end and size of each running job, by time. A job planned to end by now holds nothing.
        """
        profile = cls(now, processors)
        held = [(end, size) for end, size in ends if end > now]
        profile.free[0] = processors - sum(size for _, size in held)
        for end, size in held:
            if end == profile.times[-1]:
                profile.free[-1] += size
            else:
                profile.times.append(end)
                profile.free.append(profile.free[-1] + size)
        return profile

    def advance(self, now: float) -> None:
        """Forget what lies before `now`."""
        passed = bisect_right(self.times, now) - 1
        if passed > 0:
            del self.times[:passed], self.free[:passed]
        self.times[0] = max(self.times[0], now)

    def earliest(self, size: int, duration: float) -> float:
        """Return the earliest time from which `size` processors stay free for `duration` seconds.

        Cost: O(segments).
        """
        times, free = self.times, self.free
        start, last = 0, len(times) - 1
        index = 0
        while True:
            if free[index] < size:
                start = index + 1
            elif index == last or times[index + 1] >= times[start] + duration:
                return times[start]
            index += 1

    def earliest_for(self, job: Job) -> float:
        """Return the earliest time from which there is room for `job` for its planned time."""
        return self.earliest(job.processors, job.planned_time)

    def hold(self, job: Job, start: float) -> None:
        """Occupy room for `job` from `start` for its planned time."""
        self.take(start, job.planned_time, job.processors)

    def window(self, start: float, end: float) -> int:
        """Return the fewest processors free at any time in [start, end)."""
        first = bisect_right(self.times, start) - 1
        span = self.free[first : bisect_left(self.times, end)]
        # By rounding a span can be empty (1e17 + 1 = 1e17); then nothing is in its way.
        return min(span, default=self.free[-1])

    def place(self, job: Job, start: float) -> int | None:
        """See `Calendar.place`."""
        free = self.window(start, start + job.planned_time)
        return job.processors if job.processors <= free else None

    def conflict(self, job: Job, where: int, start: float, end: float) -> str | None:
        """See `Calendar.conflict`."""
        if (lowest := self.window(start, end)) >= where:
            return None
        return f"was started on {where} processors, but reservations of other jobs leave {lowest}"

    def no_room(self, job: Job, time: float) -> str:
        """See `Calendar.no_room`."""
        lowest = self.window(time, time + job.planned_time)
        return f"got a reservation of {job.processors} processors at {time:g} s, but {lowest} are free then"

    def take(self, start: float, duration: float, size: int) -> None:
        """Occupy `size` processors in [start, start + duration). Cost: O(segments)."""
        self._change(start, start + duration, -size)

    def take_where(self, job: Job, where: int, start: float, end: float) -> None:
        """See `Calendar.take_where`. Cost: O(segments)."""
        self._change(start, end, -where)

    def give_where(self, job: Job, where: int, start: float, end: float) -> None:
        """See `Calendar.give_where`. Cost: O(segments)."""
        self._change(start, end, where)

    def _change(self, start: float, end: float, by: int) -> None:
        if not start < end:
            return
        first, last = self._cut(start), self._cut(end)
        for index in range(first, last):
            self.free[index] += by
        self._join(last)
        self._join(first)

    def _cut(self, time: float) -> int:
        """Make `time` a boundary and return its index."""
        index = bisect_left(self.times, time)
        if index == len(self.times) or self.times[index] != time:
            self.times.insert(index, time)
            self.free.insert(index, self.free[index - 1])
        return index

    def _join(self, index: int) -> None:
        """Drop the boundary at `index` if nothing changes there."""
        if 0 < index < len(self.times) and self.free[index] == self.free[index - 1]:
            del self.times[index], self.free[index]
