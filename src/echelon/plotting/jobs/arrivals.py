"""Arrivals: when jobs are submitted, by hour of the day and day of the week."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

from echelon.errors import InputError, UnknownNameError
from echelon.metrics import arrivals
from echelon.metrics.tables.arrivals import DAYS
from echelon.plotting.canvas import COLORS, SEQUENTIAL, escape, new_axes, simplify_axes
from echelon.plotting.job_table import JobTable

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.model.jobs.columns import IntColumn
    from echelon.plotting.job_table import Run

_WAYS = ("hour", "weekday", "hour-of-week")


def plot_arrivals(
    run: Run,
    *,
    by: Literal["hour", "weekday", "hour-of-week"] = "hour",
    unix_start_time: float | None = None,
    time_zone: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw how many jobs are submitted in each hour of the day, on each weekday, or in each hour of the week.

    Parameters
    ----------
    run : run
        A result or table of jobs.
    by : {"hour", "weekday", "hour-of-week"}, default "hour"
        Bars, or for the hours of the week a heat map.
    unix_start_time, time_zone : optional
        When and where the log was made, as for `echelon.metrics.arrivals`. Default: what the run says.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Its label says by which clock.

    Raises
    ------
    UnknownNameError
        If `by` is none of the three.
    InputError
        If weekdays are wanted of a log that does not say when it began; if a column is missing.
    """
    if by not in _WAYS:
        raise UnknownNameError("way to count arrivals", by, _WAYS)
    began = unix_start_time if unix_start_time is not None else getattr(run, "unix_start_time", None)
    zone = time_zone if time_zone is not None else getattr(run, "time_zone", None)
    counts = arrivals(JobTable.of(run).submit, unix_start_time=began, time_zone=zone)
    if by == "hour":
        ax = _bars(counts.by_hour, [str(hour) for hour in range(24)], ax)
    elif counts.by_weekday is None or counts.by_hour_of_week is None:
        raise InputError(f"weekdays are unknown: {counts.clock}; give unix_start_time")
    elif by == "weekday":
        ax = _bars(counts.by_weekday, [day[:3] for day in DAYS], ax)
    else:
        return _week(counts.by_hour_of_week, counts.clock, ax)
    ax.set_xlabel(
        f"{by} ({escape(counts.clock)})" if by == "weekday" else f"hour of day ({escape(counts.clock)})"
    )
    return ax


def _bars(counts: IntColumn, names: list[str], ax: Axes | None) -> Axes:
    ax = new_axes(ax, height=3.2)
    ax.bar(range(len(counts)), counts, color=COLORS[0], width=0.85)
    ax.set_xticks(range(len(counts)), names)
    ax.set_ylabel("jobs submitted")
    simplify_axes(ax, grid="y")
    return ax


def _week(counts: IntColumn, clock: str, ax: Axes | None) -> Axes:
    ax = new_axes(ax, height=3.2)
    image = ax.imshow(counts, aspect="auto", cmap=SEQUENTIAL, vmin=0)
    ax.figure.colorbar(image, ax=ax, label="jobs submitted")
    ax.set_yticks(range(7), [day[:3] for day in DAYS])
    ax.set_xticks(range(0, 24, 3))
    ax.set_xlabel(f"hour of day ({escape(clock)})")
    return ax
