"""Confidence intervals of means over experiments."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.analysis.scipy_stats import scipy_stats
from echelon.errors import InputError
from echelon.model.streams import stream
from echelon.quantities import ROUNDING

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.values import FloatArray


class Interval(NamedTuple):
    """Means with the bounds between which the true ones are believed to lie.

    Attributes
    ----------
    mean, low, high : ndarray of float, shape (n_strategies,), or () of a single row
        In the unit of the values; low <= mean <= high where the interval is by t.
    level : float
        Share of such intervals that hold the true mean, 0 to 1.
    """

    mean: FloatArray
    low: FloatArray
    high: FloatArray
    level: float


def t_interval(values: ArrayLike, *, level: float = 0.95) -> Interval:
    """Return confidence intervals of the means over experiments by Student's t distribution.

    Parameters
    ----------
    values : array-like, shape (n_experiments,) or (n_experiments, n_strategies)
        Anything measured, also differences of two strategies, experiment by experiment: an interval of
        those that does not hold 0 tells the two apart, where two intervals of the strategies may overlap.
        At least two experiments.
    level : float, default 0.95
        Confidence, above 0 and below 1.

    Returns
    -------
    Interval
        ``mean ± t s / sqrt(n)``, with s the standard deviation (divisor n - 1) and t of n - 1 degrees of
        freedom.

    Raises
    ------
    InputError
        If there are fewer than two experiments, a value is not finite, or `level` is no such share.
    MissingExtraError
        If scipy is not installed.

    Notes
    -----
    Values that differ by rounding alone, by less than 1e-12 of the largest, count as equal.

    Right for independent experiments whose mean is about normal. Weeks of one log are hardly independent, and
    waits are skewed: with few experiments `bootstrap_interval` is the more careful choice.

    Source: Law, Simulation Modeling and Analysis, 2015, section 4.5.
    """
    found = _experiments(values, level)
    mean = found.mean(axis=0)
    varies = np.ptp(found, axis=0) > ROUNDING * np.abs(found).max(axis=0)
    spread = np.where(varies, found.std(axis=0, ddof=1) / np.sqrt(len(found)), 0.0)
    half = _student_quantile(scipy_stats(), (1 + level) / 2, len(found) - 1) * spread
    return Interval(mean, mean - half, mean + half, level)


@cache
def _student_quantile(stats: Any, share: float, freedom: int) -> float:  # noqa: ANN401  (a module without types)
    """Return the quantile of Student's t: a millisecond of scipy, and the same one for most intervals."""
    return float(stats.t.ppf(share, freedom))


def bootstrap_interval(
    values: ArrayLike, *, level: float = 0.95, resamples: int = 9_999, seed: int = 0
) -> Interval:
    """Return confidence intervals of the means over experiments by the bootstrap (BCa).

    Experiments are drawn with replacement; bounds are corrected for bias and for skewness.

    Parameters
    ----------
    values : array-like, shape (n_experiments,) or (n_experiments, n_strategies)
        As for `t_interval`. All strategies are resampled alike: the same experiments are drawn for each.
    level : float, default 0.95
        Confidence, above 0 and below 1.
    resamples : int, default 9999
        How often as many experiments are drawn with replacement, >= 100.
    seed : int, default 0
        Of the random stream ``"bootstrap"``, >= 0: the same seed gives the same interval.

    Returns
    -------
    Interval
        Without width where all experiments have one value.

    Raises
    ------
    InputError
        If there are fewer than two experiments, a value is not finite, or `level`, `resamples` or `seed` is
        out of its range.
    MissingExtraError
        If scipy is not installed.

    Notes
    -----
    Cost: O(resamples * values). Source: Efron, "Better bootstrap confidence intervals", JASA 82, 1987 (BCa).
    """
    found = _experiments(values, level)
    if isinstance(resamples, bool) or not isinstance(resamples, int) or resamples < 100:
        raise InputError(f"must be a whole number >= 100, got {resamples!r}", field="resamples")
    columns = found.reshape(len(found), -1)
    bounds = np.array([_bounds(column, level, resamples, seed) for column in columns.T])
    low, high = bounds.T.reshape(2, *found.shape[1:])
    return Interval(found.mean(axis=0), low, high, level)


def _bounds(column: FloatArray, level: float, resamples: int, seed: int) -> tuple[float, float]:
    """Return the bounds of one strategy's mean."""
    # Where nothing varies the acceleration is 0 / 0; and rounding of means must not count as variation.
    if np.ptp(column) <= ROUNDING * np.abs(column).max():
        return float(column.mean()), float(column.mean())
    # One stream for every strategy draws the same experiments for each.
    drawn = scipy_stats().bootstrap(
        (column,),
        np.mean,
        axis=0,
        confidence_level=level,
        n_resamples=resamples,
        method="BCa",
        rng=stream(seed, "bootstrap"),
    )
    return float(drawn.confidence_interval.low), float(drawn.confidence_interval.high)


def _experiments(values: ArrayLike, level: float) -> FloatArray:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"must be numbers, got {values!r:.80}", field="values") from error
    if found.ndim not in (1, 2) or len(found) < 2 or not found.size:
        raise InputError(f"must be of at least two experiments, got shape {found.shape}", field="values")
    if not np.isfinite(found).all():
        place = tuple(int(part) for part in np.argwhere(~np.isfinite(found))[0])
        raise InputError(f"must be finite, got {found[place]:g} at {place}", field="values")
    if not 0 < level < 1:
        raise InputError(f"must be above 0 and below 1, got {level}", field="level")
    return found
