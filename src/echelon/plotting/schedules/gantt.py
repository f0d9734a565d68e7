"""Gantt: which processors each job held, and when."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Literal, TypeAlias

import numpy as np

from echelon.errors import UnknownNameError
from echelon.metrics.columns.shared_machines import rows_of
from echelon.model.schedules.allocation import assign_at_sites, assign_processors, first_processors
from echelon.model.schedules.features import Feature
from echelon.plotting.canvas import (
    COLORS,
    SEQUENTIAL,
    box_corners,
    escape,
    label_of_site,
    legend_above,
    mark_whole_numbers,
    new_axes,
)
from echelon.plotting.job_table import JobTable
from echelon.plotting.schedules.closed_bands import draw_bands
from echelon.plotting.time_axis import mark_times
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.collections import PolyCollection

    from echelon.model import Platform
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.schedules.allocation import Allocation
    from echelon.model.schedules.number_sets import NumberSets
    from echelon.plotting.job_table import Run
    from echelon.quantities import TimeUnit

Pieces: TypeAlias = "tuple[IntColumn, FloatColumn, FloatColumn]"
"""Job, start and end of each time that a job held processors."""

_WAYS = ("user", "queue", "home-site", "size", "wait")
_NAMES = ("user", "queue", "home-site")
_LEADS = {"home_site": "from"}
_LOWEST_NAMED = 0.032
"""Share of the height that a site needs for its name."""

_LOWEST_PARTED = 0.008
"""And for a line below it."""

_MOST_TICKS = 8
"""Beside the colors of sizes."""

_OTHERS = "#b8bfc6"
_NAMED = len(COLORS) - 1
"""Users or queues with a color of their own: those with most processor-seconds."""


def plot_gantt(
    run: Run,
    *,
    color_by: Literal["user", "queue", "home-site", "size", "wait"] = "size",
    window: tuple[float, float] | None = None,
    processors: int | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw every job on the processors that it held, while it held them.

    Parameters
    ----------
    run : run
        A result or table of jobs; for users, queues or home sites with that column.
    color_by : {"user", "queue", "home-site", "size", "wait"}, default "size"
        What the color says. The six users, queues or sites with most processor-seconds have a color each.
    window : pair of float, optional
        Only from one time to another, in seconds of the log. Default: the whole schedule.
    processors : int, optional
        Of the machine. Default: what the run says, else the largest job's. A grid's sites have their own.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Time on the log's clock to the right, processors, numbered from 0, upward; on a grid the sites lie
        above each other, the first at the bottom, with the names of those that have room. In SVG and PDF
        the jobs are dots at the file's resolution, axes and labels are not. On a multicluster processors
        are task slots of its nodes; without queues each process has a row of its own. Behind the jobs are
        what was down, gray by its kind, and what was reserved, in blue.

    Raises
    ------
    UnknownNameError
        If `color_by` is none of the five.
    InputError
        If a column is missing, the window is empty, or more processors are held at once than the machine or
        a site has.

    Notes
    -----
    The numbers are those of `echelon.model.schedules.allocation.assign_processors`: the lowest that are free.

    Cost: O(n log n) for n jobs, and some microseconds a rectangle to draw.
    """
    if color_by not in _WAYS:
        raise UnknownNameError("way to color jobs", color_by, _WAYS)
    table = JobTable.of(run)
    low, high = table.window(window)
    pieces, allocation = held_pieces(table, processors)
    drawn_on = drawn_sites(table)
    machine = drawn_on.processors if drawn_on else processors or table.processors
    ax = new_axes(ax, width=9.0, height=4.5)
    unit = time_unit(high - low)
    rectangles = _rectangles(pieces, allocation, (low, high), unit)
    _paint(ax, rectangles, table, color_by)
    ax.add_collection(rectangles, autolim=False)
    ax.set_xlim(low / unit.seconds, high / unit.seconds)
    ax.set_ylim(0, machine)
    ax.set_xlabel(f"time ({unit.sign})")
    ax.set_ylabel("processor")
    if drawn_on:
        _mark_sites(ax, drawn_on)
    else:
        mark_whole_numbers(ax.yaxis)
    if table.has & (Feature.OUTAGES | Feature.RESERVATIONS):
        draw_bands(ax, table.closures.drawn_bands(drawn_on), unit)
    return ax


def _mark_sites(ax: Axes, platform: Platform) -> None:
    """Draw lines between the sites, and write the names of those that are high enough beside them."""
    bottom = first_processors(platform)
    # Between sites lower than a few lines, the lines would hide the jobs.
    parted = np.flatnonzero(platform.sizes[1:] >= _LOWEST_PARTED * platform.processors) + 1
    ax.hlines(bottom[parted], 0, 1, transform=ax.get_yaxis_transform(), color="black", linewidth=0.5)
    named = np.flatnonzero(platform.sizes >= _LOWEST_NAMED * platform.processors).tolist()
    middle = bottom + platform.sizes / 2
    ax.set_yticks(
        [middle[place] for place in named], [label_of_site(platform.names[place]) for place in named]
    )
    ax.tick_params(axis="y", length=0)
    ax.set_ylabel("")


def drawn_sites(table: JobTable) -> Platform | None:
    """Return the sites as they are drawn, shared cores with a row for each process; None on one machine."""
    if Feature.SITES not in table.has:
        return None
    platform = table.needed_sites().platform
    return rows_of(table.copies, platform) if Feature.TIME_SHARING in table.has else platform


def held_pieces(table: JobTable, processors: int | None) -> tuple[Pieces, Allocation | NumberSets]:
    """Return job, start and end of each time that processors were held, and which ones they were."""
    if Feature.PLACES in table.has and table.is_held_by_node:
        _, slots = table.held_nodes
        return (slots.row, slots.start, slots.release), slots.cores
    if Feature.ATTEMPTS in table.has and (pieces := table.closures.pieces) is not None:
        return pieces[:3], pieces.processors
    if (drawn_on := drawn_sites(table)) is None:
        job, start, end = table.pieces
        numbers = assign_processors(start, end, table.size[job], processors or table.processors)
        return (job, start, end), numbers
    job, site, start, end, size = table.copies
    return (job, start, end), assign_at_sites(start, end, size, site=site, platform=drawn_on)


def _rectangles(
    pieces: Pieces,
    allocation: Allocation | NumberSets,
    window: tuple[float, float],
    unit: TimeUnit,
) -> PolyCollection:
    """Return a rectangle for each interval of processors held in the window, its job as its value."""
    from matplotlib.collections import PolyCollection

    job, start, end = pieces
    piece = np.repeat(np.arange(len(allocation.offsets) - 1), np.diff(allocation.offsets))
    inside = (start[piece] < window[1]) & (end[piece] > window[0])
    piece = piece[inside]
    left, right = start[piece] / unit.seconds, end[piece] / unit.seconds
    polygons = box_corners(left, right, allocation.first[inside], allocation.last[inside] + 1)
    return PolyCollection(polygons, array=job[piece], linewidths=0, rasterized=True)


def _paint(ax: Axes, rectangles: PolyCollection, table: JobTable, color_by: str) -> None:
    """Give each rectangle the color of its job, and the axes a legend or a color bar."""
    job = np.asarray(rectangles.get_array())
    rectangles.set_array(None)
    if color_by in _NAMES:
        from matplotlib.patches import Patch

        shades, legend = _shades_by_name(table, color_by.replace("-", "_"))
        rectangles.set_facecolor(shades[job])
        handles = [Patch(color=shade, label=name) for name, shade in legend]
        legend_above(ax, handles)
        return
    from matplotlib.colors import LogNorm

    values = np.maximum(table.wait, 1.0) if color_by == "wait" else table.size.astype(np.float64)
    low, high = float(values.min(initial=1.0)), float(values.max(initial=1.0))
    rectangles.set(array=values[job], cmap=SEQUENTIAL, norm=LogNorm(low, max(high, 2 * low)))
    bar = ax.figure.colorbar(
        rectangles, ax=ax, label="wait" if color_by == "wait" else "processors of the job"
    )
    if color_by == "wait":
        mark_times(bar.ax.yaxis, low=low, high=high)
    else:
        ticks = _powers_of_two(low, max(high, 2 * low))
        bar.set_ticks(ticks, labels=[f"{tick:,}" for tick in ticks])
        bar.minorticks_off()


def _powers_of_two(low: float, high: float) -> list[int]:
    """Return the powers of two from one number of processors to another, or some of them, evenly apart."""
    powers = [2**power for power in range(math.ceil(math.log2(low)), math.floor(math.log2(high)) + 1)]
    return powers[:: math.ceil(len(powers) / _MOST_TICKS)]


def _shades_by_name(table: JobTable, column: str) -> tuple[FloatColumn, list[tuple[str, str]]]:
    """Return the color of each job, and the legend: names with most processor-seconds, then the others."""
    from matplotlib.colors import to_rgba_array

    code, names = table.codes(column)
    area = np.bincount(code + 1, weights=table.area, minlength=len(names) + 1)[1:]
    first = np.argsort(-area, kind="stable")[:_NAMED]
    legend = [
        (escape(f"{_LEADS.get(column, column)} {names[place]}"), shade)
        for place, shade in zip(first, COLORS, strict=False)
    ]
    palette = np.tile(to_rgba_array(_OTHERS), (len(names) + 1, 1))
    palette[first] = to_rgba_array(COLORS[: len(first)])
    others = (code < 0).any() or len(names) > len(first)
    return palette[code], [*legend, *([("others", _OTHERS)] if others else [])]
