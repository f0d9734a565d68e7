"""Pareto front: which choices no other one beats in every measure at once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.analysis.values import best_of
from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import ArrayLike

    from echelon.analysis.values import Better, BoolArray, FloatArray


def pareto_front(values: ArrayLike, *, better: Sequence[Better]) -> BoolArray:
    """Mark the points that no other one dominates.

    A point dominates another if it is at least as good in every measure and better in one.

    Parameters
    ----------
    values : array-like, shape (n_points, 2) or (n_points, 3)
        A row a choice, a column a measure; any numbers. A point with NaN is not in the front and dominates
        none.
    better : sequence of {"low", "high"}, one a measure
        Which end of each measure's scale is good.

    Returns
    -------
    ndarray of bool, shape (n_points,)
        True for the front.

    Raises
    ------
    InputError
        If there are not two or three measures, or not one direction each.
    UnknownNameError
        If a direction is neither of these.

    Notes
    -----
    Ties: equal points do not dominate each other; all of them are in the front, or none. Cost: O(n log n)
    for two measures; O(n log n + n f) for three, with f points in the front.

    Source: Kung, Luccio and Preparata, "On finding the maxima of a set of vectors", JACM 22, 1975.
    """
    measurements = np.asarray(values, dtype=np.float64)
    if measurements.ndim != 2 or measurements.shape[1] not in (2, 3):
        raise InputError(f"must be a row a point of two or three measures, got shape {measurements.shape}")
    if len(better) != measurements.shape[1]:
        raise InputError(f"needs {measurements.shape[1]} directions, one a measure, got {len(better)}")
    costs = np.column_stack([_cost(column, end) for column, end in zip(measurements.T, better, strict=True)])
    front = np.zeros(len(costs), dtype=np.bool_)
    complete_rows = np.flatnonzero(~np.isnan(costs).any(axis=1))
    # Equal points share one fate; in this order no point dominates an earlier one.
    points, which = np.unique(costs[complete_rows], axis=0, return_inverse=True)
    kept = _front_of_two(points) if points.shape[1] == 2 else _front_of_three(points)
    front[complete_rows] = kept[which.reshape(-1)]
    return front


def _cost(column: FloatArray, better: Better) -> FloatArray:
    best_of(np.zeros(1), better)  # refuses an unknown direction
    return column if better == "low" else -column


def _front_of_two(points: FloatArray) -> BoolArray:
    """Mark those below all before them: points are different, and sorted by the first measure."""
    before = np.minimum.accumulate(np.concatenate(([np.inf], points[:-1, 1])))[: len(points)]
    kept = points[:, 1] < before
    # The very first point is in the front even where its second measure is infinite.
    kept[:1] = True
    return np.asarray(kept)


def _front_of_three(points: FloatArray) -> BoolArray:
    kept = np.zeros(len(points), dtype=np.bool_)
    front = np.empty((0, 2))
    for place, point in enumerate(points[:, 1:]):
        # All before have a smaller first measure or an equal one: the other two decide.
        if not (front <= point).all(axis=1).any():
            kept[place] = True
            front = np.concatenate((front[~(point <= front).all(axis=1)], point[None, :]))
    return kept
