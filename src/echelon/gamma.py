"""The gamma distribution: its density, its distribution function, and the fit by greatest likelihood.

Shape a and scale b: mean ab, variance ab². Numpy draws from it but has no distribution function; workload
models (the daily cycle) and laws of failures need one with the core dependencies alone, so it is here.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from numpy.typing import ArrayLike, NDArray

    Floats = NDArray[np.float64]

_PRECISION = 1e-15
_MOST_STEPS = 20_000
_TINY = 1e-300


def gamma_cdf(x: ArrayLike, shape: ArrayLike, scale: ArrayLike) -> Floats:
    r"""Return the share of a gamma distribution at or below `x`: :math:`P(a, x / b)`.

    Parameters
    ----------
    x : array-like
        Any; 0 or less gives 0.
    shape, scale : array-like
        a and b, > 0; the three are broadcast together.

    Notes
    -----
    Below the mean the power series, above it the continued fraction of the complement (modified Lentz), each
    to the precision of float64. Cost: O(n √a) for n values.
    """
    a, z = np.broadcast_arrays(
        np.asarray(shape, dtype=np.float64), np.asarray(x, dtype=np.float64) / np.asarray(scale)
    )
    result = np.zeros(a.shape)
    low = (z > 0) & (z < a + 1)
    high = (z > 0) & ~low
    result[low] = _front(a[low], z[low]) * _series(a[low], z[low])
    result[high] = 1.0 - _front(a[high], z[high]) * _fraction(a[high], z[high])
    return np.clip(result, 0.0, 1.0)


def _front(a: Floats, z: Floats) -> Floats:
    """Return z^a exp(-z) / Γ(a)."""
    return np.exp(a * np.log(z) - z - log_gamma(a))


def _series(a: Floats, z: Floats) -> Floats:
    term = total = 1.0 / a
    for step in range(1, _MOST_STEPS):
        term = term * z / (a + step)
        total = total + term
        if (np.abs(term) <= np.abs(total) * _PRECISION).all():
            break
    return total


def _fraction(a: Floats, z: Floats) -> Floats:
    b = z + 1.0 - a
    c = np.full_like(z, 1.0 / _TINY)
    d = 1.0 / b
    total = d
    for step in range(1, _MOST_STEPS):
        numerator = -step * (step - a)
        b = b + 2.0
        d = 1.0 / _not_zero(numerator * d + b)
        c = _not_zero(b + numerator / c)
        total = total * d * c
        if (np.abs(d * c - 1.0) <= _PRECISION).all():
            break
    return total


def _not_zero(values: Floats) -> Floats:
    return np.where(np.abs(values) < _TINY, _TINY, values)


def gamma_log_density(x: Floats, shape: float, scale: float) -> Floats:
    """Return the logarithm of the density at each `x` > 0."""
    constant = math.lgamma(shape) + shape * math.log(scale)
    return (shape - 1.0) * np.log(x) - x / scale - constant


def fit_gamma(mean: float, mean_log: float) -> tuple[float, float]:
    """Return the shape and scale of greatest likelihood for values of this mean and mean logarithm.

    Parameters
    ----------
    mean : float
        Of the values, > 0.
    mean_log : float
        Of their logarithms; below log(mean) unless all are equal.

    Returns
    -------
    tuple of float
        Shape, at most 100,000 (all values equal), and scale.

    Notes
    -----
    Solves log(a) - digamma(a) = log(mean) - mean_log by Newton steps in 1/a.

    Source: Minka, Microsoft Research 2002.
    """
    gap = max(math.log(mean) - mean_log, 5e-6)
    shape = (3.0 - gap + math.sqrt((gap - 3.0) ** 2 + 24.0 * gap)) / (12.0 * gap)
    for _ in range(60):
        slope = 1.0 / shape - _trigamma(shape)
        step = (math.log(shape) - digamma(shape) - gap) / (shape * shape * slope)
        inverse = 1.0 / shape + step
        new = 1.0 / inverse if inverse > 0 else shape / 2
        if abs(new - shape) <= 1e-12 * shape:
            break
        shape = new
    shape = min(max(shape, 1e-3), 1e5)
    return shape, mean / shape


def log_gamma(x: Floats) -> Floats:
    """Return ln Γ of each value; the shapes of one call are few, so each is computed once."""
    values, places = np.unique(x, return_inverse=True)
    return np.array([math.lgamma(value) for value in values.tolist()])[places].reshape(x.shape)


def digamma(x: float) -> float:
    """Return the derivative of ln Γ at `x` > 0."""
    result = 0.0
    while x < 10.0:
        result -= 1.0 / x
        x += 1.0
    square = 1.0 / (x * x)
    tail = square * (1 / 12 - square * (1 / 120 - square * (1 / 252 - square * (1 / 240 - square / 132))))
    return result + math.log(x) - 0.5 / x - tail


def _trigamma(x: float) -> float:
    result = 0.0
    while x < 10.0:
        result += 1.0 / (x * x)
        x += 1.0
    square = 1.0 / (x * x)
    tail = square * (1 / 6 - square * (1 / 30 - square * (1 / 42 - square * (1 / 30 - 5 * square / 66))))
    return result + 1.0 / x + square / 2 + tail / x
