"""Forecasts beside what happened: one estimator's waits or run times as a scatter with its lines."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from echelon.errors import InputError, UnknownNameError
from echelon.metrics import forecast_accuracy
from echelon.model.schedules.features import Feature, recorded_features
from echelon.plotting.canvas import COLORS, escape, new_axes
from echelon.quantities import time_unit

if TYPE_CHECKING:
    import polars as pl
    from matplotlib.axes import Axes

    from echelon.plotting.job_table import Run

Quantity = Literal["wait", "run", "turnaround"]

_SAID: dict[str, tuple[str, ...]] = {"wait": ("wait",), "run": ("run",), "turnaround": ("wait", "run")}
_MANY = 500
"""Of more dots, each is fainter."""


def plot_forecasts(
    run: Run,
    *,
    quantity: Quantity = "wait",
    estimator: str | None = None,
    ax: Axes | None = None,
) -> Axes:
    """Draw what an estimator said of every job against what happened.

    Parameters
    ----------
    run : run
        A result, or anything with a table ``forecasts``, of a run on a multicluster.
    quantity : {"wait", "run", "turnaround"}, default "wait"
        The wait in the cluster's queue, the time from start to end, or both together.
    estimator : str, optional
        Its spec. Default: the one that the run was planned with.
    ax : matplotlib.axes.Axes, optional
        Drawn into. Default: those of a new figure.

    Returns
    -------
    matplotlib.axes.Axes
        Real times to the right, forecasts upward, on equal scales; a dashed line where both are the same, and
        the regression line through the origin with its slope, Ra and deviation in the legend.

    Raises
    ------
    UnknownNameError
        If there is no such quantity or estimator.
    InputError
        If the run has no forecasts, or a time is negative or no number.
    """
    if quantity not in get_args(Quantity):
        raise UnknownNameError("quantity", quantity, get_args(Quantity))
    table = _forecasts(run, estimator)
    forecast, real = (_sum(table, prefix, quantity) for prefix in ("", "real_"))
    accuracy = forecast_accuracy(forecast, real)
    ax = new_axes(ax, width=5.0, height=5.0)
    most = float(max(forecast.max(initial=0.0), real.max(initial=0.0))) or 1.0
    unit = time_unit(most)
    high = 1.05 * most / unit.seconds
    ax.plot([0, high], [0, high], color="#5b6570", linestyle="--", label="as it happened")
    faint = 0.35 if len(real) > _MANY else 0.7
    ax.scatter(
        real / unit.seconds, forecast / unit.seconds, s=14, alpha=faint, color=COLORS[0], linewidths=0,
        rasterized=len(real) > _MANY,
    )  # fmt: skip
    if accuracy.slope >= 0:
        label = f"slope {accuracy.slope:.3f}, Ra {accuracy.adjusted_correlation:.3f}, "
        ax.plot(
            [0, high],
            [0, accuracy.slope * high],
            color=COLORS[1],
            label=f"{label}deviation {accuracy.deviation:.3f}",
        )
    ax.set(xlim=(0, high), ylim=(0, high), aspect="equal")
    ax.set_xlabel(f"real {quantity} ({unit.sign})")
    ax.set_ylabel(f"forecast {quantity} ({unit.sign})")
    ax.set_title(escape(str(table["estimator"][0])) if len(table) else "", fontsize="medium")
    ax.legend(frameon=False, fontsize="small", loc="upper left")
    ax.spines[["top", "right"]].set_visible(False)
    return ax


def _forecasts(run: Run, estimator: str | None) -> pl.DataFrame:
    record: Any = run
    if Feature.FORECASTS not in recorded_features(run):
        raise InputError("a figure of forecasts needs a run on a multicluster whose estimators forecast")
    table: pl.DataFrame = record.forecasts
    names = table["estimator"].unique(maintain_order=True).to_list()
    if estimator is not None and estimator not in names:
        raise UnknownNameError("estimator", estimator, names)
    chosen = estimator if estimator is not None else names[0] if names else ""
    return table.filter(table["estimator"] == chosen)


def _sum(table: pl.DataFrame, prefix: str, quantity: Quantity) -> np.ndarray[Any, np.dtype[np.float64]]:
    columns = [table[prefix + name].cast(float).to_numpy() for name in _SAID[quantity]]
    total: np.ndarray[Any, np.dtype[np.float64]] = np.sum(columns, axis=0)
    return total
