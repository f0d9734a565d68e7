"""Gantt: which processors each job held, and when."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.model.allocation import assign_processors
from echelon.plotting.canvas import COLORS, SEQUENTIAL, literal, new_axes
from echelon.plotting.job_table import JobTable
from echelon.plotting.time_axis import mark_times
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection

    from echelon.model.columns import FloatColumn
    from echelon.plotting.job_table import Run
    from echelon.quantities import TimeUnit

_WAYS = ("user", "queue", "size", "wait")
_OTHERS = "#b8bfc6"
_NAMED = len(COLORS) - 1
"""Users or queues with a color of their own: those with most processor-seconds."""


def plot_gantt(
    run: Run,
    *,
    color_by: Literal["user", "queue", "size", "wait"] = "size",
    window: tuple[float, float] | None = None,
    processors: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw every job on the processors that it held, while it held them.

    Parameters
    ----------
    run : run
        A result or table of jobs; for users or queues with that column.
    color_by : {"user", "queue", "size", "wait"}, default "size"
        What the color says. The six users or queues with most processor-seconds have a color each.
    window : pair of float, optional
        Only from one time to another, in seconds of the log. Default: the whole schedule.
    processors : int, optional
        Of the machine. Default: what the run says, else the largest job's.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Time on the log's clock to the right, processors, numbered from 0, upward. In SVG and PDF the jobs
        are dots at the file's resolution, axes and labels are not.

    Raises
    ------
    UnknownNameError
        If `color_by` is none of the four.
    InputError
        If a column is missing, the jobs ran on several sites, the window is empty, or more processors are
        held at once than the machine has.

    Notes
    -----
    The numbers are those of `echelon.model.allocation.assign_processors`: the lowest that are free.

    Cost: O(n log n) for n jobs, and some microseconds a rectangle to draw.
    """
    if color_by not in _WAYS:
        raise UnknownNameError("way to color jobs", color_by, _WAYS)
    table = JobTable.of(run)
    if "site" in table.frame.columns and table.frame["site"].n_unique() > 1:
        raise InputError("a Gantt is of one machine, these jobs ran on several sites")
    low, high = _window(table, window)
    machine = processors or table.processors
    ax = new_axes(ax, width=9.0, height=4.5)
    unit = time_unit(high - low)
    drawn = _rectangles(table, machine, (low, high), unit)
    _paint(ax, drawn, table, color_by)
    ax.add_collection(drawn, autolim=False)
    ax.set_xlim(low / unit.seconds, high / unit.seconds)
    ax.set_ylim(0, machine)
    ax.set_xlabel(f"time ({unit.sign})")
    ax.set_ylabel("processor")
    return ax


def _window(table: JobTable, window: tuple[float, float] | None) -> tuple[float, float]:
    if window is None:
        return table.span
    low, high = window
    if not low < high:
        raise InputError(f"a window must end after it begins, got {low:g} to {high:g}")
    return low, high


def _rectangles(
    table: JobTable, processors: int, window: tuple[float, float], unit: TimeUnit
) -> PolyCollection:
    """Return a rectangle for each interval of processors held in the window, its job as its value."""
    from matplotlib.collections import PolyCollection

    job, start, end = table.pieces
    allocation = assign_processors(start, end, table.size[job], processors)
    piece = np.repeat(np.arange(len(allocation)), np.diff(allocation.offsets))
    inside = (start[piece] < window[1]) & (end[piece] > window[0])
    piece = piece[inside]
    left, right = start[piece] / unit.seconds, end[piece] / unit.seconds
    bottom, top = allocation.first[inside], allocation.last[inside] + 1
    corners = np.stack((left, bottom, left, top, right, top, right, bottom), axis=-1).reshape(-1, 4, 2)
    # One array, which is much faster than a list of polygons, and not in the annotations of matplotlib.
    polygons: Any = corners
    return PolyCollection(polygons, array=job[piece], linewidths=0, rasterized=True)


def _paint(ax: Axes, drawn: PolyCollection, table: JobTable, color_by: str) -> None:
    """Give each rectangle the color of its job, and the axes a legend or a color bar."""
    job = np.asarray(drawn.get_array())
    drawn.set_array(None)
    if color_by in ("user", "queue"):
        from matplotlib.patches import Patch

        shades, legend = _shades_by_name(table, color_by)
        drawn.set_facecolor(shades[job])
        handles = [Patch(color=shade, label=name) for name, shade in legend]
        ax.legend(
            handles=handles,
            loc="lower left",
            bbox_to_anchor=(0.0, 1.0),
            ncols=len(handles),
            frameon=False,
            fontsize="small",
        )
        return
    from matplotlib.colors import LogNorm

    values = np.maximum(table.wait, 1.0) if color_by == "wait" else table.size.astype(np.float64)
    low, high = float(values.min(initial=1.0)), float(values.max(initial=1.0))
    drawn.set(array=values[job], cmap=SEQUENTIAL, norm=LogNorm(low, max(high, 2 * low)))
    bar = ax.figure.colorbar(drawn, ax=ax, label="wait" if color_by == "wait" else "processors of the job")
    if color_by == "wait":
        mark_times(bar.ax.yaxis, low=low, high=high)
    else:
        bar.ax.yaxis.set_major_formatter("{x:g}")


def _shades_by_name(table: JobTable, column: str) -> tuple[FloatColumn, list[tuple[str, str]]]:
    """Return the color of each job, and the legend: names with most processor-seconds, then the others."""
    from matplotlib.colors import to_rgba_array

    code, names = table.codes(column)
    area = np.bincount(code + 1, weights=table.run * table.size, minlength=len(names) + 1)[1:]
    first = np.argsort(-area, kind="stable")[:_NAMED]
    legend = [
        (literal(f"{column} {names[place]}"), shade) for place, shade in zip(first, COLORS, strict=False)
    ]
    palette = np.tile(to_rgba_array(_OTHERS), (len(names) + 1, 1))
    palette[first] = to_rgba_array(COLORS[: len(first)])
    others = (code < 0).any() or len(names) > len(first)
    return palette[code], [*legend, *([("others", _OTHERS)] if others else [])]
