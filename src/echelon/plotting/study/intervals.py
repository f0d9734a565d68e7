"""Interval plot: means with their confidence intervals, a row each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import InputError
from echelon.plotting.canvas import COLORS, simplify_axes
from echelon.plotting.study.column import (
    lay_out_rows,
    number_axis,
    value_limits,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

_ROW = 0.17
"""The least height of a row, in inches."""


class Estimate(NamedTuple):
    """A mean with the bounds of its interval, all in one unit; bounds are NaN where there is no interval."""

    name: str
    mean: float
    low: float = math.nan
    high: float = math.nan


def plot_intervals(
    estimates: Sequence[Estimate | tuple[str, float, float, float]],
    *,
    label: str,
    width: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a dot for each mean, and a line from the lower to the upper bound of its interval.

    Parameters
    ----------
    estimates : sequence of (str, float, float, float)
        Name, mean, lower and upper bound, from the top row down; at least one. A bound that is NaN is not
        drawn, nor is a mean.
    label : str
        Of the axis: the quantity with its unit.
    width : float, optional
        Of a new figure, in inches. Default: 7.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, high enough for the rows.

    Returns
    -------
    matplotlib.axes.Axes
        Names are whole; long ones have several lines. The axis begins at 0 if no value is negative and the
        least is below half of the largest.

    Raises
    ------
    InputError
        If there is no row.
    """
    rows = [Estimate(*one) for one in estimates]
    if not rows:
        raise InputError("needs at least one mean, got none", field="estimates")
    ax, middles, _ = lay_out_rows(ax, [one.name for one in rows], width=width, least=_ROW)
    limits = [value for one in rows for value in one[1:] if math.isfinite(value)]
    ax.set_xlim(*value_limits(limits))
    for one, middle in zip(rows, middles, strict=True):
        if math.isfinite(one.low) and math.isfinite(one.high):
            ax.plot([one.low, one.high], [middle] * 2, "|-", color=COLORS[0], markersize=5, clip_on=False)
        ax.plot([one.mean], [middle], "o", color=COLORS[0], markersize=4, clip_on=False)
    simplify_axes(ax, grid="x")
    number_axis(ax.xaxis)
    ax.set_xlabel(label)
    return ax
