"""Order agreement: how like two rows of numbers are in whom they put before whom, and in their sizes."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import ArrayLike, NDArray


class OrderAgreement(NamedTuple):
    """How like a printed row and ours are, whatever their last digits.

    Attributes
    ----------
    kendall : float
        Kendall's tau-b: 1 the same order, 0 none in common, -1 the reverse; NaN where a row is all one value.
    spearman : float
        Spearman's rho: the correlation of the ranks, in the same sense.
    log_ratio : float
        Mean of abs(ln((100 + ours) / (100 + printed))) of degradations in percent: 0 the same, 0.69 a factor
        of 2. NaN where it says nothing or nothing is finite.
    """

    kendall: float
    spearman: float
    log_ratio: float = math.nan

    def to_dict(self) -> Mapping[str, float | None]:
        """Return it as JSON holds it: what is undefined is None."""
        return {name: value if math.isfinite(value) else None for name, value in self._asdict().items()}


def order_agreement(printed: ArrayLike, got: ArrayLike, *, percent: bool = True) -> OrderAgreement:
    """Return how like two rows are.

    Parameters
    ----------
    printed, got : array-like, shape (n,)
        Infinity is larger than all else.
    percent : bool, default True
        Whether they are degradations in percent, of which the log-ratio says something.

    Notes
    -----
    Ties: tau-b counts a pair that one row ties as neither the same nor the reverse, and lessens what is the
    most; Spearman's ranks are shared. Cost: O(n**2).
    """
    theirs, ours = (np.asarray(row, dtype=np.float64) for row in (printed, got))
    return OrderAgreement(
        kendall_tau_b(theirs, ours),
        spearman_rho(theirs, ours),
        log_ratio(theirs, ours) if percent else math.nan,
    )


def kendall_tau_b(one: ArrayLike, other: ArrayLike) -> float:
    """Return Kendall's tau-b of two rows; NaN if one of them is all one value or shorter than 2.

    Source: Kendall, The treatment of ties in ranking problems, Biometrika 1945.
    """
    above = [_above(row) for row in (one, other)]
    most = math.sqrt(float((above[0] != 0).sum()) * float((above[1] != 0).sum()))
    return float((above[0] * above[1]).sum()) / most if most else math.nan


def _above(row: ArrayLike) -> NDArray[np.int64]:
    """Return 1 where the row's value is above the column's, -1 where below, 0 where equal."""
    values = np.asarray(row, dtype=np.float64)
    more = (values[:, None] > values[None, :]).astype(np.int64)
    return more - more.T


def spearman_rho(one: ArrayLike, other: ArrayLike) -> float:
    """Return Spearman's rho of two rows, ranks shared on ties; NaN as for `kendall_tau_b`.

    Source: Spearman, The proof and measurement of association between two things, 1904.
    """
    first, second = (_ranks(row) for row in (one, other))
    most = math.sqrt(float((first**2).sum()) * float((second**2).sum()))
    return float((first * second).sum()) / most if most else math.nan


def _ranks(row: ArrayLike) -> NDArray[np.float64]:
    """Return the rank of each value from the middle of all; equal values share their mean rank.

    NaN is neither above nor below any value. Cost: O(n log n), with NaN O(n**2).
    """
    values = np.asarray(row, dtype=np.float64)
    if np.isnan(values).any():
        return np.asarray(_above(values).sum(axis=1) / 2.0)
    _, place, count = np.unique(values, return_inverse=True, return_counts=True)
    return np.asarray((np.cumsum(count) - (count - 1) / 2.0)[place] - (len(values) + 1) / 2.0)


def log_ratio(printed: ArrayLike, got: ArrayLike) -> float:
    """Return the mean of abs(ln((100 + ours) / (100 + printed))) over what is finite in both."""
    theirs, ours = (np.asarray(row, dtype=np.float64) for row in (printed, got))
    has_both = np.isfinite(theirs) & np.isfinite(ours)
    if not has_both.any():
        return math.nan
    return float(np.abs(np.log((100.0 + ours[has_both]) / (100.0 + theirs[has_both]))).mean())


def mean_agreement(several: Sequence[OrderAgreement]) -> OrderAgreement:
    """Return the mean of each number over those that are defined."""
    return OrderAgreement(
        *(_mean_known(column) for column in zip(*several, strict=True)) if several else _NONE
    )


_NONE = (math.nan, math.nan, math.nan)


def _mean_known(values: Sequence[float]) -> float:
    numbers = [value for value in values if math.isfinite(value)]
    return sum(numbers) / len(numbers) if numbers else math.nan
