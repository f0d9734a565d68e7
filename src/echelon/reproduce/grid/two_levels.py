"""Two levels: what the nine strategies gave on each grid, over one and over many factors of admissibility."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis import degradation, improvement, mean_degradation, ranks
from echelon.reproduce.grid.data import BETTER, MAIN, METRICS, NINE, SPECS, WITH, WITHOUT
from echelon.reproduce.grid.setups import Setup

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from echelon.reproduce.grid.setups import Laboratory, Measures
    from echelon.reproduce.machinery.experiments import Progress

    Values = NDArray[np.float64]

MAIN_ROWS = [METRICS.index(symbol) for symbol in MAIN]


def setups_of(
    grid: str,
    factor: str = WITHOUT,
    *,
    specs: Mapping[str, str] = SPECS,
    policy: str = "easy",
    estimates: str = "raise",
) -> list[Setup]:
    """Return the setups of the nine strategies, in the order of the study's tables."""
    return [Setup(grid, specs[name], factor, policy, estimates) for name in NINE]


def stack_measures(measures: Measures, setups: Sequence[Setup]) -> Values:
    """Return what was measured of these setups, shape (10, n_weeks, n_setups)."""
    return np.stack([measures[setup] for setup in setups], axis=2).transpose(1, 0, 2)


def degradations(values: Values, *, average: str = "values") -> Values:
    """Return the degradation of each strategy by each metric, in percent, shape (10, n_strategies).

    Of `values`, shape (10, n_weeks, n_strategies), in the order of `METRICS`; `average` says whether it is of
    the values' means over the weeks, or the mean over the weeks of degradations.
    """
    return np.array(
        [
            degradation(row.mean(axis=0), better=BETTER[symbol])
            if average == "values"
            else mean_degradation(row, better=BETTER[symbol])
            for symbol, row in zip(METRICS, values, strict=True)
        ]
    )


def weekly_degradations(values: Values) -> Values:
    """Return what each week adds to `degradations` of the values' means, shape (10, n_weeks, n_strategies).

    Against the best mean over the weeks, so that the mean over the weeks is exactly the degradation, and
    strategies can be compared week by week.
    """
    rows = []
    for symbol, row in zip(METRICS, values, strict=True):
        means = row.mean(axis=0)
        best = means.min() if BETTER[symbol] == "low" else means.max()
        with np.errstate(divide="ignore", invalid="ignore"):  # a best wait of 0 has no percentage
            share = 100 * (row / best - 1)
        rows.append(share if BETTER[symbol] == "low" else -share)
    return np.array(rows)


@dataclass(frozen=True, slots=True, eq=False)
class TwoLevels:
    """What the nine strategies gave on one grid.

    Parameters
    ----------
    without, with_ : ndarray of float, shape (10, n_weeks, 9)
        Of a = 1 and a = 0.5: metrics in the order of `METRICS`, strategies in that of `NINE`.
    average : {"values", "degradations"}, default "values"
        As of `degradations`.
    """

    without: Values
    with_: Values
    average: str = "values"

    @property
    def both(self) -> Values:
        """Values of the eighteen, in the order of `EIGHTEEN`, shape (10, n_weeks, 18)."""
        return np.stack([self.with_, self.without], axis=3).reshape(*self.without.shape[:2], -1)

    def percent(self, which: str = WITHOUT) -> Values:
        """Return degradations by metric: among the nine with this factor, or, of ``both``, the eighteen."""
        return degradations(self._values_of(which), average=self.average)

    def weekly(self, which: str = WITHOUT) -> Values:
        """Return what each week adds to `percent` of the means, shape (10, n_weeks, n_strategies)."""
        return weekly_degradations(self._values_of(which))

    def _values_of(self, which: str) -> Values:
        return {WITHOUT: self.without, WITH: self.with_, "both": self.both}[which]

    @property
    def weekly_improvements(self) -> Values:
        """What each week adds to the mean of `improvements` over the metrics, shape (n_weeks, 9)."""
        before, after = self.without[MAIN_ROWS], self.with_[MAIN_ROWS]
        improvements: Values = np.mean(100 * (before - after) / before.mean(axis=1, keepdims=True), axis=0)
        return improvements

    def main(self, which: str = WITHOUT) -> Values:
        """Return the mean of the degradations by the three main metrics."""
        means: Values = self.percent(which)[MAIN_ROWS].mean(axis=0)
        return means

    def ranks(self, which: str = WITHOUT) -> Values:
        """Return the ranks by the three main metrics, 1 the best."""
        return ranks(self.main(which))

    @property
    def improvements(self) -> Values:
        """By how much a = 0.5 improved each strategy, in percent of each main metric, shape (3, 9)."""
        before, after = (values[MAIN_ROWS].mean(axis=1) for values in (self.without, self.with_))
        return improvement(before, after)


def two_levels(laboratory: Laboratory, grid: str, progress: Progress | None = None) -> TwoLevels:
    """Run the nine strategies with both factors on a grid of the laboratory."""
    without, with_ = (setups_of(grid, factor) for factor in (WITHOUT, WITH))
    measures = laboratory.measures([*without, *with_], progress=progress)
    return TwoLevels(stack_measures(measures, without), stack_measures(measures, with_))


def sweep(
    laboratory: Laboratory,
    grid: str,
    factors: Sequence[float],
    *,
    weeks: int | None = None,
    progress: Progress | None = None,
) -> dict[float, list[float]]:
    """Return mean degradations by the three main metrics, by factor, in the order of the nine strategies.

    Against the best of all strategies and factors.
    """
    setups = [setup for factor in factors for setup in setups_of(grid, f"{factor:g}")]
    values = stack_measures(laboratory.measures(setups, weeks=weeks, progress=progress), setups)
    means = degradations(values)[MAIN_ROWS].mean(axis=0)
    rows = np.split(means, len(factors))
    return {factor: row.tolist() for factor, row in zip(factors, rows, strict=True) if len(row) == len(NINE)}
