"""Classes: how narrow and wide, short and long jobs fared, as a heat map."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from echelon.errors import UnknownNameError
from echelon.metrics import class_grid
from echelon.plotting.canvas import SEQUENTIAL, ink_on, new_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.time_axis import time_text
from echelon.quantities import tally

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from numpy.typing import NDArray

    from echelon.plotting.job_table import Run

_LABELS = {"wait": "wait", "bounded-slowdown": "bounded slowdown"}


def plot_classes(
    run: Run,
    *,
    quantity: Literal["wait", "bounded-slowdown"] = "wait",
    statistic: Literal["mean", "median"] = "mean",
    ax: Axes | None = None,
) -> Axes:
    """Draw the mean or median of each class of size and run time, with its number of jobs.

    Parameters
    ----------
    run : run
        A result or table of jobs.
    quantity : {"wait", "bounded-slowdown"}, default "wait"
        Waiting time, or bounded slowdown with tau = 10 s.
    statistic : {"mean", "median"}, default "mean"
        What stands for a class.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Sizes upward, run times to the right; classes without a job are blank. Colors are logarithmic from
        the smallest value above 0.

    Raises
    ------
    UnknownNameError
        If there is no such quantity or statistic.
    InputError
        If a column is missing.
    """
    if quantity not in _LABELS:
        raise UnknownNameError("quantity", quantity, _LABELS)
    if statistic not in ("mean", "median"):
        raise UnknownNameError("statistic", statistic, ("mean", "median"))
    table = JobTable.of(run)
    values = table.wait if quantity == "wait" else table.bounded_slowdown
    grid = class_grid(values, table.run, table.size, statistic=statistic)
    ax = new_axes(ax, width=6.4)
    shades = _shades(grid.value)
    colors = ax.imshow(shades, origin="lower", aspect="auto", cmap=SEQUENTIAL, vmin=0.0, vmax=1.0).cmap
    for (row, column), value in np.ndenumerate(grid.value):
        if grid.jobs[row, column]:
            text = time_text(value) if quantity == "wait" else f"{value:.3g}"
            ink = ink_on(tuple(colors(float(shades[row, column]))))
            label = f"{text}\n{tally(int(grid.jobs[row, column]), 'job')}"
            ax.text(column, row, label, ha="center", va="center", color=ink, fontsize="small")
    ax.set_xticks(range(len(grid.lengths)), grid.lengths)
    ax.set_yticks(range(len(grid.sizes)), grid.sizes)
    ax.set_xlabel("run time")
    ax.set_ylabel("processors")
    ax.set_title(f"{statistic} {_LABELS[quantity]}", loc="left", fontsize="medium")
    ax.spines[:].set_visible(False)
    ax.tick_params(length=0)
    return ax


def _shades(values: NDArray[np.float64]) -> NDArray[np.float64]:
    """Return a shade from 0 to 1 by the logarithm of each value; 0 for values of 0, nan for none."""
    shown = values[values > 0]
    low, high = (float(shown.min()), float(shown.max())) if len(shown) else (1.0, 1.0)
    span = np.log(high / low) or 1.0
    logs = np.log(np.maximum(np.nan_to_num(values, nan=low), low) / low) / span
    return np.where(np.isnan(values), np.nan, logs)
