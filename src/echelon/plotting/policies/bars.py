"""Bars: one quantity of several policies, side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics import metric_named
from echelon.metrics.registry.labels import geometric_middle
from echelon.plotting.canvas import color, escape, label_of_site, new_axes, simplify_axes
from echelon.quantities import figure, time_unit

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from matplotlib.axes import Axes
    from numpy.typing import NDArray

_APART = 50.0
"""Ratio of the largest to the smallest value from which on the axis is logarithmic."""

_MOST_BESIDE = 4
"""Families in a line of the legend."""

_FILLED = 0.8
"""Share of a policy's room that its bars take."""


def plot_bars(
    bars: Mapping[str, Mapping[str, float]],
    *,
    label: str,
    intervals: Mapping[str, Mapping[str, tuple[float, float]]] | None = None,
    shown: Callable[[float], str] = figure,
    logarithmic: bool | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a horizontal bar for each value, its number at its end.

    Parameters
    ----------
    bars : mapping of str to mapping of str to float
        Family (a color, in the legend if there are several), then name (a row), then value, >= 0. Every
        family has the same names. ``{"": values}`` is one family without a name.
    label : str
        Of the axis: the quantity with its unit.
    intervals : mapping of str to mapping of str to (float, float), optional
        Ends of an interval around each value, of the same families and names, drawn as a line. Default: none.
    shown : callable, default `echelon.quantities.figure`
        Returns the number at the end of a bar as text.
    logarithmic : bool, optional
        Whether the axis is logarithmic. Default: where the largest value is more than 50 times the smallest.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, high enough for the rows.

    Returns
    -------
    matplotlib.axes.Axes
        The axis begins at 0, unless it is logarithmic, which its label says: a bar's length then says
        nothing, its end does.

    Raises
    ------
    InputError
        If there is no value, the families' names differ, or a value is negative or not finite.
    """
    names = _check_bars(bars)
    ax = new_axes(ax, height=1.2 + 0.28 * len(names) * len(bars))
    values = np.array([[family[name] for name in names] for family in bars.values()])
    height = _FILLED / len(bars)
    places = np.arange(len(names)) - _FILLED / 2 + height / 2
    is_wide = values.min() > 0 and values.max() > _APART * values.min()
    if is_wide if logarithmic is None else logarithmic:
        ax.set_xscale("log")
        ax.set_xlim(values.min() / 3, values.max() * 6)
        ax.xaxis.set_major_formatter("{x:,g}")
        label = f"{label}, logarithmic axis"
    else:
        ends = [end for row in (intervals or {}).values() for _, end in row.values()]
        ax.set_xlim(0, (max(values.max(), *ends) if ends else values.max() or 1.0) * 1.18)
    for place, (family, row) in enumerate(zip(bars, values, strict=True)):
        reach = None if intervals is None else _reach(row, [intervals[family][name] for name in names])
        patches = ax.barh(
            places + place * height,
            row,
            height * 0.92,
            xerr=reach,
            error_kw={"elinewidth": 0.8, "capsize": 1.5},
            color=color(place),
            label=escape(family),
        )
        # Beyond the interval, where there is one.
        ax.bar_label(patches, [shown(value) for value in row], padding=3, fontsize="small")
    ax.set_yticks(np.arange(len(names)), [label_of_site(name) for name in names])
    ax.set_ylim(len(names) - 0.5, -0.5)
    ax.set_xlabel(label)
    simplify_axes(ax, grid="x")
    if len(bars) > 1:
        ax.legend(
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            borderaxespad=0.2,
            ncols=min(len(bars), _MOST_BESIDE),
            frameon=False,
        )
    return ax


def _reach(values: NDArray[np.float64], ends: Sequence[tuple[float, float]]) -> NDArray[np.float64]:
    """Return how far each interval goes below and above its value, shape (2, n)."""
    low, high = np.array(ends, dtype=np.float64).T
    return np.asarray(np.abs(np.vstack((values - low, high - values))), dtype=np.float64)


def _check_bars(bars: Mapping[str, Mapping[str, float]]) -> Sequence[str]:
    names = list(next(iter(bars.values()), {}))
    if not names:
        raise InputError("bars need at least one value, got none")
    for family, values in bars.items():
        if list(values) != names:
            raise InputError(
                f"all families need the same names, got {list(values)} in {family!r} and {names}"
            )
        for name, value in values.items():
            if not (np.isfinite(value) and value >= 0):
                raise InputError(f"must be a number >= 0, got {value}", field=f"bar {name}")
    return names


def plot_metric(values: Mapping[str, float], name: str, *, ax: Axes | None = None) -> Axes:
    """Draw one metric of several runs as bars, with its unit.

    Parameters
    ----------
    values : mapping of str to float
        The metric by the run's name: ``{result.policy: result.metrics[name] ...}``; at least one.
    name : str
        Of the metric, as in ``metrics.json``; times are in seconds.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        As `plot_bars` gives them; times in the unit that suits most.

    Raises
    ------
    UnknownNameError
        If there is no such metric.
    InputError
        If there is no value, or one is negative or not finite.
    """
    metric = metric_named(name)
    label = name.replace("_", " ")
    if metric.unit == "s":
        unit = time_unit(geometric_middle([value for value in values.values() if value > 0]))
        values = {run: value / unit.seconds for run, value in values.items()}
        label += f" ({unit.sign})"
    elif metric.unit not in ("", "1"):
        label += f" ({metric.unit})"
    return plot_bars({"": values}, label=label, ax=ax)
