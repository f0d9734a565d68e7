"""Fitting the cut of a long tail, so that the mean is that of a log."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable

    from echelon.model.jobs.columns import FloatColumn

_GRID = 4000


def fit_cut(
    values: FloatColumn, distribution: Callable[[FloatColumn], FloatColumn], usual: float
) -> tuple[float, float]:
    """Return the cut with which a distribution has the mean of a log's values, and the mean it then has.

    Parameters
    ----------
    values : ndarray of float, shape (n,)
        Times in seconds, of the log.
    distribution : callable (logs: ndarray) -> ndarray
        The distribution function of ln(value).
    usual : float
        The model's own cut, in seconds.

    Returns
    -------
    tuple of float
        In seconds; the cut is between the value that one in a hundred exceeds and the longest, or `usual` if
        that is longer. A tail that makes the mean too large is cut; a mean that is too small stays.

    Notes
    -----
    A fit by likelihood or by moments of the logarithm gets the many short values right, and leaves the mean,
    and with it the load, to a tail that the log need not have. Cost: O(n).
    """
    most = max(usual, math.floor(values.max(initial=0.0)) + 1.0)
    edges = np.linspace(0.0, math.log(most), _GRID + 1)
    share = np.diff(distribution(edges))
    middle = np.exp((edges[1:] + edges[:-1]) / 2)
    means = np.cumsum(share * middle) / np.maximum(np.cumsum(share), 1e-300)
    right = np.exp(edges[1:])
    least = max(2.0, float(np.quantile(values, 0.99)))
    too_long = np.flatnonzero((means > values.mean()) & (right >= least))
    if not len(too_long) or too_long[0] == _GRID - 1:
        return most, float(means[-1])
    return float(right[too_long[0]]), float(means[too_long[0]])
