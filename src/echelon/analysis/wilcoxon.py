"""Do two strategies differ? Wilcoxon's signed-rank test over paired experiments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.analysis.scipy_stats import scipy_stats
from echelon.analysis.values import checked_values
from echelon.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike


class Wilcoxon(NamedTuple):
    """What the signed ranks of two strategies' differences say.

    Attributes
    ----------
    statistic : float
        The smaller of the two sums of signed ranks.
    p_value : float
        Two-sided: the chance of one as small if neither strategy were better.
    """

    statistic: float
    p_value: float


def wilcoxon_test(first: ArrayLike, second: ArrayLike) -> Wilcoxon:
    """Test whether one of two strategies tends to larger values, experiment by experiment.

    Parameters
    ----------
    first, second : array-like, shape (n_experiments,)
        A metric of the two in the same experiments; finite, >= 0.

    Returns
    -------
    Wilcoxon
        Exact for up to 50 experiments without ties; with p-value 1 where they never differ.

    Raises
    ------
    InputError
        If there is no experiment, the lengths differ, or a value is negative or not finite.
    MissingExtraError
        If scipy is not installed.

    Notes
    -----
    Ties: experiments without a difference are left out; equal differences share their ranks. Assumes that the
    differences are symmetric about their median.

    Source: Wilcoxon, Biometrics Bulletin 1, 1945.
    """
    one, other = checked_values(first, axes=1), checked_values(second, axes=1)
    if len(one) != len(other):
        raise InputError(f"both need the same experiments, got {len(one)} and {len(other)}")
    differences = one - other
    if not np.any(differences):
        return Wilcoxon(0.0, 1.0)
    found = scipy_stats().wilcoxon(differences)
    return Wilcoxon(float(found.statistic), float(found.pvalue))
