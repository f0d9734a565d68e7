"""One metric of several runs as bars."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.metrics import metric_named
from echelon.plotting.policies.bars import plot_bars
from echelon.quantities import time_unit

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from matplotlib.axes import Axes


def plot_metric(values: Mapping[str, float], name: str, *, ax: Axes | None = None) -> Axes:
    """Draw one metric of several runs as bars, with its unit.

    Parameters
    ----------
    values : mapping of str to float
        The metric by the run's name: ``{result.policy: result.metrics[name] ...}``; at least one.
    name : str
        Of the metric, as in ``metrics.json``; times are in seconds.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        As `plot_bars` gives them; times in the unit that suits most.

    Raises
    ------
    UnknownNameError
        If there is no such metric.
    InputError
        If there is no value, or one is negative or not finite.
    """
    metric = metric_named(name)
    label = name.replace("_", " ")
    if metric.unit == "s":
        unit = time_unit(_middle(list(values.values())))
        values = {run: value / unit.seconds for run, value in values.items()}
        label += f" ({unit.sign})"
    elif metric.unit not in ("", "1"):
        label += f" ({metric.unit})"
    return plot_bars({"": values}, label=label, ax=ax)


def _middle(values: Sequence[float]) -> float:
    """Return the geometric middle of the extremes: one unit then suits all."""
    sizes = [value for value in values if value > 0]
    return math.sqrt(min(sizes) * max(sizes)) if sizes else 0.0
