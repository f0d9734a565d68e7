"""Power: what a machine drew over time, and how much of it was idle."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError
from echelon.metrics.tables.nodes.machine_nodes import check_columns
from echelon.model.schedules.features import Feature, is_capped_as_one, recorded_features
from echelon.plotting.canvas import COLORS, legend_above, new_axes, simplify_axes
from echelon.plotting.job_table import JobTable
from echelon.quantities import prefix_of, time_unit

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from echelon.model.jobs.columns import FloatColumn
    from echelon.plotting.job_table import Run

_COLUMNS = ("time", "power", "idle_power")
_PLAIN_STEPS = 2_000
"""More steps than these are drawn as dots inside an SVG or PDF."""


def plot_power(run: Run, *, power_cap: float | None = None, ax: Axes | None = None) -> Axes:
    """Draw what the machine drew over time: its idle part, what jobs drew above it, peak and mean.

    Parameters
    ----------
    run : run
        A result, or anything with tables ``jobs`` and ``power``, of a run on nodes whose power is known.
    power_cap : float, optional
        Most that it was allowed to draw, in W. Default: what the run says of all that is drawn, else none is
        drawn; several sites with nodes keep a cap each.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Time on the log's clock to the right, power upward in the unit that suits the peak.

    Raises
    ------
    InputError
        If the run tells no power.
    """
    time, power, idle = _steps(run)
    record: Any = run
    own_cap = (
        getattr(record, "power_cap", None) if is_capped_as_one(getattr(record, "platform", None)) else None
    )
    cap = power_cap if power_cap is not None else own_cap
    ax = new_axes(ax, height=3.0)
    low, high = JobTable.of(run).window(None)
    unit = time_unit(high - low)
    peak = float(power[:-1].max(initial=0.0, where=np.diff(time) > 0))
    scale, sign = prefix_of(peak, "W")
    x, many = time / unit.seconds, len(time) > _PLAIN_STEPS
    fills = (("for jobs", idle, power, COLORS[0], 0.75), ("idle", np.zeros(len(time)), idle, COLORS[4], 0.6))
    for label, below, above, shade, strength in fills:
        ax.fill_between(
            x,
            below / scale,
            above / scale,
            step="post",
            color=shade,
            alpha=strength,
            linewidth=0,
            label=label,
            rasterized=many,
        )
    spans = np.diff(time)
    mean = float(power[:-1] @ spans / spans.sum()) if spans.sum() > 0 else 0.0
    for label, level, style in (("peak", peak, ":"), ("mean", mean, "-"), ("cap", cap, "--")):
        if level is not None and math.isfinite(level):
            text = f"{label} {level / scale:.4g} {sign}"
            ax.axhline(level / scale, color="black", linestyle=style, linewidth=0.9, label=text)
    ax.set_xlim(low / unit.seconds, high / unit.seconds)
    ax.set_ylim(0, None)
    ax.set_xlabel(f"time ({unit.sign})")
    ax.set_ylabel(f"power ({sign})")
    simplify_axes(ax)
    legend_above(ax, columns=5)
    return ax


def _steps(run: Run) -> tuple[FloatColumn, FloatColumn, FloatColumn]:
    """Return time, power and idle power of a run's table of power, in s and W."""
    record: Any = run
    if Feature.POWER not in recorded_features(run):
        raise InputError("a figure of power needs a run on nodes whose power is known")
    table = record.power
    check_columns(table, _COLUMNS, "power.csv")
    time, power, idle = (np.asarray(table[name].cast(float).to_numpy()) for name in _COLUMNS)
    return time, power, idle
