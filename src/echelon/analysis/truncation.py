"""Warm-up: how much of the beginning of a series shows an empty machine, not the steady state."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

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
    batches = _batches(_series(values))
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
    found = np.asarray(values, dtype=np.float64)
    series = _series(found.mean(axis=0) if found.ndim == 2 and found.size else found)
    if isinstance(window, bool) or not isinstance(window, int) or not 0 <= window <= len(series) // 4:
        raise InputError(f"must be from 0 to {len(series) // 4}, got {window!r}", field="window")
    sums = np.concatenate(([0.0], np.cumsum(series)))
    at = np.arange(len(series) - window)
    reach = np.minimum(at, window)
    return np.asarray((sums[at + reach + 1] - sums[at - reach]) / (2 * reach + 1))


def _batches(series: FloatArray) -> FloatArray:
    whole = len(series) // BATCH
    return np.asarray(series[: whole * BATCH].reshape(whole, BATCH).mean(axis=1))


def _series(values: ArrayLike) -> FloatArray:
    try:
        found = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError) as error:
        raise InputError(f"must be numbers, got {values!r:.80}", field="values") from error
    if found.ndim != 1 or not np.isfinite(found).all():
        raise InputError(f"must be one row of finite numbers, got shape {found.shape}", field="values")
    return found
