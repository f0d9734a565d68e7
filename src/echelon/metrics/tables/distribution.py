"""Distributions: the share of jobs with a wait, slowdown or run time above a value, on a logarithmic axis."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

POINTS = 400
"""Points of an axis by default: more than a screen's chart shows apart."""


def log_axis(
    columns: Iterable[FloatColumn | IntColumn], *, lowest: float = 1.0, points: int = POINTS
) -> FloatColumn:
    """Return values from `lowest` to the largest of all columns, evenly spaced in their logarithm.

    Parameters
    ----------
    columns : iterable of ndarray, each of shape (n,)
        One a run, so that the runs share an axis; they may be empty.
    lowest : float, default 1
        Left end, > 0, in the columns' unit.
    points : int, default 400
        How many, >= 2.

    Returns
    -------
    FloatColumn, shape (points,)
        Strictly ascending, in the columns' unit. It reaches to 10 times `lowest` at least, so that there is
        an axis even when every value is 0.

    Raises
    ------
    InputError
        If `lowest` is not above 0 or `points` below 2.

    Notes
    -----
    Values below `lowest`, such as waits of 0 s, have no place on a logarithmic axis; the share above
    `lowest` counts them all the same.

    Cost: O(n).
    """
    if not (lowest > 0 and points >= 2):
        raise InputError(f"an axis needs lowest > 0 and 2 points at least, got {lowest:g} and {points}")
    largest = max((float(column.max(initial=0)) for column in columns), default=0.0)
    return np.geomspace(lowest, max(largest, 10 * lowest), points)


def share_above(values: FloatColumn | IntColumn, axis: FloatColumn) -> NDArray[np.float64]:
    """Return the share of jobs with a value above each point of `axis`: 1 - F, the survival function.

    Parameters
    ----------
    values : ndarray, shape (n_jobs,)
        Any quantity of a job, such as waits in seconds, in any order.
    axis : FloatColumn, shape (points,)
        In the same unit, in any order.

    Returns
    -------
    ndarray of float, shape (points,)
        count(value > x) / n, 0 to 1; 0 everywhere if there is no job.

    Notes
    -----
    Ties: a job with exactly the value of a point is not above it.

    Cost: O((n + m) log n) for m points.
    """
    at_most = np.searchsorted(np.sort(values), axis, side="right")
    return (len(values) - at_most) / max(1, len(values))


def share_at_most(values: FloatColumn | IntColumn, axis: FloatColumn) -> NDArray[np.float64]:
    """Return the share of jobs with a value of at most each point of `axis`: F, the cumulative distribution.

    Parameters
    ----------
    values : ndarray, shape (n_jobs,)
        Any quantity of a job, in any order.
    axis : FloatColumn, shape (points,)
        In the same unit, in any order.

    Returns
    -------
    ndarray of float, shape (points,)
        count(value <= x) / n, 0 to 1; 0 everywhere if there is no job.

    Notes
    -----
    Ties: a job with exactly the value of a point counts. Cost: as `share_above`.
    """
    return np.searchsorted(np.sort(values), axis, side="right") / max(1, len(values))
