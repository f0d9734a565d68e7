"""Schedule: Gantt, busy processors and waiting jobs above each other on one time axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from echelon.model.schedules.features import Feature, recorded_features
from echelon.plotting.canvas import new_figure
from echelon.plotting.job_table import JobTable
from echelon.plotting.loads.load import plot_queue_length, plot_utilization
from echelon.plotting.schedules.core_gantt import plot_core_gantt
from echelon.plotting.schedules.gantt import plot_gantt

if TYPE_CHECKING:
    from matplotlib.figure import Figure

    from echelon.plotting.job_table import Run


def plot_schedule(
    run: Run,
    *,
    color_by: Literal["user", "queue", "home-site", "size", "wait"] = "size",
    processors: int | None = None,
) -> Figure:
    """Draw a run over time: which jobs held which processor, how busy they were, and how many jobs waited.

    Parameters
    ----------
    run, color_by, processors
        As for `plot_gantt`; runs on nodes are drawn as by `plot_core_gantt`.

    Returns
    -------
    matplotlib.figure.Figure
        A new one of three axes that share the time.

    Raises
    ------
    InputError, UnknownNameError
        As `plot_gantt`.
    """
    figure = new_figure(10.0, 7.0)
    top, middle, bottom = figure.subplots(3, height_ratios=(3, 1, 1))
    table, of_nodes = JobTable.of(run), recorded_features(run) & (Feature.CORES | Feature.PLACES)
    if of_nodes and (Feature.SITES not in table.has or table.is_held_by_node):
        plot_core_gantt(run, ax=top)
    else:
        plot_gantt(run, color_by=color_by, processors=processors, ax=top)
    plot_utilization(run, processors=processors, ax=middle)
    plot_queue_length(run, ax=bottom)
    for ax in (top, middle):
        ax.set_xlabel("")
    return figure
