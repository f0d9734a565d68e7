"""Ranking of strategies by one row of values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal

import numpy as np

from echelon.analysis.values import best_of, checked_values
from echelon.errors import UnknownNameError

if TYPE_CHECKING:
    from numpy.typing import ArrayLike

    from echelon.analysis.values import Better, FloatArray


def ranks(
    values: ArrayLike, *, better: Better = "low", ties: Literal["first", "mean"] = "first"
) -> FloatArray:
    """Return the rank of each strategy in its row; 1 is the best.

    Parameters
    ----------
    values : array-like, shape (..., n_strategies)
        A metric or mean degradations; >= 0.
    better : {"low", "high"}, default "low"
        Which end is good.
    ties : {"first", "mean"}, default "first"
        Strategies of one value get the first of their ranks (1, 2, 2, 4), as tables of a competition have it,
        or the mean of them (1, 2.5, 2.5, 4), as the tests of ranks need it.

    Returns
    -------
    ndarray of float, shaped as values

    Raises
    ------
    InputError
        If a value is negative or NaN.
    UnknownNameError
        If `better` or `ties` is not a known choice.

    Notes
    -----
    Ties: only values equal in float64 are one. Cost: O(k**2) a row of k strategies.
    """
    measurements = checked_values(values, infinite=True)
    best_of(measurements, better)  # refuses an unknown direction
    signed = measurements if better == "low" else -measurements
    one, other = signed[..., :, None], signed[..., None, :]
    ahead: FloatArray = (other < one).sum(axis=-1).astype(np.float64)
    if ties not in ("first", "mean"):
        raise UnknownNameError("rule for ties", str(ties), ("first", "mean"))
    return ahead + (1.0 if ties == "first" else ((other == one).sum(axis=-1) + 1) / 2)


def mean_ranks(values: ArrayLike, *, better: Better = "low") -> FloatArray:
    """Return each strategy's mean rank over the experiments, ties shared.

    Parameters
    ----------
    values : array-like, shape (n_experiments, n_strategies)
        A metric; finite, >= 0.
    better : {"low", "high"}, default "low"
        Which end is good.

    Returns
    -------
    ndarray of float, shape (n_strategies,)
        From 1 to the number of strategies; their sum is k (k + 1) / 2.
    """
    means: FloatArray = ranks(checked_values(values, axes=2), better=better, ties="mean").mean(axis=0)
    return means
