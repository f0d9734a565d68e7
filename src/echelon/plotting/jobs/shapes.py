"""Shapes: run time and size of all jobs, as the archive's scatter of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics import cells
from echelon.plotting.canvas import SEQUENTIAL, new_axes, simplify_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.time_axis import mark_times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.plotting.job_table import Run


def plot_shapes(run: Run, *, ax: Axes | None = None) -> Axes:
    """Draw where jobs are in the plane of run time and size; the color says how many are at a place.

    Parameters
    ----------
    run : run
        A result or table of jobs.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Both axes logarithmic. Every job counts, once: see `echelon.metrics.cells`; only jobs of 0 s have no
        place.

    Raises
    ------
    InputError
        If a column is missing.
    """
    table = JobTable.of(run)
    visible = table.run > 0
    bins = cells(table.run[visible], table.size[visible])
    ax = new_axes(ax)
    from matplotlib.colors import LogNorm

    # A norm of one value has no extent.
    norm = LogNorm(vmin=1, vmax=max(2, int(bins.jobs.max(initial=1))))
    order = np.argsort(bins.jobs, kind="stable")
    low, high = (float(bins.x.min()), float(bins.x.max())) if len(bins.x) else (1.0, 10.0)
    # Before the points: without any, matplotlib could not tell the range of a logarithmic axis.
    ax.set_xlim(low / 1.5, high * 1.5)
    ax.set_ylim(0.8, 1.25 * float(bins.y.max(initial=1.0)))
    points = ax.scatter(
        bins.x[order],
        bins.y[order],
        c=bins.jobs[order],
        s=14,
        marker="s",
        linewidths=0,
        cmap=SEQUENTIAL,
        norm=norm,
    )
    ax.figure.colorbar(points, ax=ax, label="jobs")
    ax.set_xscale("log")
    ax.set_yscale("log", base=2)
    ax.yaxis.set_major_formatter("{x:g}")
    mark_times(ax.xaxis, low=low / 1.5, high=high * 1.5)
    ax.set_xlabel("run time")
    ax.set_ylabel("processors")
    simplify_axes(ax)
    return ax
