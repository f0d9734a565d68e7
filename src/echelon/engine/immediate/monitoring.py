"""Monitoring: load averages, and the load that each machine publishes, and when."""

from __future__ import annotations

import math
from collections import deque
from typing import TYPE_CHECKING, NamedTuple

from echelon.model.streams import stream

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


class Daemon:
    """Publishes the load average of one machine, once a period.

    The published value is computed when it is read: publications are not events of a run.

    Parameters
    ----------
    monitoring : Monitoring
        How the load is averaged and how often it is published.
    phase : float
        Time of its first publication, in seconds, 0 <= phase <= period.
    """

    def __init__(self, monitoring: Monitoring, phase: float) -> None:
        self.history = LoadHistory(monitoring)
        self._period, self._phase = monitoring.period, phase
        # The value published last, and the time of the next: most calls come between.
        self._value, self._next = 0.0, phase

    def last_average(self, now: float) -> float:
        """Return the load average published last, at `now` or before; 0 before the first one.

        Times of successive calls must not decrease.
        """
        if now >= self._next:
            count = self._publications(now)
            self._value = self.history.average(self._phase + count * self._period)
            self._next = self._phase + (count + 1) * self._period
        return self._value

    def _publications(self, now: float) -> int:
        """Return the number of periods between its first and its last publication."""
        count = math.floor((now - self._phase) / self._period)
        # The quotient is rounded; the time itself decides.
        if self._phase + (count + 1) * self._period <= now:
            return count + 1
        return count - (self._phase + count * self._period > now)


def daemons(monitoring: Monitoring, sites: int, seed: int) -> list[Daemon]:
    """Return the daemon of each site; random phases come from the stream ``"monitoring"``."""
    if monitoring.phase == "zero":
        return [Daemon(monitoring, 0.0) for _ in range(sites)]
    phases: list[float] = stream(seed, "monitoring").random(sites).tolist()
    return [Daemon(monitoring, phase * monitoring.period) for phase in phases]
