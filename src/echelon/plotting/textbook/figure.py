"""Textbook figure: a few jobs as bordered boxes with their names, by matplotlib."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.errors import InputError
from echelon.plotting.canvas import escape, new_axes
from echelon.plotting.textbook.chart import TextbookChart, TimeAxis

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.plotting.job_table import Run

SHADES = ("#a6cee3", "#fdbf6f", "#b2df8a", "#fb9a99", "#cab2d6", "#ffff99", "#9fd8cb", "#d9d9d9")
"""Pale colors of jobs, again and again, on which black letters stand out. The first six are those of
ColorBrewer's "Paired" (Harrower and Brewer, 2003)."""

_MOST_JOBS = 200
_MOST_MARKS = 25
_MOST_NAMED_ROWS = 32
_POINTS = 9.0
_ARRIVAL_LINES = 4
"""Lines of names above the chart."""

_LETTER = 0.62
"""Width of a letter as a share of its height."""


def plot_textbook(run: Run, *, window: tuple[float, float] | None = None, ax: Axes | None = None) -> Axes:
    """Draw a few jobs as textbooks do: a bordered box each time a job held processors, with its name.

    Parameters
    ----------
    run : run
        A result or table of jobs, of at most 200 jobs in the window.
    window : pair of float, optional
        Only from one time to another, in seconds of the log. Default: the whole schedule; of more than 60
        jobs until the 30th job has started.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure, as high as the rows need.

    Returns
    -------
    matplotlib.axes.Axes
        Time to the right, in plain seconds where they are below 100,000, marked where boxes begin and end if
        there are at most 25 such times. Rows are processors, or cores, the first at the bottom; a box covers
        the neighboring ones that its job held. Colors come again with every eighth job. Above are the
        arrivals, a mark each. A time in which a job was suspended is left blank.

    Raises
    ------
    InputError
        If a column is missing, the window is empty, or there are too many jobs.
    """
    chart = TextbookChart.of(run, window)
    if (jobs := chart.ran) > _MOST_JOBS:
        raise InputError(
            f"a textbook's chart shows at most {_MOST_JOBS} jobs, got {jobs:,}; give a shorter window, "
            "or take plot_gantt"
        )
    rows = len(chart.rows)
    ax = new_axes(ax, width=9.0, height=min(7.0, 1.4 + 0.45 * rows))
    ax.set_xlim(chart.low, chart.high)
    ax.set_ylim(0, rows)
    _draw_boxes(ax, chart)
    _mark_times(ax, chart)
    _name_rows(ax, chart)
    _mark_arrivals(ax, chart)
    return ax


def _draw_boxes(ax: Axes, chart: TextbookChart) -> None:
    from matplotlib.patches import Rectangle

    figure = ax.get_figure(root=True)
    wide = (figure.get_figwidth() if figure is not None else 9.0) * 72 * 0.85 / (chart.high - chart.low)
    for one in chart.slices:
        start, end = max(one.start, chart.low), min(one.end, chart.high)
        corner, tall = (start, one.first), one.last - one.first + 1
        shade = SHADES[one.job % len(SHADES)]
        ax.add_patch(Rectangle(corner, end - start, tall, facecolor=shade, edgecolor="black", linewidth=1.0))
        label = chart.labels[one.job]
        if len(label) * _POINTS * _LETTER <= wide * (end - start):
            middle = ((start + end) / 2, one.first + tall / 2)
            ax.text(*middle, escape(label), ha="center", va="center", fontsize=_POINTS, clip_on=True)


def _mark_times(ax: Axes, chart: TextbookChart) -> None:
    axis = TimeAxis.of(chart)
    times = chart.marks if len(chart.marks) <= _MOST_MARKS else axis.even_times(chart)
    least = (chart.high - chart.low) / 60
    # Of marks that would touch the later ones stay without a number, not without a line.
    texts, last = [], -float("inf")
    for time, text in axis.name_times(times):
        near = time - last < least * (1 + len(text) / 2)
        texts.append("" if near else text)
        last = last if near else time
    ax.set_xticks(times, texts)
    ax.set_xlabel(axis.title)
    ax.spines[["top", "right"]].set_visible(False)


def _name_rows(ax: Axes, chart: TextbookChart) -> None:
    rows = len(chart.rows)
    if rows == 1:
        ax.set_yticks([])
        ax.spines["left"].set_visible(False)
        return
    step = -(-rows // _MOST_NAMED_ROWS)
    shown = range(0, rows, step)
    ax.set_yticks([row + 0.5 for row in shown], [escape(chart.rows[row]) for row in shown])
    ax.tick_params(axis="y", length=0)
    if chart.rows[0] == "0":
        ax.set_ylabel("processor")


def _mark_arrivals(ax: Axes, chart: TextbookChart) -> None:
    """Put a mark above the chart at each arrival, with the names of the jobs where there is room."""
    above = ax.get_xaxis_transform()
    share, free = (chart.high - chart.low) / 180, [-float("inf")] * _ARRIVAL_LINES
    for time, names in chart.arrivals().items():
        ax.plot([time], [1.03], marker="v", color="black", markersize=5, transform=above, clip_on=False)
        label = ",".join(names)
        half = share * (1 + len(label))
        line = next((line for line, edge in enumerate(free) if time - half >= edge), None)
        if line is not None:
            free[line] = time + half
            place = (0, (0.6 + 1.2 * line) * _POINTS)
            ax.annotate(
                escape(label),
                (time, 1.03),
                place,
                xycoords=above,
                textcoords="offset points",
                ha="center",
                va="bottom",
                fontsize=_POINTS,
            )
