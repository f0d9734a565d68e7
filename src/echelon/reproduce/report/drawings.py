"""The pictures of a reproduced study, drawn."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.reproduce import Bars, Bounds, Curves, Gantt, Matrix, Rivals

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.reproduce import Chart, Picture, Reproduction


def pictures_of(found: Reproduction) -> dict[str, bytes]:
    """Return every chart and picture of a reproduced study as PNG, by its name."""
    return {
        **{chart.quantity.name: png(chart) for chart in found.charts},
        **{picture.name: png(picture) for picture in found.pictures},
    }


def png(drawn: Chart | Picture) -> bytes:
    """Return a chart or a picture as PNG."""
    # Figures only when they are wanted: matplotlib takes a third of a second.
    from echelon.plotting import figure_bytes

    return figure_bytes(_axes(drawn).figure, "png")


def _axes(drawn: Chart | Picture) -> Axes:
    from echelon import plotting

    match drawn:
        case Bars(bars=bars, label=label, intervals=intervals):
            axes = plotting.plot_bars(bars, label=label, intervals=intervals)
        case Bounds(online=online):
            axes = plotting.plot_bounds(online=online)
        case Curves():
            labels = (drawn.x_label, drawn.y_label)
            axes = plotting.plot_curves(drawn.x, drawn.lines, labels=labels, logarithmic=drawn.logarithmic)
        case Gantt(run=run):
            axes = plotting.plot_core_gantt(run)
        case Matrix():
            labels = (drawn.row_label, drawn.column_label)
            axes = plotting.plot_matrix(drawn.values, rows=drawn.rows, columns=drawn.columns, labels=labels)
        case Rivals():
            axes = _rivals(drawn)
        case _:
            label = f"{drawn.quantity.label} ({drawn.quantity.unit})"
            axes = plotting.plot_bars(drawn.bars, label=label)
    return axes


def _rivals(drawn: Rivals) -> Axes:
    from echelon.analysis import friedman_test, performance_profile
    from echelon.plotting import plot_critical_difference, plot_performance_profile

    if drawn.kind == "critical-difference":
        return plot_critical_difference(friedman_test(drawn.values), drawn.rivals)
    return plot_performance_profile(performance_profile(drawn.values), drawn.rivals)
