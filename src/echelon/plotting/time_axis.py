"""Logarithmic axes of time: marked at seconds, minutes, hours and days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.quantities import TIME_UNITS

if TYPE_CHECKING:
    from matplotlib.axis import Axis


_MARKS = (1.0, 10.0, 60.0, 600.0, 3_600.0, 18_000.0, 86_400.0, 864_000.0, 8_640_000.0, 86_400_000.0)


def time_text(seconds: float) -> str:
    """Return a time in the largest unit that it fills: ``"10 min"``, ``"2.5 h"``, ``"0 s"``."""
    unit = next((unit for unit in TIME_UNITS if abs(seconds) >= unit.seconds), TIME_UNITS[-1])
    return f"{seconds / unit.seconds:.3g} {unit.sign}"


def mark_times(axis: Axis, *, low: float, high: float, both_sides: bool = False) -> None:
    """Put ticks at 1 s, 10 s, 1 min, 10 min, 1 h, 5 h, 1 d ... on a logarithmic axis in seconds.

    Parameters
    ----------
    axis : matplotlib.axis.Axis
        ``ax.xaxis`` or ``ax.yaxis``; its scale is logarithmic already.
    low, high : float
        Ticks are from `low` to `high`, in seconds.
    both_sides : bool, default False
        Also at the negative times, and at 0: for symmetric axes.
    """
    marks = [mark for mark in _MARKS if low <= mark <= high]
    ticks = [*(-mark for mark in reversed(marks)), 0.0, *marks] if both_sides else marks
    axis.set_ticks(ticks, [time_text(tick) for tick in ticks])
    axis.set_ticks([], minor=True)
