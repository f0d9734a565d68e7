"""Differences: two schedules of the same jobs, job by job."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics import difference_edges, difference_histogram, start_differences
from echelon.plotting.canvas import COLORS, escape, new_axes, simplify_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.time_axis import mark_times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.plotting.job_table import Run


def plot_differences(
    first: Run, second: Run, *, names: tuple[str, str] = ("the first", "the second"), ax: Axes | None = None
) -> Axes:
    """Draw how many jobs start earlier under the second of two schedules, how many later, and by how much.

    Parameters
    ----------
    first, second : run
        Results or tables of the same jobs in the same order.
    names : pair of str
        What they are called in the labels.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Time on a symmetric logarithmic axis: earlier to the left; up to 1 s either way is the middle bar.
        Numbers of jobs on an axis that is linear up to 10.

    Raises
    ------
    InputError
        If the runs are not of the same jobs, or a column is missing.
    """
    one, other = JobTable.of(first), JobTable.of(second)
    if not np.array_equal(one.submit, other.submit):
        raise InputError("the two runs must have the same jobs in the same order; their submit times differ")
    differences = start_differences(one.start, other.start)
    edges = difference_edges(float(np.abs(differences.seconds).max(initial=0.0)))
    jobs = difference_histogram(differences.seconds, edges).jobs
    middle = len(jobs) // 2
    ax = new_axes(ax)
    parts = (
        (slice(0, middle), COLORS[0], f"earlier: {differences.earlier:,} jobs"),
        (slice(middle, middle + 1), "#8a949e", f"at the same time: {differences.equal:,} jobs"),
        (slice(middle + 1, len(jobs)), COLORS[1], f"later: {differences.later:,} jobs"),
    )
    for part, shade, label in parts:
        stop = part.stop + 1
        ax.stairs(jobs[part], edges[part.start : stop], fill=True, color=shade, label=label)
    ax.set_xscale("symlog", linthresh=1.0, linscale=0.4)
    ax.set_yscale("symlog", linthresh=10.0)
    ax.set_xlim(edges[0], edges[-1])
    ax.set_ylim(0, None)
    mark_times(ax.xaxis, low=10.0, high=edges[-1], both_sides=True)
    ax.tick_params(axis="x", labelrotation=45)
    ax.set_xlabel(f"start under {escape(names[1])} - start under {escape(names[0])}")
    ax.set_ylabel("jobs")
    ax.legend(frameon=False, fontsize="small")
    simplify_axes(ax, grid="y")
    return ax
