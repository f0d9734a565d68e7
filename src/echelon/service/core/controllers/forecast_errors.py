"""ForecastErrors: how far past forecasts of waits were off, and the intervals that follow from it."""

from __future__ import annotations

import math
from collections import deque

LEAST = 20
"""Errors from which on there are intervals."""
MOST = 500
"""Newest errors that count."""
SHARE = 0.8
"""The share of waits that are to fall into their intervals."""
_SHORT = 10.0
"""Seconds that are added to waits before they are divided, so that short ones do not count too much."""


class ForecastErrors:
    """The errors of the newest forecasts of one estimator: (wait + 10 s) / (forecast + 10 s).

    If the errors to come are like those that have been, in any order, a new wait falls into its interval in
    at least 80 of 100 cases: its ends are order statistics of the n errors, number 0.1 (n + 1) rounded down
    and number 0.9 (n + 1) rounded up.
    """

    def __init__(self) -> None:
        self._ratios: deque[float] = deque(maxlen=MOST)

    def note(self, forecast: float, wait: float) -> None:
        """Note that a job that was forecast to wait so long has waited so long, both in seconds."""
        if math.isfinite(forecast) and math.isfinite(wait):
            self._ratios.append((max(wait, 0.0) + _SHORT) / (forecast + _SHORT))

    def interval(self, forecast: float) -> tuple[float, float] | None:
        """Return both ends of the interval of a wait that is forecast, in seconds; None with too few errors.

        Cost: O(n log n) for n errors.
        """
        count = len(self._ratios)
        if count < LEAST or not math.isfinite(forecast):
            return None
        ratios, tail = sorted(self._ratios), (1 - SHARE) / 2
        low = max(math.floor(tail * (count + 1)), 1)
        high = min(math.ceil((1 - tail) * (count + 1)), count)
        ends = (ratios[place - 1] * (forecast + _SHORT) - _SHORT for place in (low, high))
        earliest, latest = (max(end, 0.0) for end in ends)
        return earliest, latest
