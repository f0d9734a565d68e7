"""Degradation of strategies by metric, in percent of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.plotting.canvas import COLORS, color, escape, legend_above, new_axes, simplify_axes

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.analysis import DegradationTable
    from echelon.analysis.values import FloatArray
    from echelon.model.jobs.columns import IntColumn

_LINEAR = 100.0
"""Percent up to which the axis is linear, if the largest value is far above."""

_FILLED = 0.82
"""Share of a strategy's room that its bars take."""


def plot_degradation(table: DegradationTable, scenario: str | None = None, *, ax: Axes | None = None) -> Axes:
    """Draw a bar for each strategy and metric, and a mark at the mean of the metrics; the best at the top.

    Parameters
    ----------
    table : DegradationTable
        Its percentages must be finite.
    scenario : str, optional
        Which; default: the mean over all.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, high enough for the rows.

    Returns
    -------
    matplotlib.axes.Axes
        In percent. Where the largest is above 500, the axis is linear up to 100 and logarithmic beyond, which
        its label says. Rows by mean over the metrics, each with its rank; ties in the table's order.

    Raises
    ------
    UnknownNameError
        If there is no such scenario.
    InputError
        If a percentage is not finite.
    """
    if scenario is not None and scenario not in table.scenarios:
        raise UnknownNameError("scenario", scenario, table.scenarios)
    percent = table.percent.mean(axis=0)
    if scenario is not None:
        percent = table.percent[table.scenarios.index(scenario)]
    if not np.isfinite(percent).all():
        raise InputError("must be finite to be drawn; some strategy is infinitely worse", field="percent")
    means = percent.mean(axis=0)
    order = np.argsort(means, kind="stable")
    bar = 0.13 if len(percent) <= 4 else 0.09
    ax = new_axes(ax, height=1.2 + len(order) * (0.16 + bar * len(percent)))
    rows = np.arange(len(order))
    height = _FILLED / len(percent)
    for place, (metric, row) in enumerate(zip(table.metrics, percent[:, order], strict=True)):
        middle = rows - _FILLED / 2 + height * (place + 0.5)
        # From the eighth metric on colors come again, hatched.
        hatch = ("", "////", "....")[place // len(COLORS) % 3]
        shade, name = color(place), escape(metric)
        ax.barh(
            middle, row, height * 0.9, color=shade, label=name, hatch=hatch, edgecolor="white", linewidth=0
        )
    ax.plot(means[order], rows, "D", color="black", markersize=4, label="mean", linestyle="none")
    _scale(ax, float(percent.max()))
    labels = [f"{escape(table.strategies[place])}  {rank}" for rank, place in _rank_strategies(means, order)]
    ax.set_yticks(rows, labels)
    ax.set_ylim(len(order) - 0.5, -0.5)
    legend_above(ax, columns=6)
    simplify_axes(ax, grid="x")
    return ax


def _rank_strategies(means: FloatArray, order: IntColumn) -> list[tuple[int, int]]:
    """Return rank, the first of tied ones, and place of each strategy, the best first."""
    ordered = means[order]
    return [
        (int(np.searchsorted(ordered, mean)) + 1, int(place))
        for mean, place in zip(ordered, order, strict=True)
    ]


def _scale(ax: Axes, largest: float) -> None:
    label = "degradation (%)"
    if largest > 5 * _LINEAR:
        ax.set_xscale("symlog", linthresh=_LINEAR, linscale=1.0)
        ax.xaxis.set_major_formatter("{x:,g}")
        label += f", linear up to {_LINEAR:g}, then logarithmic"
    ax.set_xlim(0, (largest or 1.0) * (1.5 if largest > 5 * _LINEAR else 1.05))
    ax.set_xlabel(label)
