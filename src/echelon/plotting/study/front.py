"""Pareto plot: choices in the plane of two measures, those on the front joined and named."""

from __future__ import annotations

import math
from itertools import chain
from typing import TYPE_CHECKING, NamedTuple

from echelon.errors import InputError
from echelon.plotting.canvas import COLORS, SEQUENTIAL, escape, new_axes, simplify_axes
from echelon.plotting.study.column import (
    DEFAULT_WIDTH,
    is_wide,
    line_height,
    number_axis,
    root_of,
    small_size,
    value_limits,
)
from echelon.plotting.study.letters import text_width, wrap_name
from echelon.plotting.study.numbers import number_marks

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.collections import PathCollection

MOST_NAMED = 40
"""Choices that have numbers and names: all if they are so few, else those on the front."""

_HEIGHT = 2.4
"""Of the axes with their labels, in inches."""


class Point(NamedTuple):
    """A choice: its values in two measures, perhaps a third one, which is its color."""

    name: str
    x: float
    y: float
    is_front: bool
    third: float = math.nan


def plot_front(
    points: Sequence[Point],
    *,
    labels: tuple[str, str],
    color_label: str = "",
    width: float | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw a mark for each choice; those that no other one beats are filled, and joined if there is no color.

    Parameters
    ----------
    points : sequence of Point
        Name, x, y, whether it is on the front, and a third value; at least one, x and y finite.
    labels : (str, str)
        Of the two axes, with their units.
    color_label : str, default ""
        Of the third values, which are then the colors; empty if there are none.
    width : float, optional
        Of a new figure, in inches. Default: 7.
    ax : matplotlib.axes.Axes, optional
        Drawn into, without a list of names. Default: those of a new figure, with the names below.

    Returns
    -------
    matplotlib.axes.Axes
        Each named choice has a number, whose name the list below tells, whole. An axis is logarithmic where
        all its values are above 0 and the largest is more than 12 times the smallest.

    Raises
    ------
    InputError
        If there is no point, or a value is not finite.
    """
    if not points or not all(math.isfinite(one.x) and math.isfinite(one.y) for one in points):
        raise InputError("needs at least one choice, and finite values of all", field="points")
    alone = ax is None
    ax = new_axes(ax, width=width or DEFAULT_WIDTH, height=_HEIGHT)
    ax.set_xlabel(_scale_axis(ax, "x", [one.x for one in points], labels[0]))
    ax.set_ylabel(_scale_axis(ax, "y", [one.y for one in points], labels[1]))
    marks = _draw(ax, points, colored=bool(color_label))
    if marks is not None:
        number_axis(root_of(ax).colorbar(marks, ax=ax, label=color_label, pad=0.02).ax.yaxis)
    simplify_axes(ax)
    number_axis(ax.xaxis)
    number_axis(ax.yaxis)
    if named := _points_to_name(points):
        if alone:
            _list_below(ax, [one.name for one in named])
        behind = [(one.x, one.y) for one in points if one not in named]
        number_marks(ax, [(one.x, one.y) for one in named], behind)
    return ax


def _scale_axis(ax: Axes, side: str, values: Sequence[float], label: str) -> str:
    """Set the scale and the limits of an axis, and return its label."""
    is_log = is_wide(values)
    limits = (min(values) / 1.3, max(values) * 1.3) if is_log else value_limits(values)
    scale = "log" if is_log else "linear"
    if side == "x":
        ax.set_xscale(scale)
        ax.set_xlim(*limits)
    else:
        ax.set_yscale(scale)
        ax.set_ylim(*limits)
    return f"{label}, log." if is_log else label


def _draw(ax: Axes, points: Sequence[Point], *, colored: bool) -> PathCollection | None:
    """Draw the marks, and return what a scale of colors is made of."""
    if colored:
        third = [one.third for one in points]
        rings = ["black" if one.is_front else "none" for one in points]
        x, y = [one.x for one in points], [one.y for one in points]
        return ax.scatter(x, y, s=16, c=third, cmap=SEQUENTIAL, edgecolors=rings, linewidths=0.8, zorder=3)
    front = sorted((one.x, one.y) for one in points if one.is_front)
    behind = [one for one in points if not one.is_front]
    ax.plot([x for x, _ in front], [y for _, y in front], "-o", color=COLORS[0], markersize=4, zorder=3)
    ax.plot([one.x for one in behind], [one.y for one in behind], "o", color="#8a949e", markersize=3.5)
    return None


def _points_to_name(points: Sequence[Point]) -> list[Point]:
    """Return the choices that have a name: all, or those on the front; none if they are too many."""
    if len(points) <= MOST_NAMED:
        return list(points)
    front = [one for one in points if one.is_front]
    return front if len(front) <= MOST_NAMED else []


def _list_below(ax: Axes, names: Sequence[str]) -> None:
    """Write the names with their numbers below the axes, in columns of equal width."""
    figure, size = root_of(ax), small_size()
    width = figure.get_figwidth() - 0.12
    shown = [f"{place}  {name}" for place, name in enumerate(names, 1)]
    widest = max(text_width(name, size) for name in shown)
    columns = max(1, min(len(names), int(width / (widest + 0.15))))
    room = width / columns - 0.1
    lines = [wrap_name(name, room, lambda line: text_width(line, size)) for name in shown]
    rows = -(-len(names) // columns)
    parts = [list(chain(*lines[first : first + rows])) for first in range(0, len(lines), rows)]
    tall = (max(map(len, parts)) + 0.7) * line_height()
    height = figure.get_figheight() + tall
    figure.set_figheight(height)
    figure.set_layout_engine("constrained", rect=(0, tall / height, 1, 1 - tall / height))
    for column, part in enumerate(parts):
        written = figure.text(
            (0.06 + column * width / columns) / figure.get_figwidth(),
            (tall - 0.3 * line_height()) / height,
            "\n".join(map(escape, part)),
            ha="left",
            va="top",
            fontsize="small",
            linespacing=1.25,
        )
        written.set_in_layout(False)
