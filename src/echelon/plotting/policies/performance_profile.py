"""Performance profiles: the share of experiments in which each strategy is within a factor of the best."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.plotting.canvas import COLORS, draw_steps, new_axes, simplify_axes

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes

    from echelon.analysis import PerformanceProfile

_STYLES = ("-", "--", ":", "-.")

MOST_LINES = len(COLORS) * len(_STYLES)
"""Strategies whose lines can be distinguished."""


def plot_performance_profile(
    profile: PerformanceProfile, names: Sequence[str], *, ax: Axes | None = None
) -> Axes:
    """Draw a step line a strategy: the higher and the further left, the better.

    Parameters
    ----------
    profile : PerformanceProfile
        As `echelon.analysis.performance_profile` gives it.
    names : sequence of str
        Of the strategies, in the order of its columns.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        The factor on an axis that is logarithmic where one is above 10; shares in percent. From the eighth
        strategy on colors come again, with other strokes.

    Raises
    ------
    InputError
        If there is not one name a strategy.

    Notes
    -----
    Source: Dolan and Moré, Mathematical Programming 91, 2002.
    """
    if len(names) != profile.ratios.shape[1]:
        raise InputError(
            f"needs {profile.ratios.shape[1]} names, one a strategy, got {len(names)}", field="names"
        )
    # Names stand beside the lines, which keep their room however long they are.
    ax = new_axes(ax, width=5.8 + 0.075 * max(map(len, names)))
    factors = profile.factors
    end = 1 + (factors[-1] - 1) * 1.05 if factors[-1] > 1 else 2.0
    shares = 100 * profile.share(np.append(factors, end))
    for place, name in enumerate(names):
        draw_steps(ax, np.append(factors, end), shares[:, place], place=place, name=name, styles=_STYLES)
    if end > 10:
        ax.set_xscale("log")
        ax.xaxis.set_major_formatter("{x:,g}")
    ax.set_xlim(1, end)
    ax.set_ylim(0, 103)
    ax.set_xlabel("factor of the best" + (", logarithmic axis" if end > 10 else ""))
    ax.set_ylabel("experiments within it (%)")
    ax.legend(frameon=False, fontsize="small", loc="center left", bbox_to_anchor=(1.0, 0.5))
    simplify_axes(ax)
    return ax
