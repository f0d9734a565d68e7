"""Load averages: the average number of processes that run or are ready to run."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from echelon.model import Monitoring


class _Change(NamedTuple):
    """From `time` on the load is `load`; the exponential average is `average` then."""

    time: float
    load: float
    average: float


class LoadHistory:
    """The recent load of one machine, and its average at any time of this period.

    The load is 0 before its first change.

    Parameters
    ----------
    monitoring : Monitoring
        The averaging; averages are available for times up to one period ago.

    Notes
    -----
    Both averages are exact: the load is constant between changes, where the integral and the solution of
    dL/dt = (n - L) / window have closed forms. **Cost**: O(1) per change, amortized; O(changes within window
    and period) per average.
    """

    def __init__(self, monitoring: Monitoring) -> None:
        self._window = monitoring.window
        self._reach = monitoring.window + monitoring.period
        self._is_linear = monitoring.average == "linear"
        self._changes: deque[_Change] = deque([_Change(-math.inf, 0.0, 0.0)])

    def change(self, now: float, load: float) -> None:
        """Note that the load is `load` from `now` on, not before the last change."""
        changes = self._changes
        if changes[-1].load == load:
            return
        average = self._exponential(now)
        if changes[-1].time == now:
            changes.pop()
        changes.append(_Change(now, load, average))
        # The last change before the period gives the load at its begin.
        while len(changes) > 1 and changes[1].time <= now - self._reach:
            changes.popleft()

    def average(self, time: float) -> float:
        """Return the load average at `time`, in seconds, not more than a period before the last change."""
        return self._linear(time) if self._is_linear else self._exponential(time)

    def _linear(self, time: float) -> float:
        """Return the mean of the load over the window before `time`."""
        begin, end, total = time - self._window, time, 0.0
        for change in reversed(self._changes):
            if change.time < end:
                total += change.load * (end - max(change.time, begin))
                end = change.time
            if end <= begin:
                break
        return total / self._window

    def _exponential(self, time: float) -> float:
        last = next(change for change in reversed(self._changes) if change.time <= time)
        if last.time == -math.inf:
            return last.load
        fading = math.exp(-(time - last.time) / self._window)
        return last.load + (last.average - last.load) * fading
