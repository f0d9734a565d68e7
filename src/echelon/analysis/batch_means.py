"""Batch means: an interval of the mean of one long run, whose observations depend on their neighbors."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis.interval import t_interval
from echelon.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.interval import Interval


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
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1:
        raise InputError(f"must be one row of observations, got shape {found.shape}", field="values")
    if isinstance(batches, bool) or not isinstance(batches, int) or not 2 <= batches <= len(found):
        raise InputError(
            f"must be from 2 to the number of observations, {len(found)}, got {batches!r}", field="batches"
        )
    length = len(found) // batches
    kept = found[len(found) - length * batches :]
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
    found = np.asarray(values, dtype=np.float64)
    if found.ndim != 1 or not np.isfinite(found).all():
        raise InputError(f"must be one row of finite numbers, got shape {found.shape}", field="values")
    if len(found) < 3 or np.ptp(found) == 0:
        return float("nan")
    centered = found - found.mean()
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
