"""Traces: a metric as the run proceeds, a line a run."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.metrics import metric_named
from echelon.metrics.registry.labels import label_of
from echelon.plotting.canvas import draw_steps, new_axes, simplify_axes
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from collections.abc import Mapping

    from matplotlib.axes import Axes

    from echelon.metrics import Trace
    from echelon.model.jobs.columns import FloatColumn


def plot_trace(traces: Mapping[str, Trace], *, ax: Axes | None = None) -> Axes:
    """Draw one metric of several runs over time.

    Parameters
    ----------
    traces : mapping of str to Trace
        By the run's name, ``{result.policy: result.trace("mean_wait") ...}``: at least one, of one metric.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Time on the log's clock; times of the metric in the unit that suits the largest. A value holds until
        the next. The axis of values begins at 0 unless all are closer to each other than to it.

    Raises
    ------
    InputError
        If there is no trace, or they are of several metrics.
    """
    names = sorted({trace.name for trace in traces.values()})
    if len(names) != 1:
        raise InputError(f"must belong to one metric, got {names or 'none'}", field="traces")
    metric = metric_named(names[0])
    clock = time_unit(_largest([trace.time for trace in traces.values()]))
    unit = time_unit(_largest([trace.value for trace in traces.values()]))
    factor, sign = (unit.seconds, unit.sign) if metric.unit == "s" else (1.0, metric.unit)
    ax = new_axes(ax)
    for place, (run, trace) in enumerate(traces.items()):
        draw_steps(ax, trace.time / clock.seconds, trace.value / factor, place=place, name=run)
    if _begins_at_zero([trace.value / factor for trace in traces.values()]):
        ax.set_ylim(0, None)
    ax.set_xlabel(f"time ({clock.sign})")
    ax.set_ylabel(label_of(metric.name) + (f" ({sign})" if sign != "1" else ""))
    if len(traces) > 1:
        ax.legend(frameon=False, fontsize="small")
    simplify_axes(ax)
    return ax


def _begins_at_zero(columns: list[FloatColumn]) -> bool:
    """Return whether the smallest value is less than half of the largest: else 0 would hide the rest."""
    values = np.concatenate(columns)
    finite = values[np.isfinite(values)]
    return not len(finite) or bool(finite.min() < finite.max() / 2)


def _largest(columns: list[FloatColumn]) -> float:
    """Return the largest finite value, 0 if there is none."""
    values = np.concatenate(columns)
    return float(values[np.isfinite(values)].max(initial=0.0))
