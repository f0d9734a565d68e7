"""Fairness: what each user computed and how long the user's jobs waited."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import jain_index, user_means
from echelon.plotting.canvas import COLORS, escape, new_axes, simplify_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.time_axis import mark_times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.plotting.job_table import Run

_NAMED = 3
"""Users with most processor-seconds, whose names are written beside them."""

_SHORTEST = 1.0
"""Seconds; shorter mean waits, 0 among them, are drawn there."""


def plot_fairness(run: Run, *, ax: Axes | None = None) -> Axes:
    """Draw each user by share of the machine and mean wait; the area of a point is the user's jobs.

    Parameters
    ----------
    run : run
        A result or table of jobs with the column ``user``.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Both axes logarithmic; mean waits below 1 s are drawn at 1 s. The title gives Jain's index of the
        users' mean waits: 1 if all wait alike, 1/users if only one waits.

    Raises
    ------
    InputError
        If a column is missing.
    """
    table = JobTable.of(run)
    code, names = table.codes("user")
    means = user_means(code, table.wait, table.bounded_slowdown, area=table.area)
    ax = new_axes(ax)
    wait = np.maximum(means.mean_wait, _SHORTEST)
    share = 100 * means.area_share
    sizes = 12 + 400 * means.jobs / max(1, int(means.jobs.max(initial=1)))
    ax.scatter(share, wait, s=sizes, color=COLORS[0], alpha=0.55, linewidths=0)
    for user in np.argsort(-share, kind="stable")[:_NAMED]:
        ax.annotate(
            escape(names[means.code[user]]),
            (share[user], wait[user]),
            xytext=(7, 0),
            textcoords="offset points",
            va="center",
            fontsize="small",
        )
    ax.set_xscale("log")
    ax.set_yscale("log")
    high = float(wait.max(initial=10 * _SHORTEST))
    ax.set_ylim(_SHORTEST / 1.5, high * 2)
    mark_times(ax.yaxis, low=_SHORTEST / 1.5, high=high * 2)
    ax.set_xlabel("share of all processor-seconds (%)")
    ax.set_ylabel("mean wait")
    index = f"; Jain's index of their mean waits {jain_index(means.mean_wait):.3f}" if len(wait) else ""
    ax.set_title(f"{len(wait):,} users{index}", loc="left", fontsize="medium")
    simplify_axes(ax)
    return ax
