"""Distributions: the share of jobs that wait, or are slowed down, more than so much."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Literal

from echelon.errors import InputError, UnknownNameError
from echelon.metrics import log_axis, share_above
from echelon.plotting.canvas import draw_steps, new_axes, simplify_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.time_axis import mark_times

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.plotting.job_table import Run

_LABELS = {"wait": "wait", "bounded-slowdown": "bounded slowdown"}


def plot_distribution(
    runs: Run | Mapping[str, Run],
    *,
    quantity: Literal["wait", "bounded-slowdown"] = "wait",
    ax: Axes | None = None,
) -> Axes:
    """Draw the share of jobs above each value on a logarithmic axis, a line a run.

    Parameters
    ----------
    runs : run or mapping of str to run
        A result or table of jobs, or several by name.
    quantity : {"wait", "bounded-slowdown"}, default "wait"
        Waiting time, or bounded slowdown with tau = 10 s.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Jobs at or below the left end, such as those that do not wait, are what the line lacks to 100 % there.

    Raises
    ------
    UnknownNameError
        If there is no such quantity.
    InputError
        If there is no run, or a column is missing.
    """
    if quantity not in _LABELS:
        raise UnknownNameError("quantity", quantity, _LABELS)
    tables = _tables(runs)
    values = {
        name: table.wait if quantity == "wait" else table.bounded_slowdown for name, table in tables.items()
    }
    axis = log_axis(values.values())
    ax = new_axes(ax)
    for place, (name, column) in enumerate(values.items()):
        draw_steps(ax, axis, 100 * share_above(column, axis), place=place, name=name)
    ax.set_xscale("log")
    ax.set_xlim(axis[0], axis[-1])
    ax.set_ylim(0, 100)
    ax.set_ylabel("jobs above (%)")
    ax.set_xlabel(_LABELS[quantity])
    if quantity == "wait":
        mark_times(ax.xaxis, low=axis[0], high=axis[-1])
    simplify_axes(ax)
    if any(values):
        # Beside the axes: lines may pass anywhere within.
        ax.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), frameon=False, fontsize="small")
    return ax


def _tables(runs: Run | Mapping[str, Run]) -> dict[str, JobTable]:
    if not isinstance(runs, Mapping):
        return {"": JobTable.of(runs)}
    if not runs:
        raise InputError("a distribution needs at least one run, got none")
    return {name: JobTable.of(run) for name, run in runs.items()}
