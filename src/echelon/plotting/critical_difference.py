"""Critical-difference diagram: mean ranks on one line, and groups without a significant difference."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.plotting.canvas import COLORS, literal, new_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from echelon.analysis import Friedman

_ROW = 1.0
"""Height of a name's row, in data units."""

_BAR = 0.45
"""Distance of two bars of cliques."""

_LINE = 3.6
"""Length of the line of ranks, in inches."""

_LETTER = 0.085
"""Room for a letter of a name, in inches."""


def plot_critical_difference(found: Friedman, names: Sequence[str], *, ax: Axes | None = None) -> Axes:
    """Draw mean ranks on a line, the best at the left; a bar joins those that do not differ significantly.

    Parameters
    ----------
    found : Friedman
        As `echelon.analysis.friedman_test` gives it.
    names : sequence of str
        Of the strategies, in the order of its columns.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, high enough for the names.

    Returns
    -------
    matplotlib.axes.Axes
        With the critical difference as a ruler above the line.

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
    half = (len(ranks) + 1) // 2
    depth = 0.5 + _BAR * len(found.cliques)
    beside = _LETTER * (8 + max(map(len, names)))
    ax = new_axes(ax, width=_LINE + 2 * beside, height=1.1 + 0.27 * (half + depth))
    _draw_axis(ax, len(ranks), beside=beside)
    _draw_ruler(ax, found)
    for place, clique in enumerate(found.cliques):
        ends = ranks[[clique[0], clique[-1]]] + (-0.04, 0.04)
        ax.plot(ends, [-0.5 - place * _BAR] * 2, color=COLORS[1], linewidth=4, solid_capstyle="round")
    for place, strategy in enumerate(np.argsort(ranks, kind="stable").tolist()):
        left = place < half
        row = place if left else len(ranks) - 1 - place
        label = f"{literal(names[strategy])}  {ranks[strategy]:.2f}"
        _draw_name(ax, label, rank=ranks[strategy], height=-depth - _ROW * row, left=left)
    ax.set_ylim(-depth - _ROW * (half - 0.4), 2.4)
    return ax


def _draw_axis(ax: Axes, strategies: int, *, beside: float) -> None:
    """Draw the line of ranks, with so many inches for names at either side, and hide matplotlib's axes."""
    places = range(1, strategies + 1)
    ax.set_axis_off()
    width = ax.bbox.width / ax.figure.dpi
    line = max(width - 2 * beside, width / 4)
    room = (width - line) / 2 / line * (strategies - 1)
    ax.set_xlim(1 - room, strategies + room)
    ax.hlines(0, 1, strategies, color="black", linewidth=1)
    ax.vlines(places, 0, 0.2, color="black", linewidth=1)
    for place in places:
        ax.text(place, 0.3, str(place), ha="center", va="bottom", fontsize="small")


def _draw_ruler(ax: Axes, found: Friedman) -> None:
    """Draw how long the critical difference is."""
    ends = (1.0, 1 + found.critical_difference)
    ax.hlines(1.5, *ends, color="black", linewidth=1.2)
    ax.vlines(ends, 1.4, 1.6, color="black", linewidth=1.2)
    said = f"critical difference {found.critical_difference:.2f} at α = {found.alpha:g}"
    ax.text(1.0, 1.75, said, ha="left", va="bottom", fontsize="small")


def _draw_name(ax: Axes, label: str, *, rank: float, height: float, left: bool) -> None:
    """Join a place on the line with a name beside the diagram."""
    low, high = ax.get_xlim()
    gap = 0.012 * (high - low)
    first, last = 1 - 2 * gap, low + high - 1 + 2 * gap
    edge = first if left else last
    ax.plot([rank, rank, edge], [0, height, height], color="#5b6670", linewidth=0.8)
    side = "right" if left else "left"
    text = ax.text(edge - gap if left else edge + gap, height, label, ha=side, va="center")
    # The layout would take the names' room from the line; it has been left for them already.
    text.set_in_layout(False)
