"""Steady state of one long run: how much of its beginning to leave out, and an interval of its mean."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis.interval import t_interval
from echelon.errors import InputError
from echelon.quantities import is_whole

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.interval import Interval
    from echelon.analysis.values import FloatArray

BATCH = 5
"""Observations a batch of MSER-5."""


def mser5(values: ArrayLike) -> int:
    r"""Return how many observations to leave out at the beginning, by MSER-5.

    Means of batches of 5, :math:`z_1 \dots z_m`; the cut d is the least one that makes
    :math:`\sum_{j>d} (z_j - \bar z_d)^2 / (m - d)^2` smallest: the squared half width of the interval of the
    mean of what is left. Cuts in the second half are not looked at.

    Parameters
    ----------
    values : array-like, shape (n,)
        Observations in their order, such as waits by submit time; finite. Up to 4 at the end, which fill no
        batch, count for nothing.

    Returns
    -------
    int
        A multiple of 5, from 0 to about half of n; 0 for fewer than 20.

    Raises
    ------
    InputError
        If it is no row of finite numbers.

    Notes
    -----
    A cut at the very end of what is looked at says that the series is too short or not steady at all. Ties:
    the smallest cut. Cost: O(n).

    Source: White, Cobb and Spratt, "A comparison of five steady-state truncation heuristics for simulation",
    Winter Simulation Conference 2000; White, Simulation 69, 1997.
    """
    series = _series(values)
    whole = len(series) // BATCH
    batches = series[: whole * BATCH].reshape(whole, BATCH).mean(axis=1)
    if len(batches) < 4:
        return 0
    # Sums over what is left after each cut, from the end; around the mean, to lose little by rounding.
    centered = batches - batches.mean()
    left = np.arange(len(batches), 0, -1)
    sums, squares = (np.cumsum(part[::-1])[::-1] for part in (centered, centered**2))
    spread = np.maximum(squares - sums**2 / left, 0.0) / left.astype(np.float64) ** 2
    return BATCH * int(np.argmin(spread[: len(batches) // 2 + 1]))


def moving_average(values: ArrayLike, window: int) -> FloatArray:
    """Return Welch's moving average, for the eye: where its line becomes level, the warm-up is over.

    Parameters
    ----------
    values : array-like, shape (n,) or (n_replications, n)
        Observations in their order; of several replications their mean is taken first. Finite.
    window : int
        w, from 0 to n / 4: the mean of 2 w + 1 neighbors; near the beginning of as many as lie on the left.

    Returns
    -------
    ndarray of float, shape (n - w,)

    Raises
    ------
    InputError
        If a number is not finite or the window is out of its range.

    Notes
    -----
    Cost: O(n). Source: Welch, in Lavenberg (ed.), Computer Performance Modeling Handbook, 1983; Law,
    Simulation Modeling and Analysis, 2015, section 9.5.1.
    """
    observations = np.asarray(values, dtype=np.float64)
    series = _series(
        observations.mean(axis=0) if observations.ndim == 2 and observations.size else observations
    )
    if not is_whole(window) or not 0 <= window <= len(series) // 4:
        raise InputError(f"must be from 0 to {len(series) // 4}, got {window!r}", field="window")
    sums = np.concatenate(([0.0], np.cumsum(series)))
    at = np.arange(len(series) - window)
    reach = np.minimum(at, window)
    return np.asarray((sums[at + reach + 1] - sums[at - reach]) / (2 * reach + 1))


def _series(values: ArrayLike) -> FloatArray:
    try:
        series = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"must be numbers, got {values!r:.80}", field="values") from error
    if series.ndim != 1 or not np.isfinite(series).all():
        raise InputError(f"must be one row of finite numbers, got shape {series.shape}", field="values")
    return series


def batch_means_interval(values: ArrayLike, *, batches: int = 20, level: float = 0.95) -> Interval:
    """Return the confidence interval of a steady mean from one run, by the means of equal batches.

    Parameters
    ----------
    values : array-like, shape (n,)
        Observations in their order, the warm-up removed, such as waits by submit time; finite.
    batches : int, default 20
        Into how many the run is cut, from 2 to n; the first ``n mod batches`` observations are left out.
    level : float, default 0.95
        Confidence, above 0 and below 1.

    Returns
    -------
    Interval
        As `t_interval` of the batches' means.

    Raises
    ------
    InputError
        If a value is not finite, or a number is out of its range.
    MissingExtraError
        If scipy is not installed.

    Notes
    -----
    Right where batches are so long that their means hardly depend on each other: few long ones are safer than
    many short ones. One run of a log says nothing of other logs; for that, repeat. Cost: O(n).

    Source: Law, Simulation Modeling and Analysis, 2015, section 9.5.3; Schmeiser, Operations Research 30,
    1982, for 10 to 30 batches.
    """
    observations = np.asarray(values, dtype=np.float64)
    if observations.ndim != 1:
        raise InputError(f"must be one row of observations, got shape {observations.shape}", field="values")
    if not is_whole(batches) or not 2 <= batches <= len(observations):
        raise InputError(
            f"must be from 2 to the number of observations, {len(observations)}, got {batches!r}",
            field="batches",
        )
    length = len(observations) // batches
    kept = observations[len(observations) - length * batches :]
    return t_interval(kept.reshape(batches, length).mean(axis=1), level=level)


def lag_one_autocorrelation(values: ArrayLike) -> float:
    r"""Return how much observations depend on the one before: the first coefficient of their correlogram.

    Of n observations
    :math:`\sum_{t=1}^{n-1} (x_t - \bar x)(x_{t+1} - \bar x) / \sum_{t=1}^n (x_t - \bar x)^2`.

    Parameters
    ----------
    values : array-like, shape (n,)
        Such as means of batches, in their order; finite.

    Returns
    -------
    float
        From -1 to 1; NaN with fewer than three observations or where they are all equal.

    Raises
    ------
    InputError
        If it is no row of finite numbers.

    Notes
    -----
    Of n independent observations it is about normal with mean -1/n and standard deviation 1/sqrt(n): see
    `neighbors_depend`. Cost: O(n).

    Source: Box, Jenkins, Reinsel and Ljung, Time Series Analysis, 2015, section 2.1.
    """
    observations = _series(values)
    if len(observations) < 3 or np.ptp(observations) == 0:
        return float("nan")
    centered = observations - observations.mean()
    return float((centered[:-1] * centered[1:]).sum() / (centered**2).sum())


def neighbors_depend(correlation: float, count: int) -> bool:
    """Return whether a lag-1 autocorrelation is higher than that of independent observations.

    An interval of their mean that takes them for independent is then too narrow.

    Parameters
    ----------
    correlation : float
        Of `lag_one_autocorrelation`; NaN is not high.
    count : int
        Observations that it is of, >= 1.

    Returns
    -------
    bool
        Whether it is above ``1.645 / sqrt(count)``, as that of independent ones is in one of twenty series.

    Notes
    -----
    With few observations only strong dependence is seen. Source: Box, Jenkins, Reinsel and Ljung, Time Series
    Analysis, 2015, section 2.1.
    """
    return bool(correlation > 1.645 / np.sqrt(count))
