"""How far two samples are from each other: a model's jobs from a log's."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def ks_distance(first: FloatColumn | IntColumn, second: FloatColumn | IntColumn) -> float:
    r"""Return the Kolmogorov-Smirnov distance of two samples: :math:`\sup_x |F_1(x) - F_2(x)|`.

    Parameters
    ----------
    first, second : ndarray, shapes (n,) and (m,)
        Values of one quantity, in one unit, in any order.

    Returns
    -------
    float
        The largest difference of their cumulative shares, 0 (as one) to 1 (nothing in common); 0 if both are
        empty, 1 if one is.

    Notes
    -----
    Ties: equal values count at once, so that it is right for whole numbers, too. With tens of thousands of
    jobs every difference is significant; the distance is its size. Cost: O(n log n).

    Source: Kolmogorov, Giornale dell'Istituto Italiano degli Attuari 1933.
    """
    if not len(first) or not len(second):
        return float(len(first) != len(second))
    both = np.concatenate([first, second])
    shares = [np.searchsorted(np.sort(one), both, side="right") / len(one) for one in (first, second)]
    return float(np.abs(shares[0] - shares[1]).max())


def total_variation(first: IntColumn, second: IntColumn) -> float:
    """Return the share of one histogram that would have to move to make it the other, 0 to 1.

    Parameters
    ----------
    first, second : ndarray of int, shape (n_bins,)
        Counts in the same bins, such as arrivals by hour of the day.

    Returns
    -------
    float
        Half the sum of the differences of the shares; 0 if both are empty, 1 if one is. Cost: O(n).
    """
    if not first.sum() or not second.sum():
        return float(bool(first.sum()) != bool(second.sum()))
    return float(np.abs(first / first.sum() - second / second.sum()).sum() / 2)
