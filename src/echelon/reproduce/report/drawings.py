"""The pictures of a reproduced study, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce import Bars, Bounds, Curves, Gantt, Matrix, Rivals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.reproduce import Chart, Picture, Reproduction


def pictures_of(reproduction: Reproduction) -> dict[str, bytes]:
    """Return every chart and picture of a reproduced study as PNG, by its name."""
    return {
        **{chart.quantity.name: png(chart) for chart in reproduction.charts},
        **{picture.name: png(picture) for picture in reproduction.pictures},
    }


def png(picture: Chart | Picture) -> bytes:
    """Return a chart or a picture as PNG."""
    # Figures only when they are wanted: matplotlib takes a third of a second.
    from echelon.plotting import figure_bytes

    return figure_bytes(_axes(picture).figure, "png")


def _axes(picture: Chart | Picture) -> Axes:
    from echelon import plotting

    match picture:
        case Bars(bars=bars, label=label, intervals=intervals):
            axes = plotting.plot_bars(bars, label=label, intervals=intervals)
        case Bounds(online=online):
            axes = plotting.plot_bounds(online=online)
        case Curves():
            labels = (picture.x_label, picture.y_label)
            axes = plotting.plot_curves(
                picture.x, picture.lines, labels=labels, logarithmic=picture.logarithmic
            )
        case Gantt(run=run):
            axes = plotting.plot_core_gantt(run)
        case Matrix():
            labels = (picture.row_label, picture.column_label)
            axes = plotting.plot_matrix(
                picture.values, rows=picture.rows, columns=picture.columns, labels=labels
            )
        case Rivals():
            axes = _rivals(picture)
        case _:
            label = f"{picture.quantity.label} ({picture.quantity.unit})"
            axes = plotting.plot_bars(picture.bars, label=label)
    return axes


def _rivals(picture: Rivals) -> Axes:
    from echelon.analysis import friedman_test, performance_profile
    from echelon.plotting import plot_critical_difference, plot_performance_profile

    if picture.kind == "critical-difference":
        return plot_critical_difference(friedman_test(picture.values), picture.rivals)
    return plot_performance_profile(performance_profile(picture.values), picture.rivals)
