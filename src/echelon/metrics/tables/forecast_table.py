"""Forecasts beside what happened, and the accuracy of each estimator, as tables."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, get_args

import numpy as np

from echelon.errors import InputError
from echelon.metrics.schedule.forecast_accuracy import corrected_accuracy, forecast_accuracy
from echelon.model.schedules.features import Feature, recorded, there

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn
    from echelon.model.schedules.forecasts import Forecasts

Quantity = Literal["wait", "run", "turnaround"]
"""What estimators forecast: from delivery to a cluster to the start, from there to the end, and both."""

QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)


def joined_time(schedule: Schedule) -> FloatColumn:
    """Return when each job joined the queue of its cluster, in s; one that never did, when it started."""
    if Feature.DELIVERY not in recorded(schedule):
        return schedule.instance.submit_time
    delivered = there(schedule.delivered)
    return np.where(np.isnan(delivered), schedule.start_time, delivered)


def real_times(schedule: Schedule) -> dict[Quantity, FloatColumn]:
    """Return what forecasts are compared with, in seconds, each of shape (n_jobs,)."""
    joined, start, end = joined_time(schedule), schedule.start_time, schedule.end_time
    return {"wait": start - joined, "run": end - start, "turnaround": end - joined}


def forecast_times(forecasts: Forecasts) -> dict[Quantity, FloatColumn]:
    """Return what an estimator said, in seconds, each of shape (n_jobs,); nan where it said nothing."""
    return {"wait": forecasts.wait, "run": forecasts.run, "turnaround": forecasts.wait + forecasts.run}


def forecast_table(schedule: Schedule, job_ids: pl.Series) -> pl.DataFrame | None:
    """Return one row a forecast that was given, by estimator, then job; None if there are no forecasts.

    Parameters
    ----------
    schedule : Schedule
        Of a multicluster, or any other.
    job_ids : polars.Series, shape (n_jobs,)
        What jobs are called.

    Returns
    -------
    polars.DataFrame or None
        ``job_id``, ``row`` (of the job, from 0), ``estimator``, ``wait``, ``run`` (forecast, s),
        ``real_wait``, ``real_run`` (s), ``seconds`` (wall-clock time that the forecast took).
    """
    # A heavy library that only tables need.
    import polars as pl

    if Feature.FORECASTS not in recorded(schedule):
        return None
    real = real_times(schedule)
    parts = []
    for said in schedule.forecasts:
        row = np.flatnonzero(~np.isnan(said.wait) & ~np.isnan(said.run))
        columns: dict[str, Any] = {
            "job_id": job_ids.gather(row),
            "row": row,
            "estimator": pl.repeat(said.estimator, len(row), dtype=pl.String, eager=True),
            "wait": said.wait[row],
            "run": said.run[row],
            "real_wait": real["wait"][row],
            "real_run": real["run"][row],
            "seconds": said.seconds[row],
        }
        parts.append(pl.DataFrame(columns))
    return pl.concat(parts)


def accuracy_table(forecasts: pl.DataFrame) -> pl.DataFrame:
    """Return the accuracy of each estimator, a row for each of wait, run and turnaround.

    Parameters
    ----------
    forecasts : polars.DataFrame
        The columns of `forecast_table`.

    Returns
    -------
    polars.DataFrame
        ``estimator``, ``quantity``, ``jobs``, ``deviation``, ``slope``, ``adjusted_correlation``,
        ``line_slope``, ``line_intercept`` (s), as of `forecast_accuracy`; ``corrected_deviation``, as of
        `corrected_accuracy`; ``seconds``: mean wall-clock time of a forecast of all three (equation 3.14).
        A value that these jobs do not have is null.

    Raises
    ------
    InputError
        If a time is negative or no number.

    Notes
    -----
    Estimators are in the order in which they first come. Cost: O(n) for n forecasts.
    """
    import polars as pl

    parts = forecasts.partition_by("estimator", maintain_order=True)
    rows = [row for part in parts for row in _accuracy_rows(part)]
    kinds = dict.fromkeys(("estimator", "quantity"), pl.String) | {"jobs": pl.Int64}
    names = [*kinds, "deviation", "slope", "adjusted_correlation", "line_slope", "line_intercept"]
    schema = {name: kinds.get(name, pl.Float64) for name in [*names, "corrected_deviation", "seconds"]}
    return pl.DataFrame(rows, schema=schema).with_columns(pl.col(pl.Float64).fill_nan(None))


def _accuracy_rows(table: pl.DataFrame) -> list[dict[str, Any]]:
    """Return the accuracy of one estimator: a row a quantity."""
    estimator = str(table["estimator"][0])
    wait, run, real_wait, real_run, seconds = (
        table[name].cast(float).to_numpy() for name in ("wait", "run", "real_wait", "real_run", "seconds")
    )
    compared: dict[Quantity, tuple[FloatColumn, FloatColumn]] = {
        "wait": (wait, real_wait),
        "run": (run, real_run),
        "turnaround": (wait + run, real_wait + real_run),
    }
    return [
        {"estimator": estimator, "quantity": quantity}
        | _accuracy(*compared[quantity], what=f"{quantity} of {estimator}")
        | {"seconds": float(seconds.mean())}
        for quantity in QUANTITIES
    ]


def _accuracy(estimate: FloatColumn, real: FloatColumn, *, what: str) -> dict[str, Any]:
    try:
        before = forecast_accuracy(estimate, real)
        after = corrected_accuracy(estimate, real)
    except InputError as error:
        raise InputError(f"{what}: {error.problem}", field="forecasts") from error
    return {**before._asdict(), "corrected_deviation": after.deviation}
