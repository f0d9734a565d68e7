"""Performance profiles: how often each strategy is within a factor of the best."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis.values import best_of, checked_values

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.values import Better, FloatArray


@dataclass(frozen=True, slots=True, eq=False)
class PerformanceProfile:
    """Ratios to the best strategy of each experiment, and the shares of experiments they give.

    Attributes
    ----------
    ratios : ndarray of float, shape (n_experiments, n_strategies)
        How many times worse than the best; 1 is the best, infinity a failure.
    """

    ratios: FloatArray

    def share(self, factor: ArrayLike) -> FloatArray:
        """Return the share of experiments in which each strategy is within a factor of the best.

        Parameters
        ----------
        factor : array-like, shape (...)
            tau, >= 1: at 1, the share of experiments a strategy wins, ties included.

        Returns
        -------
        ndarray of float, shape (..., n_strategies)
            0 to 1, never falling in the factor. Cost: O(n k) a factor.
        """
        tau = np.asarray(factor, dtype=np.float64)[..., None, None]
        return np.asarray((self.ratios <= tau).mean(axis=-2))

    @property
    def factors(self) -> FloatArray:
        """The factors at which some share rises, ascending, each once; from 1 on."""
        return np.unique(np.append(self.ratios[np.isfinite(self.ratios)], 1.0))


def performance_profile(values: ArrayLike, *, better: Better = "low") -> PerformanceProfile:
    """Return how many times worse than the best strategy of its experiment each one is.

    Parameters
    ----------
    values : array-like, shape (n_experiments, n_strategies)
        A metric; finite, >= 0, or NaN for a strategy that failed there.
    better : {"low", "high"}, default "low"
        Which end of the metric's scale is good: ``x / best``, or ``best / x``.

    Returns
    -------
    PerformanceProfile

    Raises
    ------
    InputError
        If a value is negative or infinite.

    Notes
    -----
    Ties: a strategy that equals the best has 1, also where the best is 0; then all others have infinity. An
    experiment in which all failed counts for none.

    Source: Dolan and Moré, "Benchmarking optimization software with performance profiles", Mathematical
    Programming 91, 2002.
    """
    found = checked_values(values, axes=2, missing=True)
    failed = np.isnan(found)
    best = best_of(np.where(failed, np.inf if better == "low" else -np.inf, found), better)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        ratios = found / best if better == "low" else best / found
    ratios[found == best] = 1.0
    ratios[failed] = np.inf
    return PerformanceProfile(ratios)
