"""Bounds of the worst case under adaptive admissibility, over its factor."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import approximation_factor, competitive_factor
from echelon.errors import UnknownNameError
from echelon.plotting.canvas import COLORS, new_axes, simplify_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from echelon.analysis import Case

_HIGHEST = 60.0
"""Where the axis of factors ends: every bound is infinite somewhere."""


def plot_bounds(
    *, online: bool = True, cases: Sequence[Case] = (1, 2), highest: float = _HIGHEST, ax: Axes | None = None
) -> Axes:
    """Draw the bound of MCT's and MLB's worst case over the factor of admissibility.

    Parameters
    ----------
    online : bool, default True
        The competitive factor, of jobs that arrive over time; False: the approximation factor, of jobs that
        are all there at the start.
    cases : sequence of {1, 2}, default both
        One case alone, or both with the larger of them, whose least value is marked.
    highest : float, default 60
        Where the axis of factors ends.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    UnknownNameError
        If a case is neither 1 nor 2, or there is none.

    Notes
    -----
    Source: Quezada Pina, CICESE 2012, figures 13 and 14 (off line), 15 and 16 (on line), one case each, and
    17 (on line, both).
    """
    if not cases or not set(cases) <= {1, 2}:
        raise UnknownNameError("case", str(tuple(cases)), ("1", "2"))
    factor = competitive_factor if online else approximation_factor
    a = np.linspace(0.002, 1.0, 500)
    ax = new_axes(ax)
    conditions = {1: "a ≤ s(f,m) / s(f0,m)", 2: "a > s(f,m) / s(f0,m)"}
    both = len(set(cases)) == 2
    for case in sorted(set(cases)):
        label = f"case {case}: {conditions[case]}"
        ax.plot(a, factor(a, case=case), "--" if both else "-", color=COLORS[case - 1], label=label)
    if both:
        ax.plot(a, factor(a), color="black", linewidth=1.8, label="the larger of both")
        least = float(factor(0.5))
        ax.plot([0.5], [least], "o", color="black")
        ax.annotate(
            f"{least:g} at a = 0.5", (0.5, least), xytext=(0, -24), textcoords="offset points", ha="center"
        )
    ax.set_xlim(0, 1)
    ax.set_ylim(0, highest)
    ax.set_xlabel("factor of admissibility a")
    ax.set_ylabel("competitive factor at most" if online else "approximation factor at most")
    ax.legend(frameon=False, fontsize="small", loc="upper center")
    simplify_axes(ax)
    return ax
