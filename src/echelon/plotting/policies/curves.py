"""Curves: several values over one axis, each a line with marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.plotting.canvas import color, escape, new_axes, simplify_axes

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes

_MARKS = ("o", "s", "^", "D", "v")


def plot_curves(
    x: Sequence[float],
    lines: Mapping[str, Sequence[float]],
    *,
    labels: tuple[str, str],
    logarithmic: bool = False,
    bands: Mapping[str, tuple[Sequence[float], Sequence[float]]] | None = None,
    joined: bool = True,
    bridged: bool = False,
    ax: Axes | None = None,
) -> Axes:
    """Draw a line with marks for each of several values over the same axis.

    Parameters
    ----------
    x : sequence of float
        Ascending.
    lines : mapping of str to sequence of float
        Name, then a value for each of `x`; one that is not finite is left out.
    labels : tuple of str
        Of the axis of `x` and that of values, with their units.
    logarithmic : bool, default False
        The axis of values is logarithmic above 1 and linear below, so that 0 has a place.
    bands : mapping of str to (sequence of float, sequence of float), optional
        By name of a line the bounds of an interval for each of `x`, drawn as a pale band, or as an upright
        line where only one point of the line has any. Default: none.
    joined : bool, default True
        Whether points are joined by lines.
    bridged : bool, default False
        Whether a line joins the values before and after those that are left out.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    InputError
        If there is no line, or one has not as many values as `x`.
    """
    if not lines:
        raise InputError("curves need at least one line, got none")
    ax = new_axes(ax, height=4.6)
    for place, (name, values) in enumerate(lines.items()):
        if len(values) != len(x):
            raise InputError(f"must have {len(x)} values, got {len(values)}", field=f"line {name}")
        row = np.where(np.isfinite(values), values, np.nan)
        kept = np.isfinite(row) | (not bridged)
        mark = _MARKS[place // 7 % len(_MARKS)]
        style = ("-", "--")[place // 7 % 2] if joined else "none"
        ax.plot(
            np.asarray(x)[kept],
            row[kept],
            linestyle=style,
            marker=mark,
            markersize=4,
            color=color(place),
            label=escape(name),
        )
        if bands is not None and name in bands:
            _draw_band(ax, x, *bands[name], shade=color(place), alpha=min(0.15, 0.5 / len(lines)))
    if logarithmic:
        ax.set_yscale("symlog", linthresh=1.0)
        ax.yaxis.set_major_formatter("{x:,g}")
    ax.set_xlabel(labels[0])
    ax.set_ylabel(labels[1])
    ax.legend(
        loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, frameon=False, fontsize="small"
    )
    simplify_axes(ax)
    return ax


def _draw_band(
    ax: Axes, x: Sequence[float], low: Sequence[float], high: Sequence[float], *, shade: str, alpha: float
) -> None:
    """Draw the intervals of one line, where there are any."""
    table = np.array((x, low, high), dtype=np.float64)
    points = table[:, np.isfinite(table).all(axis=0)]
    if points.shape[1] > 1:
        ax.fill_between(*points, color=shade, alpha=alpha, linewidth=0)
    else:
        ax.vlines(*points, color=shade, linewidth=1)
