"""Rates: how many jobs a second have recently entered a cluster's queue, or left it for nodes."""

from __future__ import annotations

import math

LATELY = 10
"""Events over which rates are averaged, exponentially: the newest interval weighs 2 / (10 + 1)."""


class Rate:
    """An exponential moving average of the intervals between events, as a rate.

    Notes
    -----
    **Source**: M-CISNE thesis, section 4.5.1, updates rates at each event; the average is our choice.
    """

    def __init__(self) -> None:
        self._last = math.nan
        self._interval = math.nan

    def note(self, now: float) -> None:
        """Count an event at `now`, in seconds."""
        interval, self._last = now - self._last, now
        if math.isnan(interval):
            return
        weight = 1.0 if math.isnan(self._interval) else 2.0 / (LATELY + 1)
        before = 0.0 if weight == 1.0 else self._interval
        self._interval = weight * interval + (1.0 - weight) * before

    @property
    def value(self) -> float:
        """Events a second; nan before there were two, infinity if all came at once."""
        return math.inf if self._interval == 0 else 1.0 / self._interval
