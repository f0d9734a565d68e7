"""Daemons: the load that each machine publishes, and when."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.engine.immediate.load import LoadHistory
from echelon.model.streams import stream

if TYPE_CHECKING:
    from echelon.model import Monitoring


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
    return [Daemon(monitoring, phase * monitoring.period) for phase in _draw_phases(seed, sites)]


def _draw_phases(seed: int, sites: int) -> list[float]:
    phases: list[float] = stream(seed, "monitoring").random(sites).tolist()
    return phases
