"""Paired comparison: two strategies in the same experiments, by the differences, experiment by experiment."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.analysis.interval import t_interval
from echelon.analysis.values import checked_values
from echelon.errors import InputError
from echelon.extras import SCIPY
from echelon.quantities import ROUNDING

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
    test = SCIPY.load().wilcoxon(differences)
    return Wilcoxon(float(test.statistic), float(test.pvalue))


@dataclass(frozen=True, slots=True)
class PairedComparison:
    """What the differences of two strategies over the same experiments say.

    Attributes
    ----------
    experiments : int
        Pairs compared.
    baseline, other : float
        Means of the two, in the unit of the values.
    difference, low, high : float
        Mean of other minus baseline, and the bounds of its confidence interval.
    level : float
        Share of such intervals that hold the true difference, 0 to 1.
    t_statistic, t_p_value : float
        Paired t: difference over its standard error, and the chance of one as far from 0, to either side, if
        the strategies were alike.
    wilcoxon_p_value : float
        The same chance by the signed ranks of the differences, which need not be normal.
    below, equal, above : int
        Experiments in which other has the smaller, the same, the larger value.
    correlation : float
        Of the two, over the experiments: what common random numbers bring; NaN where one never varies.
    """

    experiments: int
    baseline: float
    other: float
    difference: float
    low: float
    high: float
    level: float
    t_statistic: float
    t_p_value: float
    wilcoxon_p_value: float
    below: int
    equal: int
    above: int
    correlation: float

    @property
    def percent(self) -> float:
        """The difference in percent of the baseline's mean; NaN where that is 0."""
        return 100 * self.difference / self.baseline if self.baseline else float("nan")

    @property
    def is_told_apart(self) -> bool:
        """Whether the interval of the difference does not hold 0."""
        return self.low > 0 or self.high < 0


def exact_difference(baseline: float, other: float, *, level: float = 0.95) -> PairedComparison:
    """Return the difference of two values that no chance enters: a fact, without interval and chances.

    Parameters
    ----------
    baseline, other : float
        The two, in one unit.
    level : float, default 0.95
        What intervals beside it have.

    Returns
    -------
    PairedComparison
        Of one experiment; its interval, t, p-values and correlation are NaN.
    """
    nan = float("nan")
    return PairedComparison(
        experiments=1,
        baseline=baseline,
        other=other,
        difference=other - baseline,
        low=nan,
        high=nan,
        level=level,
        t_statistic=nan,
        t_p_value=nan,
        wilcoxon_p_value=nan,
        below=int(other < baseline),
        equal=int(other == baseline),
        above=int(other > baseline),
        correlation=nan,
    )


def paired_comparison(baseline: ArrayLike, other: ArrayLike, *, level: float = 0.95) -> PairedComparison:
    """Compare two strategies that met the same jobs, the same seeds, the same everything else.

    With common random numbers the values of the two rise and fall together; their differences vary by
    ``Var(X) + Var(Y) - 2 Cov(X, Y)``, by so much less than two separate samples would.

    Parameters
    ----------
    baseline, other : array-like, shape (n_experiments,)
        A metric of the two in the same experiments, in the same order; finite, >= 0. At least two.
    level : float, default 0.95
        Confidence of the interval, above 0 and below 1.

    Returns
    -------
    PairedComparison
        ``mean(d) ± t sqrt(S² / n)`` with d = other - baseline and t of n - 1 degrees of freedom. Where all
        differences are the same number, the interval has no width and the p-value of t is 1 for 0, else 0.

    Raises
    ------
    InputError
        If there are fewer than two experiments, the lengths differ, a value is negative or not finite, or
        `level` is no such share.
    MissingExtraError
        If scipy is not installed.

    Notes
    -----
    Assumes independent experiments and differences whose mean is about normal; the signed ranks assume only
    that differences are symmetric. Ties: experiments without a difference count for t, not for the ranks;
    values that differ by less than 1e-12 of the larger one differ by rounding alone, and are equal.
    Cost: O(n log n).

    Source: Law, Simulation Modeling and Analysis, 2015, section 10.2.1 (paired-t interval) and 11.2 (common
    random numbers); Wilcoxon, Biometrics Bulletin 1, 1945.
    """
    first, second = checked_values(baseline, axes=1), checked_values(other, axes=1)
    if len(first) != len(second):
        raise InputError(f"both need the same experiments, got {len(first)} and {len(second)}")
    second = np.where(np.abs(second - first) <= ROUNDING * np.maximum(first, second), first, second)
    differences = second - first
    bounds = t_interval(differences, level=level)
    varies = bool(bounds.high > bounds.low)
    error = float(differences.std(ddof=1)) / np.sqrt(len(differences)) if varies else 0.0
    statistic = float(bounds.mean) / error if error else float(np.sign(bounds.mean)) * np.inf
    if not error and not float(bounds.mean):
        statistic = 0.0
    both_vary = bool(np.ptp(first) and np.ptp(second))
    return PairedComparison(
        experiments=len(first),
        baseline=float(first.mean()),
        other=float(second.mean()),
        difference=float(bounds.mean),
        low=float(bounds.low),
        high=float(bounds.high),
        level=level,
        t_statistic=float(statistic),
        t_p_value=float(2 * SCIPY.load().t.sf(abs(statistic), len(first) - 1)),
        wilcoxon_p_value=wilcoxon_test(first, second).p_value,
        below=int((differences < 0).sum()),
        equal=int((differences == 0).sum()),
        above=int((differences > 0).sum()),
        correlation=float(np.corrcoef(first, second)[0, 1]) if both_vary else float("nan"),
    )
