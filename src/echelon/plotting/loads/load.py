"""Load: waiting jobs and busy processors over time."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.shared_machines import working_cores
from echelon.metrics.columns.steps import step_function
from echelon.model.schedules.features import Feature
from echelon.plotting.canvas import COLORS, mark_whole_numbers, new_axes, simplify_axes
from echelon.plotting.job_table import JobTable
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.metrics import Steps
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.plotting.job_table import Run

_PLAIN_STEPS = 2_000
"""More steps than these are drawn as dots inside an SVG or PDF: as curves they would make it slow to show."""


def plot_utilization(run: Run, *, processors: int | None = None, ax: Axes | None = None) -> Axes:
    """Draw the share of the processors that jobs hold, over time.

    Parameters
    ----------
    run : run
        A result or table of jobs.
    processors : int, optional
        Of the machine. Default: what the run says, else the largest job's.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Time on the log's clock, from the first submission to the last end. Where something was down a line
        says what was available.

    Raises
    ------
    InputError
        If a column is missing.
    """
    table = JobTable.of(run)
    ax = new_axes(ax, height=2.2)
    steps = _busy(table)
    _draw_steps(ax, steps, 100.0 / (processors or table.processors), span=table.span, shade=COLORS[0])
    if Feature.OUTAGES in table.has:
        _draw_available(ax, table, processors or table.processors)
    ax.set_ylim(0, 100)
    ax.set_ylabel("busy (%)")
    return ax


def _draw_available(ax: Axes, table: JobTable, processors: int) -> None:
    """Draw the share of the processors that were not down as a line."""
    low, high = table.span
    down = table.closures.down(low, high).steps.changes()
    unit = time_unit(high - low)
    time = np.concatenate(([low], down.time, [high])) / unit.seconds
    share = 100.0 * (
        1.0 - np.concatenate(([0], down.value, down.value[-1:] if len(down.value) else [0])) / processors
    )
    ax.step(time, share, where="post", color="black", linewidth=0.8, label="available")


def _busy(table: JobTable) -> Steps:
    """Return how many processors were held over time; of those that jobs shared, how many had a process."""
    if Feature.TIME_SHARING in table.has:
        return working_cores(table.copies, table.needed_sites().platform)
    return step_function(*_list_holdings(table))


def _list_holdings(table: JobTable) -> tuple[FloatColumn, FloatColumn, IntColumn]:
    """Return the intervals in which processors were held, and their number; on nodes each core by itself."""
    has = table.has
    if Feature.CORES in has and Feature.SITES in has:
        return table.copies[2:]
    if Feature.CORES in has:
        _, held = table.held_nodes
        return held.start, held.release, held.sizes
    job, start, end = table.pieces
    return start, end, table.size[job]


def plot_queue_length(run: Run, *, ax: Axes | None = None) -> Axes:
    """Draw how many jobs wait, over time.

    Parameters
    ----------
    run : run
        A result or table of jobs.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Time on the log's clock, from the first submission to the last end.

    Raises
    ------
    InputError
        If a column is missing.
    """
    table = JobTable.of(run)
    ax = new_axes(ax, height=2.2)
    job, start, end = table.pieces
    suspended = job[1:] == job[:-1]
    # A job waits from its submission and, with preemption, again from the end of each piece but the last.
    join = np.concatenate((table.submit, end[:-1][suspended]))
    leave = np.concatenate((table.start, start[1:][suspended]))
    steps = step_function(join, leave, np.ones(len(join), dtype=np.int64))
    _draw_steps(ax, steps, 1.0, span=table.span, shade=COLORS[1])
    # Jobs are whole, also where none ever waits.
    ax.set_ylim(0, max(1.0, ax.get_ylim()[1]))
    mark_whole_numbers(ax.yaxis)
    ax.set_ylabel("waiting jobs")
    return ax


def _draw_steps(ax: Axes, steps: Steps, factor: float, *, span: tuple[float, float], shade: str) -> None:
    """Fill below a step function, over the whole time of the run."""
    changes = steps.changes()
    unit = time_unit(span[1] - span[0])
    ax.fill_between(
        changes.time / unit.seconds,
        factor * changes.value,
        step="post",
        color=shade,
        alpha=0.8,
        linewidth=0,
        rasterized=len(changes.time) > _PLAIN_STEPS,
    )
    ax.set_xlim(span[0] / unit.seconds, span[1] / unit.seconds)
    ax.set_xlabel(f"time ({unit.sign})")
    simplify_axes(ax)
