"""Confidence intervals of means over experiments, and how many replications make them narrow enough."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.errors import InputError
from echelon.extras import SCIPY
from echelon.model.streams import stream
from echelon.quantities import ROUNDING, is_whole

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
    observations = _experiments(values, level)
    mean = observations.mean(axis=0)
    varies = np.ptp(observations, axis=0) > ROUNDING * np.abs(observations).max(axis=0)
    spread = np.where(varies, observations.std(axis=0, ddof=1) / np.sqrt(len(observations)), 0.0)
    half = _student_quantile(SCIPY.load(), (1 + level) / 2, len(observations) - 1) * spread
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
    observations = _experiments(values, level)
    if not is_whole(resamples) or resamples < 100:
        raise InputError(f"must be a whole number >= 100, got {resamples!r}", field="resamples")
    columns = observations.reshape(len(observations), -1)
    bounds = np.array([_bounds(column, level, resamples, seed) for column in columns.T])
    low, high = bounds.T.reshape(2, *observations.shape[1:])
    return Interval(observations.mean(axis=0), low, high, level)


def _bounds(column: FloatArray, level: float, resamples: int, seed: int) -> tuple[float, float]:
    """Return the bounds of one strategy's mean."""
    # Where nothing varies the acceleration is 0 / 0; and rounding of means must not count as variation.
    if np.ptp(column) <= ROUNDING * np.abs(column).max():
        return float(column.mean()), float(column.mean())
    # One stream for every strategy draws the same experiments for each.
    bootstrap = SCIPY.load().bootstrap(
        (column,),
        np.mean,
        axis=0,
        confidence_level=level,
        n_resamples=resamples,
        method="BCa",
        rng=stream(seed, "bootstrap"),
    )
    return float(bootstrap.confidence_interval.low), float(bootstrap.confidence_interval.high)


def _experiments(values: ArrayLike, level: float) -> FloatArray:
    try:
        observations = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"must be numbers, got {values!r:.80}", field="values") from error
    if observations.ndim not in (1, 2) or len(observations) < 2 or not observations.size:
        raise InputError(
            f"must be of at least two experiments, got shape {observations.shape}", field="values"
        )
    if not np.isfinite(observations).all():
        place = tuple(int(part) for part in np.argwhere(~np.isfinite(observations))[0])
        raise InputError(f"must be finite, got {observations[place]:g} at {place}", field="values")
    if not 0 < level < 1:
        raise InputError(f"must be above 0 and below 1, got {level}", field="level")
    return observations


MOST_REPLICATIONS = 10_000_000
"""More are as good as never: then infinity is said."""


def relative_half_width(values: ArrayLike, *, level: float = 0.95) -> float:
    """Return half the width of the mean's confidence interval, as a share of the mean's size.

    Parameters
    ----------
    values : array-like, shape (n_replications,)
        Independent repetitions; finite, at least two.
    level : float, default 0.95
        Confidence, above 0 and below 1.

    Returns
    -------
    float
        0 where nothing varies; infinity where the mean is 0 and something does.
    """
    bounds = t_interval(values, level=level)
    half = float(bounds.high - bounds.low) / 2
    mean = abs(float(bounds.mean))
    return half / mean if mean else (np.inf if half else 0.0)


def needed_replications(values: ArrayLike, *, relative: float = 0.05, level: float = 0.95) -> float:
    r"""Return how many replications would bring the mean's relative error down to `relative`.

    The least :math:`i \ge n` with :math:`t_{i-1,\,1-\alpha/2} \sqrt{S^2(n)/i} \le \gamma' |\bar X(n)|`, where
    :math:`\gamma' = \gamma / (1 + \gamma)`: the interval is around the mean that was found, the error is
    relative to the true one.

    Parameters
    ----------
    values : array-like, shape (n_replications,)
        Those made so far, independent; finite, at least two.
    relative : float, default 0.05
        gamma: the relative error wanted, above 0 and below 1.
    level : float, default 0.95
        Confidence 1 - alpha, above 0 and below 1.

    Returns
    -------
    float
        A whole number >= n_replications, those made included: n where they are enough. Infinity where the
        mean is 0 and something varies, or more than `MOST_REPLICATIONS` are needed.

    Raises
    ------
    InputError
        If there are fewer than two, a value is not finite, or a share is out of its range.
    MissingExtraError
        If scipy is not installed.

    Notes
    -----
    Sequentially: repeat, ask again with all replications, and stop when the answer is their number; the
    estimate of the variance from few of them is rough, and so is the answer. Cost: O(n + log(answer)).

    Source: Law, Simulation Modeling and Analysis, 2015, section 9.4.1, equation 9.3.
    """
    if not 0 < relative < 1:
        raise InputError(f"must be above 0 and below 1, got {relative}", field="relative")
    t_interval(values, level=level)  # refuses what no interval can be made of
    observations = np.asarray(values, dtype=np.float64)
    deviation, mean = float(observations.std(ddof=1)), abs(float(observations.mean()))
    # Rounding of the mean of equal numbers must not count as variation.
    if np.ptp(observations) == 0:
        return float(len(observations))
    wanted = relative / (1 + relative) * mean
    quantile = SCIPY.load().t.ppf

    def is_enough(replications: int) -> bool:
        return bool(quantile((1 + level) / 2, replications - 1) * deviation <= wanted * replications**0.5)

    if not is_enough(MOST_REPLICATIONS):
        return np.inf
    # Half widths fall as replications rise: the least that is enough lies between the last two powers.
    low, high = len(observations) - 1, len(observations)
    while not is_enough(high):
        low, high = high, min(2 * high, MOST_REPLICATIONS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return float(high)
