"""Critical-difference diagram: mean ranks on one line, and groups without a significant difference."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.plotting.canvas import COLORS, escape, new_figure
from echelon.plotting.study.column import line_height, small_size
from echelon.plotting.study.letters import text_width, wrap_name

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from echelon.analysis import Friedman

_LINE = 3.6
"""Length of the line of ranks, in inches, if the figure may be as wide as the names ask for."""

_LEAST = 0.3
"""Share of a given width that the line of ranks keeps at least."""

_EDGE = 0.12
"""Between a name and the line of ranks, and between a name and the figure's edge, in inches."""

_BAR = 0.075
"""Distance of two bars of cliques, in inches."""

_GAP = 0.35
"""Between two names, in lines."""


@dataclass(frozen=True, slots=True)
class _Row:
    """A name beside the diagram: its lines with the rank, which side it is on, its height in inches."""

    lines: tuple[str, ...]
    rank: float
    height: float
    is_left: bool


def plot_critical_difference(
    found: Friedman, names: Sequence[str], *, width: float | None = None, ax: Axes | None = None
) -> Axes:
    """Draw mean ranks on a line, the best at the left; a bar joins those that do not differ significantly.

    Parameters
    ----------
    found : Friedman
        As `echelon.analysis.friedman_test` gives it.
    names : sequence of str
        Of the strategies, in the order of its columns.
    width : float, optional
        Of a new figure, in inches; names that are too long for it have several lines. Default: as wide as
        the names ask for.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, high enough for the names.

    Returns
    -------
    matplotlib.axes.Axes
        With the critical difference as a ruler above the line; one that is longer than the line of ranks
        ends with it, and the text says so. All names are whole, inside the figure, and none covers another.

    Raises
    ------
    InputError
        If there is not one name a strategy.

    Notes
    -----
    Source: Demšar, JMLR 7, 2006, figure 1.
    """
    ranks = found.mean_ranks
    if len(names) != len(ranks):
        raise InputError(f"needs {len(ranks)} names, one a strategy, got {len(names)}", field="names")
    inches = width if ax is None else float(ax.bbox.width / ax.figure.dpi)
    size = small_size()
    ends = [text_width(f"{name}  {rank:.2f}", size) for name, rank in zip(names, ranks, strict=True)]
    beside = max(ends)
    if inches is not None:
        beside = min(beside, (inches * (1 - _LEAST) - 4 * _EDGE) / 2)
    whole = inches or _LINE + 2 * beside + 4 * _EDGE
    rows, above, height = _place_names(found, names, beside)
    if ax is None:
        figure = new_figure(whole, height)
        # Every place is worked out here, in inches.
        figure.set_layout_engine("none")
        ax = figure.add_axes((0.0, 0.0, 1.0, 1.0))
    ax.set_axis_off()
    ax.set_ylim(height, 0)
    line = whole - 2 * beside - 4 * _EDGE
    _draw_scale(ax, len(ranks), line, whole, above)
    _draw_ruler(ax, found, len(ranks))
    _draw_cliques(ax, found, above)
    for row in rows:
        _draw_name(ax, row, len(ranks), above, line)
    return ax


def _place_names(test: Friedman, names: Sequence[str], beside: float) -> tuple[list[_Row], float, float]:
    """Return the names with their heights, the height of the line of ranks, and that of the figure."""
    ranks, size, one = test.mean_ranks, small_size(), line_height()
    half = (len(ranks) + 1) // 2
    above = 4.2 * one
    first = above + 0.1 + _BAR * len(test.cliques) + 0.5 * one
    heights = {True: first, False: first}
    rows = []
    order = np.argsort(ranks, kind="stable").tolist()
    # The worst is at the top of the right side, so that no line crosses another.
    for strategy, is_left in [
        *((place, True) for place in order[:half]),
        *((place, False) for place in order[: half - 1 : -1]),
    ]:
        label = f"{names[strategy]}  {ranks[strategy]:.2f}"
        lines = wrap_name(label, beside, lambda line: text_width(line, size))
        tall = (len(lines) + _GAP) * one
        rows.append(_Row(tuple(lines), float(ranks[strategy]), heights[is_left] + tall / 2, is_left))
        heights[is_left] += tall
    return rows, above, max(heights.values()) + 0.3 * one


def _draw_scale(ax: Axes, strategies: int, line: float, whole: float, above: float) -> None:
    """Draw the line of ranks in the middle of the width, with numbers as close as they have room."""
    inches = line / (strategies - 1)
    room = (whole - line) / 2 / inches
    ax.set_xlim(1 - room, strategies + room)
    ax.hlines(above, 1, strategies, color="black", linewidth=1)
    ax.vlines(range(1, strategies + 1), above, above - 0.05, color="black", linewidth=0.8)
    widest = text_width(f"{strategies}", small_size()) + 0.06
    for place in range(1, strategies + 1, max(1, math.ceil(widest / inches))):
        ax.text(place, above - 0.07, str(place), ha="center", va="bottom", fontsize="small")


def _draw_ruler(ax: Axes, test: Friedman, strategies: int) -> None:
    """Draw how long the critical difference is, as far as the line of ranks goes."""
    one = line_height()
    height, end = 1.9 * one, 1 + test.critical_difference
    label = f"critical difference {test.critical_difference:.2f} at α = {test.alpha:g}"
    if end > strategies:
        end, label = float(strategies), f"{label}, beyond the scale"
        ax.vlines(1.0, height - 0.04, height + 0.04, color="black", linewidth=1)
    else:
        ax.vlines((1.0, end), height - 0.04, height + 0.04, color="black", linewidth=1)
    ax.hlines(height, 1.0, end, color="black", linewidth=1)
    low, high = ax.get_xlim()
    text = ax.text((low + high) / 2, 0.3 * one, label, ha="center", va="top", fontsize="small")
    text.set_in_layout(False)


def _draw_cliques(ax: Axes, test: Friedman, above: float) -> None:
    ranks = test.mean_ranks
    over = 0.02 * (len(ranks) - 1)
    for place, clique in enumerate(test.cliques):
        ends = ranks[[clique[0], clique[-1]]] + (-over, over)
        height = above + 0.1 + place * _BAR
        ax.plot(ends, [height] * 2, color=COLORS[1], linewidth=3, solid_capstyle="butt")


def _draw_name(ax: Axes, row: _Row, strategies: int, above: float, line: float) -> None:
    """Join a place on the line with a name beside the diagram."""
    gap = _EDGE / line * (strategies - 1)
    edge = 1 - gap if row.is_left else strategies + gap
    leader = [[row.rank, row.rank, edge], [above, row.height, row.height]]
    ax.plot(*leader, color="#5b6670", linewidth=0.7)
    text = ax.text(
        edge + (-gap if row.is_left else gap) / 2,
        row.height,
        "\n".join(map(escape, row.lines)),
        ha="right" if row.is_left else "left",
        va="center",
        fontsize="small",
        linespacing=1.2,
    )
    # The layout would take the names' room from the line; it has been left for them already.
    text.set_in_layout(False)
