"""A column of a page: axes of its width, numbers beside them, a legend below."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.plotting.canvas import escape, new_axes
from echelon.plotting.study.letters import text_width, wrap_name
from echelon.quantities import format_tick

if TYPE_CHECKING:
    from collections.abc import Sequence

    from matplotlib.axes import Axes
    from matplotlib.axis import Axis
    from matplotlib.figure import Figure

DEFAULT_WIDTH = 7.0
"""Of a figure, in inches, where no style says another."""

_NAMES = 0.42
"""Share of the width that names beside an axis may take."""

_HANDLE = 0.42
"""Room for a line or a mark in the legend and for what parts its columns, in inches."""

_AROUND = 0.5
"""Height of what is above and below rows, in inches."""

_EDGE = 0.03
"""Between a label and the figure's edge at least, in inches."""

LOGARITHMIC_FROM = 12.0
"""Ratio of the largest value to the smallest from which an axis is logarithmic, as on the page."""


def small_size() -> float:
    """Return the size of names beside axes, in pt."""
    # A heavy library that only figures need.
    from matplotlib.font_manager import FontProperties

    return float(FontProperties(size="small").get_size_in_points())


def line_height() -> float:
    """Return the height of a line of small letters, in inches."""
    return 1.3 * small_size() / 72


def root_of(ax: Axes) -> Figure:
    """Return the figure that axes are in, also in a part of it."""
    return ax.figure.get_figure(root=True)


def wrap_names(names: Sequence[str], width: float | None) -> list[str]:
    """Return names as they stand beside an axis, whole, in as many lines as they need.

    Parameters
    ----------
    names : sequence of str
        Of rows.
    width : float or None
        Of the figure, in inches.
    """
    room, size = _NAMES * (width or DEFAULT_WIDTH), small_size()
    return [
        "\n".join(map(escape, wrap_name(name, room, lambda line: text_width(line, size)))) for name in names
    ]


def row_heights(shown: Sequence[str], least: float) -> list[float]:
    """Return the height of each row with such a name, in inches; at least `least`."""
    return [max(least, (0.35 + name.count("\n") + 1) * line_height()) for name in shown]


def lay_out_rows(
    ax: Axes | None, names: Sequence[str], *, width: float | None, least: float
) -> tuple[Axes, list[float], list[float]]:
    """Return axes with a row for each name, from the top down, the middle of each row, and its height.

    Parameters
    ----------
    ax : matplotlib.axes.Axes or None
        Drawn into; None for those of a new figure, high enough for the rows.
    names : sequence of str
        Of the rows.
    width : float or None
        Of a new figure, in inches; None for 7.
    least : float
        The least height of a row, in inches.
    """
    shown = wrap_names(names, width)
    heights = row_heights(shown, least)
    ax = new_axes(ax, width=width or DEFAULT_WIDTH, height=_AROUND + sum(heights))
    ends = [sum(heights[: place + 1]) for place in range(len(heights))]
    middles = [end - height / 2 for end, height in zip(ends, heights, strict=True)]
    ax.set_yticks(middles, shown, fontsize="small")
    ax.set_ylim(ends[-1], 0)
    ax.tick_params(axis="y", length=0)
    return ax, middles, heights


def number_axis(axis: Axis) -> None:
    """Write the numbers of an axis by the rule of all numbers: ``1,000``, ``0.5``."""
    # A heavy library that only figures need.
    from matplotlib.ticker import FuncFormatter, LogLocator, MaxNLocator, NullFormatter

    axis.set_major_formatter(FuncFormatter(lambda value, _: format_tick(value)))
    if axis.get_scale() == "log":
        low, high = sorted(axis.get_view_interval())
        steps = (1.0, 2.0, 5.0) if high < 120 * low else (1.0,)
        axis.set_major_locator(LogLocator(subs=steps, numticks=8))
        axis.set_minor_formatter(NullFormatter())
    elif axis.get_scale() == "linear":
        axis.set_major_locator(MaxNLocator(5, steps=[1, 2, 5, 10]))


def value_limits(values: Sequence[float]) -> tuple[float, float]:
    """Return the ends of a linear axis of these finite values; one near 0 begins there."""
    low, high = (min(values), max(values)) if values else (0.0, 1.0)
    # Lengths then compare as the values do.
    if 0 <= low < 0.5 * high:
        low = 0.0
    room = (high - low) * 0.06 or abs(high) * 0.06 or 1.0
    return (0.0 if low == 0 and high > 0 else low - room), high + room


def is_wide(values: Sequence[float]) -> bool:
    """Return whether values are so far apart that their axis is logarithmic."""
    return bool(values) and min(values) > 0 and max(values) > LOGARITHMIC_FROM * min(values)


def fit_labels(ax: Axes) -> Axes:
    """Break the title and the axes' labels into lines where the figure would cut them, and return the axes.

    A figure with nothing written below its axes grows by these lines. Cost: one layout of the figure, and
    none where all labels are short.
    """
    # A heavy library that only figures need.
    from matplotlib.font_manager import FontProperties

    figure, size = root_of(ax), FontProperties(size="medium").get_size_in_points()
    width, height = figure.get_size_inches()
    texts = {"title": ax.title, "x": ax.xaxis.label, "y": ax.yaxis.label}
    rooms = {"title": width, "x": width, "y": height}
    if all(text_width(texts[side].get_text(), size) < room / 2 for side, room in rooms.items()):
        return ax
    figure.draw_without_rendering()
    more = 0
    for side, text in texts.items():
        ends = getattr(text.get_window_extent(), "intervaly" if side == "y" else "intervalx")
        if min(ends) >= _EDGE * figure.dpi and max(ends) <= (rooms[side] - _EDGE) * figure.dpi:
            continue
        room = (ax.bbox.height if side == "y" else ax.bbox.width) / figure.dpi
        lines = wrap_name(text.get_text(), room, lambda line: text_width(line, size))
        text.set_text("\n".join(lines))
        more += len(lines) - 1 if side != "y" else 0
    if not figure.texts:
        figure.set_figheight(height + more * 1.3 * size / 72)
    return ax


def without_legend(ax: Axes) -> None:
    """Take the legend off the axes, if there is one."""
    if (old := ax.get_legend()) is not None:
        old.remove()


def legend_below(ax: Axes, names: Sequence[str], *, title: str = "") -> None:
    """Move the legend below the axes, in as many columns as its whole names leave room for.

    The figure grows by the legend's height, so that the axes keep theirs.
    """
    without_legend(ax)
    handles = ax.get_legend_handles_labels()[0]
    # A legend would leave out lines whose names begin with a hyphen below.
    figure, size = root_of(ax), small_size()
    width = float(figure.get_figwidth())
    room = width - _HANDLE - 0.1
    lines = [wrap_name(name, room, lambda line: text_width(line, size)) for name in names]
    widest = max(text_width(line, size) for name in lines for line in name)
    columns = max(1, min(len(names), int((width - 0.1) / (widest + _HANDLE))))
    rows = -(-len(names) // columns)
    most = max(map(len, lines))
    figure.legend(
        handles,
        ["\n".join(map(escape, name)) for name in lines],
        loc="outside lower center",
        ncols=columns,
        frameon=False,
        fontsize="small",
        title=title or None,
        title_fontsize="small",
        columnspacing=1.0,
        handlelength=1.6,
        handletextpad=0.4,
        borderaxespad=0.2,
    )
    extra = (rows * (0.4 + most) + (1 if title else 0) + 0.6) * line_height()
    figure.set_figheight(figure.get_figheight() + extra)
