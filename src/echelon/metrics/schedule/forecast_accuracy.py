"""Accuracy of forecasts: how far they were from what happened, and how much of it is one constant factor."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn


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
