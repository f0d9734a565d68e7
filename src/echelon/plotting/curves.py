"""Curves: several values over one axis, each a line with marks."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.plotting.canvas import color, literal, new_axes, plain

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
        mark = _MARKS[place // 7 % len(_MARKS)]
        style = ("-", "--")[place // 7 % 2]
        ax.plot(x, row, style, marker=mark, markersize=4, color=color(place), label=literal(name))
    if logarithmic:
        ax.set_yscale("symlog", linthresh=1.0)
        ax.yaxis.set_major_formatter("{x:,g}")
    ax.set_xlabel(labels[0])
    ax.set_ylabel(labels[1])
    ax.legend(
        loc="upper left", bbox_to_anchor=(1.01, 1.0), borderaxespad=0.0, frameon=False, fontsize="small"
    )
    plain(ax)
    return ax
