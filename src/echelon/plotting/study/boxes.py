"""Boxes: the distribution of a quantity over experiments, a row each."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.plotting.canvas import COLORS, simplify_axes
from echelon.plotting.study.column import (
    is_wide,
    lay_out_rows,
    number_axis,
    value_limits,
)

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from numpy.typing import ArrayLike, NDArray

_ROW = 0.2
"""The least height of a row, in inches."""

_MOST_DOTS = 80
"""Experiments that have a dot each beside the box."""


def plot_boxes(
    names: Sequence[str],
    samples: Sequence[ArrayLike],
    *,
    label: str,
    width: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a box for each sample: quartiles and median, with lines to the extremes; few values have dots.

    Parameters
    ----------
    names : sequence of str
        Of the rows, from the top down; at least one.
    samples : sequence of array-like
        The values of each; those that are not finite are left out, and a row without any is empty.
    label : str
        Of the axis: the quantity with its unit.
    width : float, optional
        Of a new figure, in inches. Default: 7.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, high enough for the rows.

    Returns
    -------
    matplotlib.axes.Axes
        Logarithmic where all values are above 0 and the largest is more than 12 times the smallest, which the
        label says.

    Raises
    ------
    InputError
        If there is no row, or not one sample a name.
    """
    if not names or len(names) != len(samples):
        raise InputError(f"needs one sample a name, got {len(names)} and {len(samples)}", field="samples")
    arrays = [np.asarray(values, dtype=np.float64) for values in samples]
    rows = [values[np.isfinite(values)] for values in arrays]
    ax, middles, heights = lay_out_rows(ax, names, width=width, least=_ROW)
    numbers = [float(value) for values in rows for value in values]
    if is_wide(numbers):
        ax.set_xscale("log")
        ax.set_xlim(min(numbers) / 1.15, max(numbers) * 1.15)
        label = f"{label}, logarithmic axis"
    else:
        ax.set_xlim(*value_limits(numbers))
    for values, middle, height in zip(rows, middles, heights, strict=True):
        if len(values):
            _draw_box(ax, values, middle, min(height, 2 * _ROW))
    simplify_axes(ax, grid="x")
    number_axis(ax.xaxis)
    ax.set_xlabel(label)
    return ax


def _draw_box(ax: Axes, values: NDArray[np.float64], middle: float, height: float) -> None:
    least, low, half, high, most = np.quantile(values, (0, 0.25, 0.5, 0.75, 1))
    color = COLORS[0]
    ax.hlines(middle, least, most, color=color, linewidth=0.8)
    ax.barh(middle, high - low, 0.6 * height, left=low, color="#c9dff0", edgecolor=color, linewidth=0.8)
    ax.vlines(half, middle - 0.3 * height, middle + 0.3 * height, color=color, linewidth=1.6)
    if len(values) <= _MOST_DOTS:
        # Steps of the golden ratio: dots of like values do not cover each other, and stay where they are.
        shift = (np.arange(len(values)) * 0.618 % 1 - 0.5) * 0.5 * height
        ax.plot(
            values, middle + shift, "o", color="black", markersize=1.6, markeredgewidth=0, linestyle="none"
        )
