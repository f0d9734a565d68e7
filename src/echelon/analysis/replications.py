"""Number of replications: how often an experiment must be repeated until its mean is known well enough."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis.interval import t_interval
from echelon.analysis.scipy_stats import scipy_stats
from echelon.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

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
    found = np.asarray(values, dtype=np.float64)
    deviation, mean = float(found.std(ddof=1)), abs(float(found.mean()))
    # Rounding of the mean of equal numbers must not count as variation.
    if np.ptp(found) == 0:
        return float(len(found))
    wanted = relative / (1 + relative) * mean
    quantile = scipy_stats().t.ppf

    def is_enough(replications: int) -> bool:
        return bool(quantile((1 + level) / 2, replications - 1) * deviation <= wanted * replications**0.5)

    if not is_enough(MOST_REPLICATIONS):
        return np.inf
    # Half widths fall as replications rise: the least that is enough lies between the last two powers.
    low, high = len(found) - 1, len(found)
    while not is_enough(high):
        low, high = high, min(2 * high, MOST_REPLICATIONS)
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (low, middle) if is_enough(middle) else (middle, high)
    return float(high)
