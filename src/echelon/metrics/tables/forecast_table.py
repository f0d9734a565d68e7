"""Forecasts beside what happened, and the accuracy of each estimator: how much of it is one factor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, get_args

import numpy as np

from echelon.errors import InputError
from echelon.model.schedules.features import Feature, recorded_features, there

if TYPE_CHECKING:
    import polars as pl

    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn
    from echelon.model.schedules.forecasts import Forecasts


class ForecastAccuracy(NamedTuple):
    """How well one estimator forecast one quantity of many jobs.

    Attributes
    ----------
    jobs : int
        Forecasts that are compared: those that were given.
    deviation : float
        Sum of |estimate - real| over sum of real (equation 3.13), a share: 0.12 is 12 %.
    slope : float
        Of the regression line of estimates on real values *through the origin*, y = a x: the one that is
        printed, and by which the thesis's auto-correction divides. 1 is right, above it is too long.
    adjusted_correlation : float
        Ra of that line, 0 to 1: near 1 the error is one factor, which can be corrected.
    line_slope, line_intercept : float
        Of the regression line with an intercept, y = b + c x; the intercept has the unit of the times.
    """

    jobs: int
    deviation: float
    slope: float
    adjusted_correlation: float
    line_slope: float
    line_intercept: float


def forecast_accuracy(estimate: FloatColumn, real: FloatColumn) -> ForecastAccuracy:
    """Return how well `estimate` tells `real`.

    Parameters
    ----------
    estimate, real : FloatColumn, shape (n_jobs,)
        In one unit, >= 0. Jobs whose estimate is nan were not estimated, and are left out.

    Returns
    -------
    ForecastAccuracy
        A value that these jobs do not have is nan: a deviation where all real values are 0 and some estimate
        is not, a slope where all real values are 0 (with an intercept: where they are equal), Ra of fewer
        than two jobs, or where all values of a column are 0.

    Raises
    ------
    InputError
        If the columns differ in length, or a value is negative or infinite, or a real one is nan.

    Notes
    -----
    Ra is the root of the adjusted coefficient of determination of the printed line, that through the origin:
    with R^2 = (sum xy)^2 / (sum x^2 sum y^2), Ra^2 = 1 - (1 - R^2) n / (n - 1), at least 0. The thesis does
    not give its formula; of those that come into question, this one agrees with the deviations that it
    prints after correction. **Cost**: O(n).

    **Source**: Lérida Monsó, UAB 2009 (M-CISNE), sections 3.5.2 and 3.5.6, equations 3.13 and 3.15.
    """
    asked = ~np.isnan(estimate) if len(estimate) == len(real) else np.zeros(0, dtype=np.bool_)
    if len(asked) != len(real):
        raise InputError(f"needs one estimate a real value, got {len(estimate)} for {len(real)}")
    y, x = estimate[asked], real[asked]
    wrong = ~((y >= 0) & (y < np.inf) & (x >= 0) & (x < np.inf))
    if wrong.any():
        first = int(np.flatnonzero(asked)[wrong.argmax()])
        raise InputError(
            f"must be finite and >= 0, got an estimate of {estimate[first]:g} for {real[first]:g} at {first}",
            field="forecasts",
        )
    slope = _ratio(float(x @ y), float(x @ x))
    line_slope, intercept = _line(x, y)
    return ForecastAccuracy(
        len(x), _deviation(y, x), slope, _adjusted_correlation(x, y), line_slope, intercept
    )


def corrected_accuracy(estimate: FloatColumn, real: FloatColumn) -> ForecastAccuracy:
    """Return the accuracy of the same estimates, each divided by the slope of all (equation 3.16).

    This is what a correction could reach that knew the slope beforehand. The slope is then 1, Ra as before,
    and what is left of the deviation is scatter. All but the number of jobs is nan if the slope is 0 or nan.
    """
    slope = forecast_accuracy(estimate, real).slope
    if not slope > 0:
        asked = int(np.count_nonzero(~np.isnan(estimate)))
        return ForecastAccuracy(asked, *(math.nan,) * (len(ForecastAccuracy._fields) - 1))
    return forecast_accuracy(estimate / slope, real)


def _ratio(over: float, under: float) -> float:
    return over / under if under > 0 else math.nan


def _deviation(estimate: FloatColumn, real: FloatColumn) -> float:
    error, total = float(np.abs(estimate - real).sum()), float(real.sum())
    # Nothing to wait for, and nothing forecast, is no error.
    return 0.0 if len(real) and not error else _ratio(error, total)


def _adjusted_correlation(x: FloatColumn, y: FloatColumn) -> float:
    n = len(x)
    squared = _ratio(float(x @ y) ** 2, float(x @ x) * float(y @ y))
    if n < 2 or math.isnan(squared):
        return math.nan
    return math.sqrt(max(0.0, 1 - (1 - min(1.0, squared)) * n / (n - 1)))


def _line(x: FloatColumn, y: FloatColumn) -> tuple[float, float]:
    if not len(x):
        return math.nan, math.nan
    away = x - x.mean()
    slope = _ratio(float(away @ y), float(away @ away))
    return slope, float(y.mean()) - slope * float(x.mean())


Quantity = Literal["wait", "run", "turnaround"]
"""What estimators forecast: from delivery to a cluster to the start, from there to the end, and both."""

QUANTITIES: tuple[Quantity, ...] = get_args(Quantity)


def joined_time(schedule: Schedule) -> FloatColumn:
    """Return when each job joined the queue of its cluster, in s; one that never did, when it started."""
    if Feature.DELIVERY not in recorded_features(schedule):
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

    if Feature.FORECASTS not in recorded_features(schedule):
        return None
    real = real_times(schedule)
    parts = []
    for forecast in schedule.forecasts:
        row = np.flatnonzero(~np.isnan(forecast.wait) & ~np.isnan(forecast.run))
        columns: dict[str, Any] = {
            "job_id": job_ids.gather(row),
            "row": row,
            "estimator": pl.repeat(forecast.estimator, len(row), dtype=pl.String, eager=True),
            "wait": forecast.wait[row],
            "run": forecast.run[row],
            "real_wait": real["wait"][row],
            "real_run": real["run"][row],
            "seconds": forecast.seconds[row],
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
