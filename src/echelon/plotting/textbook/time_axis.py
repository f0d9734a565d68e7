"""TimeAxis: how times are written below a textbook's Gantt chart: in plain seconds, or a unit that suits."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.quantities import TIME_UNITS, TimeUnit, time_unit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from echelon.plotting.textbook.chart import TextbookChart

_PLAIN_SECONDS = 100_000.0
"""Times below this are written in seconds of the log's clock."""

_STEPS = (1.0, 2.0, 5.0, 10.0)
_MOST_STEPS = 7


class TimeAxis(NamedTuple):
    """A unit, and the time that is written as 0, in seconds: not 0 where the log began long before."""

    unit: TimeUnit
    origin: float

    @classmethod
    def of(cls, chart: TextbookChart) -> TimeAxis:
        """Return the axis of a chart."""
        if abs(chart.high) < _PLAIN_SECONDS:
            return cls(TIME_UNITS[-1], 0.0)
        return cls(time_unit(chart.high - chart.low), chart.low)

    @property
    def title(self) -> str:
        """What is written beside the axis."""
        begins = f" from {self.origin:,.10g} s on" if self.origin else ""
        return f"time ({self.unit.sign}){begins}"

    def name(self, time: float) -> str:
        """Return how a time is written: to a hundredth at most."""
        text = f"{(time - self.origin) / self.unit.seconds:.2f}"
        return text.rstrip("0").rstrip(".")

    def name_times(self, times: Iterable[float]) -> list[tuple[float, str]]:
        """Return times with how they are written."""
        return [(time, self.name(time)) for time in times]

    def even_times(self, chart: TextbookChart) -> list[float]:
        """Return at most eight times in the window at even distances that are round in the unit."""
        low, high = ((time - self.origin) / self.unit.seconds for time in (chart.low, chart.high))
        power = 10.0 ** math.floor(math.log10((high - low) / _MOST_STEPS))
        step = power * next(one for one in _STEPS if (high - low) / (one * power) <= _MOST_STEPS)
        first = math.ceil(low / step)
        rounds = ((first + number) * step for number in range(_MOST_STEPS + 2))
        return [self.origin + one * self.unit.seconds for one in rounds if one <= high]
