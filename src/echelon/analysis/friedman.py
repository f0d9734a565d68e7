"""Do strategies differ? Friedman's test over experiments, and Nemenyi's critical difference after it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis.ranking import mean_ranks, ranks
from echelon.analysis.values import checked_values
from echelon.errors import InputError
from echelon.extras import SCIPY

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.values import Better, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class Friedman:
    """What the ranks of several strategies over several experiments say.

    Attributes
    ----------
    mean_ranks : ndarray of float, shape (n_strategies,)
        Mean rank of each strategy, 1 the best, ties shared.
    experiments : int
        How many rows were ranked.
    statistic, p_value : float
        Friedman's chi-square, corrected for ties, and the chance of one as large if all strategies were
        alike.
    f_statistic, f_p_value : float
        The same by Iman and Davenport's F, which is less conservative with few experiments.
    alpha : float
        Level of significance of `critical_difference`.
    critical_difference : float
        Nemenyi's: two strategies whose mean ranks differ by more are different at that level, over all pairs.
    """

    mean_ranks: FloatArray
    experiments: int
    statistic: float
    p_value: float
    f_statistic: float
    f_p_value: float
    alpha: float
    critical_difference: float

    @property
    def cliques(self) -> list[tuple[int, ...]]:
        """Groups of strategies that do not differ significantly: columns by mean rank, the best first.

        Each is as large as possible, of at least two; a strategy may be in several, or in none.
        """
        order = np.argsort(self.mean_ranks, kind="stable")
        sorted_ranks = self.mean_ranks[order]
        # Mean ranks of sums of halves: equal differences must not part by their last bit.
        reach = sorted_ranks + self.critical_difference + 1e-9
        ends = np.searchsorted(sorted_ranks, reach, side="right")
        groups, last = [], 0
        for begin, end in enumerate(ends.tolist()):
            if end > max(last, begin + 1):
                groups.append(tuple(order[begin:end].tolist()))
                last = end
        return groups


def friedman_test(values: ArrayLike, *, better: Better = "low", alpha: float = 0.05) -> Friedman:
    """Test whether strategies differ in a metric, by their ranks in each experiment.

    Parameters
    ----------
    values : array-like, shape (n_experiments, n_strategies)
        A metric; finite, >= 0. At least two experiments and three strategies.
    better : {"low", "high"}, default "low"
        Which end of the metric's scale is good.
    alpha : float, default 0.05
        Level of significance of the critical difference, above 0 and below 1.

    Returns
    -------
    Friedman
        Where all values of every experiment are equal the statistics are 0 and the chances 1.

    Raises
    ------
    InputError
        If there are too few, or a value is negative or not finite.
    MissingExtraError
        If scipy is not installed.

    Notes
    -----
    Assumes independent experiments, nothing of how values are distributed; chi-square is good from about ten
    experiments and six strategies on. Ties share their ranks. Cost: O(n k**2).

    Source: Friedman, JASA 32, 1937; Iman and Davenport, Communications in Statistics 9, 1980; Nemenyi,
    Princeton 1963; all as Demšar, "Statistical comparisons of classifiers over multiple data sets", JMLR 7,
    2006, puts them together.
    """
    measurements = checked_values(values, axes=2)
    experiments, strategies = measurements.shape
    if experiments < 2 or strategies < 3:
        raise InputError(
            f"must be of at least 2 experiments and 3 strategies, got {experiments} and {strategies}; "
            "for two strategies use wilcoxon_test",
            field="values",
        )
    statistic = _chi_square(ranks(measurements, better=better, ties="mean"))
    freedom = strategies - 1
    below = experiments * freedom - statistic
    # All experiments agree wholly: the F statistic has no bound.
    f_statistic = math.inf if below < 1e-9 * statistic else (experiments - 1) * statistic / below
    distributions = SCIPY.load()
    return Friedman(
        mean_ranks=mean_ranks(measurements, better=better),
        experiments=experiments,
        statistic=statistic,
        p_value=float(distributions.chi2.sf(statistic, freedom)),
        f_statistic=f_statistic,
        f_p_value=float(distributions.f.sf(f_statistic, freedom, freedom * (experiments - 1))),
        alpha=alpha,
        critical_difference=critical_difference(strategies, experiments, alpha=alpha),
    )


def critical_difference(strategies: int, experiments: int, *, alpha: float = 0.05) -> float:
    """Return Nemenyi's critical difference of mean ranks: ``q sqrt(k (k + 1) / (6 n))``.

    Parameters
    ----------
    strategies : int
        k, at least 2.
    experiments : int
        n, at least 1.
    alpha : float, default 0.05
        Level of significance over all pairs, above 0 and below 1.

    Returns
    -------
    float
        In ranks; q is the quantile of the studentized range of k means, with infinite degrees of freedom,
        over the root of 2.

    Raises
    ------
    InputError
        If a number is out of its range.
    MissingExtraError
        If scipy is not installed.

    Notes
    -----
    Source: Nemenyi, Princeton 1963; Demšar, JMLR 7, 2006, section 3.2.2.
    """
    if strategies < 2 or experiments < 1:
        raise InputError(f"needs 2 strategies and an experiment at least, got {strategies} and {experiments}")
    if not 0 < alpha < 1:
        raise InputError(f"must be above 0 and below 1, got {alpha}", field="alpha")
    q = float(SCIPY.load().studentized_range.ppf(1 - alpha, strategies, np.inf)) / math.sqrt(2)
    return q * math.sqrt(strategies * (strategies + 1) / (6 * experiments))


def _chi_square(ranked: FloatArray) -> float:
    """Return Friedman's statistic of ranks, corrected for ties; 0 if all are tied."""
    experiments, strategies = ranked.shape
    middle = (strategies + 1) / 2
    within = float(((ranked - middle) ** 2).sum())
    between = float(((ranked.sum(axis=0) - experiments * middle) ** 2).sum())
    return (strategies - 1) * between / within if within else 0.0
