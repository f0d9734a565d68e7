"""Fitting the sizes of jobs: shares of serial jobs and powers of 2, and the two stages of the others."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn

    Floats = NDArray[np.float64]

_STEPS = 25
_LEAST = 1e-12
_PLACES = 400


def fit_sizes(sizes: IntColumn, processors: int) -> dict[str, float]:
    """Return the parameters of the sizes that make a log's sizes most likely.

    Parameters
    ----------
    sizes : ndarray of int, shape (n_jobs,)
        1 to `processors`.
    processors : int
        Of the machine; log2 of it is ``uhi``, as in the model.

    Returns
    -------
    dict of str to float
        ``serial, pow2, ulow, umed, uhi, uprob``.

    Notes
    -----
    A parallel job whose size is a power of 2 may have been meant so or have come so by chance. For every pair
    (``ulow``, ``umed``) of a grid the probabilities follow by expectation and maximization; the
    likeliest pair wins, and a finer grid around it is tried, three times. ``uprob`` is bound: it makes
    the mean size the log's, since a few large jobs hold much of a load and little of a likelihood.

    Ties: the pair with the smaller ``ulow``, then ``umed``. Cost: O(g s) for g = 400 pairs and s different
    sizes; about 0.5 s for a log.
    """
    uhi = math.log2(processors)
    if processors == 1:
        return {"serial": 1.0, "pow2": 0.0, "ulow": 0.0, "umed": 0.0, "uhi": 0.0, "uprob": 1.0}
    values, counts = np.unique(sizes, return_counts=True)
    # From 0.6 on no parallel job comes out serial by rounding.
    least = min(0.6, uhi)
    lows = np.linspace(least, uhi, 21)
    meds = np.linspace(least, uhi, 33)
    best: tuple[float, ...] = ()
    for _ in range(4):
        pairs = np.array([(low, med) for low in lows for med in meds if low <= med <= uhi])
        best = _find_likeliest(values, counts / counts.sum(), pairs, uhi)
        lows = _grid_around(best[0], lows, least, uhi)
        meds = _grid_around(best[1], meds, least, uhi)
    ulow, umed, serial, pow2, uprob = best
    return {"serial": serial, "pow2": pow2, "ulow": ulow, "umed": umed, "uhi": uhi, "uprob": uprob}


def _grid_around(best: float, grid: FloatColumn, least: float, most: float) -> FloatColumn:
    """Return a grid a quarter as wide in steps around the best value."""
    step = grid[1] - grid[0] if len(grid) > 1 else 0.0
    return np.unique(np.clip(best + np.linspace(-step, step, 9), least, most))


def _find_likeliest(values: IntColumn, shares: FloatColumn, pairs: Floats, uhi: float) -> tuple[float, ...]:
    """Return ulow, umed, serial, pow2 and uprob of the likeliest pair."""
    low, high = pairs[:, 0], pairs[:, 1]
    top = np.full(len(pairs), uhi)
    # Chance of each size, by pair, in the four classes of parallel jobs.
    classes = [
        chance(values, start, end, uhi)
        for chance in (_chance_of_powers, _chance_of_others)
        for start, end in ((low, high), (high, top))
    ]
    means = [_mean_sizes(start, end, uhi) for start, end in ((low, high), (high, top))]
    mean = float(values @ shares)
    serial_here = np.broadcast_to(values == 1, classes[0].shape).astype(np.float64)
    weights = np.tile([0.2, 0.5, 0.7], (len(pairs), 1))
    likelihood = np.full(len(pairs), -np.inf)
    for _ in range(_STEPS):
        serial, pow2, uprob = weights[:, :1], weights[:, 1:2], weights[:, 2:]
        other = np.maximum(0.0, 1.0 - serial - pow2)
        joint = [
            serial * serial_here,
            pow2 * uprob * classes[0],
            pow2 * (1 - uprob) * classes[1],
            other * uprob * classes[2],
            other * (1 - uprob) * classes[3],
        ]
        total = np.maximum(sum(joint), _LEAST)
        likelihood = np.log(total) @ shares
        held = [(part / total) @ shares for part in joint]
        parallel = np.maximum(_LEAST, sum(held[1:]))
        powers = held[1] + held[2]
        lower = _lower_stage(
            means, powers / parallel, (mean - held[0]) / parallel, (held[1] + held[3]) / parallel
        )
        weights = np.stack([held[0], powers, lower], axis=1)
    best = int(np.argmax(likelihood))
    serial, pow2, uprob = weights[best].tolist()
    return (*pairs[best].tolist(), min(serial, 1.0), min(pow2, 1.0 - min(serial, 1.0)), min(uprob, 1.0))


def _mean_sizes(start: FloatColumn, end: FloatColumn, uhi: float) -> tuple[FloatColumn, FloatColumn]:
    """Return the mean size of a stage's powers of 2, and of its other jobs, by pair."""
    exponent = start[:, None] + (end - start)[:, None] * np.linspace(0.0, 1.0, _PLACES)
    power = np.exp2(np.minimum(np.floor(exponent + 0.5), math.floor(uhi)))
    return power.mean(axis=1), np.floor(np.exp2(exponent) + 0.5).mean(axis=1)


def _lower_stage(
    means: list[tuple[FloatColumn, FloatColumn]],
    powers: FloatColumn,
    wanted: FloatColumn,
    otherwise: FloatColumn,
) -> FloatColumn:
    """Return the probability of the lower stage that makes the mean of the parallel jobs the wanted one."""
    low, high = (powers * power + (1.0 - powers) * other for power, other in means)
    apart = high - low
    chance = np.clip((high - wanted) / np.where(apart > _LEAST, apart, 1.0), 0.0, 1.0)
    return np.where(apart > _LEAST, chance, otherwise)


def _chance_of_powers(values: IntColumn, start: FloatColumn, end: FloatColumn, uhi: float) -> Floats:
    """Return the chance of each size when the exponent, uniform in [start, end], is rounded."""
    exponent: FloatColumn = np.round(np.log2(values)).astype(np.float64)
    power = 2.0**exponent == values
    above = np.where(exponent == math.floor(uhi), np.inf, exponent + 0.5)
    return np.where(power, _overlap(exponent - 0.5, above, start, end), 0.0)


def _chance_of_others(values: IntColumn, start: FloatColumn, end: FloatColumn, uhi: float) -> Floats:
    """Return the chance of each size when the exponent, uniform in [start, end], is not rounded."""
    below = np.where(values == 1, -np.inf, np.log2(values - 0.5))
    above = np.minimum(np.log2(values + 0.5), max(uhi, 0.0))
    return _overlap(below, above, start, end)


def _overlap(below: FloatColumn, above: FloatColumn, start: FloatColumn, end: FloatColumn) -> Floats:
    """Return the share of each [start, end] that lies in each [below, above], shape (pairs, sizes)."""
    first, last = start[:, None], end[:, None]
    inside = np.clip(np.minimum(above, last) - np.maximum(below, first), 0.0, None)
    # A stage without extent is a point, and belongs where it lies.
    point = (below <= first) & (first < above)
    return np.where(last > first, inside / np.maximum(last - first, _LEAST), point)
