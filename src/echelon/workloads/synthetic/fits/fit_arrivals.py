"""Fitting arrivals: the daily cycle, and the gaps with the cycle taken out."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.gamma import gamma_cdf
from echelon.workloads.synthetic.daily_cycle import (
    BUCKET,
    BUCKETS,
    FIRST,
    LONGEST_GAP,
    bucket_clock,
    bucket_weights,
    points_at,
)
from echelon.workloads.synthetic.fits.fit_cut import fit_cut

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn

_ZOOMS = 6
_STEPS = 17
_MOST_SHAPE = 1e6
_GRID = 2000
_LEAST_VARIANCE = 1e-3
_LEAST_SPREAD = 0.5


def fit_arrivals(time_of_day: FloatColumn, time: FloatColumn) -> dict[str, float]:
    """Return the parameters of the arrivals of a log.

    Parameters
    ----------
    time_of_day : ndarray of float, shape (n_jobs,)
        Seconds since midnight on the clock of the site.
    time : ndarray of float, shape (n_jobs,)
        The same moments in seconds since a midnight, ascending; no clock is changed in them.

    Returns
    -------
    dict of str to float
        ``aarr, barr, anum, bnum, arar, longest_gap``.

    Notes
    -----
    The daily cycle is the gamma distribution that makes the arrivals in the 48 half hours most likely. With
    the cycle taken out, gaps are points; ``aarr`` and ``barr`` are the shape and scale with mean and variance
    of their logarithms (gaps below a second's points count as one). If that makes the mean gap longer than
    the log's, ``longest_gap`` cuts the tail, see `fit_cut`; if shorter, ``arar`` makes it as
    long. A weekly cycle, which the model has none of, goes into the gaps' spread.

    Cost: O(n).
    """
    anum, bnum = fit_cycle(np.bincount((time_of_day // BUCKET).astype(np.int64) % BUCKETS, minlength=BUCKETS))
    clock = bucket_clock(bucket_weights(anum, bnum))
    gaps = np.diff(points_at(time, clock)) * BUCKET
    logs = np.log(np.maximum(gaps, 1.0))
    mean, variance = max(float(logs.mean()), 1e-3), max(float(logs.var()), _LEAST_VARIANCE)
    aarr, barr = min(mean * mean / variance, _MOST_SHAPE), variance / mean
    usual = max(LONGEST_GAP, 2 * float(gaps.max()))
    cut, reached = fit_cut(gaps, lambda x: gamma_cdf(x, aarr, barr), usual)
    wanted = float(gaps.mean())
    return {
        "aarr": aarr,
        "barr": barr,
        "anum": anum,
        "bnum": bnum,
        "arar": _factor(aarr, barr, cut, wanted) if reached < wanted else 1.0,
        "longest_gap": cut,
    }


def fit_cycle(counts: IntColumn) -> tuple[float, float]:
    """Return shape and scale of the daily cycle that makes the arrivals in each half hour most likely.

    Parameters
    ----------
    counts : ndarray of int, shape (48,)
        Arrivals from midnight on.

    Notes
    -----
    A grid over mean and standard deviation of the gamma distribution, made finer around the likeliest point,
    six times. Cost: a fifth of a second.
    """
    placed = np.roll(counts, -(FIRST - 1)).astype(np.float64)
    edges = np.arange(FIRST, FIRST + BUCKETS + 1) - 0.5
    means, spreads = np.linspace(12.0, 57.0, _STEPS), np.geomspace(1.0, 100.0, _STEPS)
    mean = spread = 1.0
    for _ in range(_ZOOMS):
        m, s = (grid.ravel()[:, None] for grid in np.meshgrid(means, spreads))
        share = np.diff(gamma_cdf(edges, m * m / (s * s), s * s / m), axis=1)
        inside = share.sum(axis=1, keepdims=True)
        likelihood = np.log(np.maximum(share / np.maximum(inside, 1e-12), 1e-300)) @ placed
        best = int(np.argmax(np.where(inside[:, 0] > 1e-3, likelihood, -np.inf)))
        mean, spread = float(m[best, 0]), float(s[best, 0])
        step, ratio = (means[1] - means[0]) * 1.5, (spreads[1] / spreads[0]) ** 1.5
        means = np.linspace(max(1.0, mean - step), mean + step, _STEPS)
        spreads = np.geomspace(max(_LEAST_SPREAD, spread / ratio), spread * ratio, _STEPS)
    return mean * mean / (spread * spread), spread * spread / mean


def _factor(shape: float, scale: float, cut: float, wanted: float) -> float:
    """Return the factor of the shape with which the mean of exp(gamma), below the cut, is `wanted`."""
    low, high = 1e-3, min(1e3, _MOST_SHAPE / shape)
    for _ in range(50):
        middle = math.sqrt(low * high)
        if mean_gap(shape * middle, scale, cut) < wanted:
            low = middle
        else:
            high = middle
    return math.sqrt(low * high)


def mean_gap(shape: float, scale: float, cut: float) -> float:
    """Return the mean of exp(g), in seconds, of g gamma distributed and at most ln(cut).

    Cost: 2,000 points of the distribution function.
    """
    edges = np.linspace(0.0, math.log(cut), _GRID + 1)
    share = np.diff(gamma_cdf(edges, shape, scale))
    inside = share.sum()
    # A shape so large that nothing of it is below the cut: the gaps are all as long as they can be.
    return float(share @ np.exp((edges[1:] + edges[:-1]) / 2)) / inside if inside > 0 else cut
