"""Degradation: how far each strategy is from the best one, in percent; and what a change improved."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis.values import best_of, checked_values
from echelon.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.values import Better, BoolArray, FloatArray


def degradation(values: ArrayLike, *, better: Better = "low") -> FloatArray:
    """Return how much worse than the best strategy of its row each one is, in percent.

    Where low is good, ``100 * x / best - 100``; where high is good, ``100 * (1 - x / best)``.

    Parameters
    ----------
    values : array-like, shape (..., n_strategies)
        A metric; a row an experiment. Finite, >= 0.
    better : {"low", "high"}, default "low"
        Which end of the metric's scale is good, as `Metric.better` says it.

    Returns
    -------
    ndarray of float, shaped as values
        Percent, >= 0; 0 for the best, at most 100 where high is good.

    Raises
    ------
    InputError
        If a value is negative or not finite.
    UnknownNameError
        If `better` is neither word.

    Notes
    -----
    Ties: all that share the best value have 0. A best of 0 gives 0 to those that reach it and infinity to the
    others where low is good; where high is good none is above 0 then, and all have 0.

    Source: Tsafrir, Etsion and Feitelson, IEEE TPDS 2007; Quezada Pina, CICESE 2012, section 4.4, whose
    tables show the form for metrics where high is good.
    """
    found = checked_values(values)
    best = best_of(found, better)
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        percent = 100 * found / best - 100 if better == "low" else 100 * (1 - found / best)
    return np.where(found == best, 0.0, percent)


def mean_degradation(values: ArrayLike, *, better: Better = "low") -> FloatArray:
    """Return the mean over the experiments of each strategy's degradation, in percent.

    The degradation of the means over the experiments, which is another number, is
    ``degradation(np.mean(values, axis=0))``: there an experiment counts by the size of its values, here all
    count alike.

    Parameters
    ----------
    values : array-like, shape (n_experiments, n_strategies)
        A metric; finite, >= 0.
    better : {"low", "high"}, default "low"
        Which end of the metric's scale is good.

    Returns
    -------
    ndarray of float, shape (n_strategies,)
        Percent. An experiment in which the best has 0 and another has not gives no percentages and is left
        out for all strategies alike, see `comparable`; NaN if none remains.

    Raises
    ------
    InputError
        If `values` is no table, or a value is negative or not finite.
    """
    found = checked_values(values, axes=2)
    used = found[comparable(found, better=better)]
    if not len(used):
        return np.full(found.shape[1], np.nan)
    return np.asarray(degradation(used, better=better).mean(axis=0))


def comparable(values: ArrayLike, *, better: Better = "low") -> BoolArray:
    """Mark the experiments that have degradations in percent: where the best is 0, all must be 0.

    Returns
    -------
    ndarray of bool, shape (n_experiments,)
        Always true where high is good.
    """
    found = checked_values(values, axes=2)
    return np.asarray((best_of(found, better)[:, 0] > 0) | (found == 0).all(axis=1))


def improvement(without: ArrayLike, with_: ArrayLike, *, better: Better = "low") -> FloatArray:
    """Return by how much a change improved a metric, in percent of the value without it.

    Where low is good, ``100 * (1 - with / without)``; where high is good, ``100 * (with / without - 1)``.

    Parameters
    ----------
    without, with_ : array-like, of one shape
        The metric before and after the change, such as admissibility; finite, >= 0. Degradations against one
        common best serve as well: add 100 first.
    better : {"low", "high"}, default "low"
        Which end of the metric's scale is good.

    Returns
    -------
    ndarray of float
        Percent, negative where the change made it worse; NaN where both are 0, and infinite, negative where
        low is good, where only `without` is.

    Raises
    ------
    InputError
        If a value is negative or not finite, or the shapes differ.

    Notes
    -----
    Source: Quezada Pina, CICESE 2012, table 5, whose figures agree with this form.
    """
    before, after = checked_values(without), checked_values(with_)
    if before.shape != after.shape:
        raise InputError(f"both need one shape, got {before.shape} and {after.shape}")
    best_of(before, better)  # refuses an unknown direction
    with np.errstate(divide="ignore", invalid="ignore", over="ignore"):
        percent = 100 * (1 - after / before)
    return percent if better == "low" else -percent
