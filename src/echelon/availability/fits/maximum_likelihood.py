"""Maximum likelihood: the parameters of each law that make given times most likely."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

import numpy as np

from echelon.availability.laws.distributions import Exponential, Gamma, Lognormal, Weibull
from echelon.errors import InputError
from echelon.gamma import fit_gamma

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn

_MOST_STEPS = 200
_PRECISION = 1e-13


def likeliest_exponential(times: FloatColumn) -> Exponential:
    """Return the exponential law of the times' mean.

    Parameters
    ----------
    times : FloatColumn, shape (n,)
        In seconds, each > 0, at least one.

    Raises
    ------
    InputError
        As `check_times`.
    """
    return Exponential(float(check_times(times, 1).mean()))


def likeliest_lognormal(times: FloatColumn) -> Lognormal:
    """Return the lognormal law with mean and standard deviation (n, not n - 1) of the logarithms of hours.

    Parameters
    ----------
    times : FloatColumn, shape (n,)
        In seconds, each > 0, at least two that differ.

    Raises
    ------
    InputError
        As `check_times`.
    """
    logs = np.log(check_times(times, 2) / 3600.0)
    return Lognormal(float(logs.mean()), float(logs.std()), "h")


def likeliest_gamma(times: FloatColumn) -> Gamma:
    """Return the gamma law of greatest likelihood; its mean is the times'.

    Parameters
    ----------
    times : FloatColumn, shape (n,)
        In seconds, each > 0, at least two that differ.

    Raises
    ------
    InputError
        As `check_times`.
    """
    sample = check_times(times, 2)
    return Gamma(*fit_gamma(float(sample.mean()), float(np.log(sample).mean())))


def likeliest_weibull(times: FloatColumn) -> Weibull:
    """Return the Weibull law of greatest likelihood.

    Parameters
    ----------
    times : FloatColumn, shape (n,)
        In seconds, each > 0, at least two that differ.

    Raises
    ------
    InputError
        As `check_times`.

    Notes
    -----
    The shape k solves sum(x^k ln x) / sum(x^k) - 1/k = mean(ln x), whose left side rises with k: Newton's
    steps, halved or doubled where one would leave the positive numbers. It starts at the shape by which the
    logarithms have the standard deviation that they have, pi / (k sqrt 6). Cost: O(n) a step, about six.

    Source: Menon, Technometrics 5(2), 1963, for the start.
    """
    logs = np.log(check_times(times, 2))
    middle = float(logs.mean())
    centered = logs - middle
    shape = math.pi / (math.sqrt(6.0) * float(centered.std()))
    for _ in range(_MOST_STEPS):
        powers = shape * centered
        weights = np.exp(powers - powers.max())
        total = float(weights.sum())
        first = float(weights @ centered) / total
        second = float(weights @ centered**2) / total
        step = (first - 1.0 / shape) / (second - first * first + 1.0 / shape**2)
        step = min(max(step, -shape), shape / 2)
        shape -= step
        if abs(step) <= _PRECISION * shape:
            break
    powers = shape * centered
    most = float(powers.max())
    log_scale = middle + (most + math.log(float(np.exp(powers - most).mean()))) / shape
    return Weibull(shape, math.exp(log_scale))


def check_times(times: FloatColumn, fewest: int) -> FloatColumn:
    """Return times that a law can be fitted to.

    Raises
    ------
    InputError
        If one is not a finite number > 0, or fewer differ than the law has parameters.
    """
    sample = np.asarray(times, dtype=np.float64)
    wrong = ~((sample > 0) & np.isfinite(sample))
    if wrong.any():
        raise InputError(f"must be finite numbers > 0, got {sample[wrong][0]:g}", field="times to fit")
    if len(sample) < fewest or (fewest > 1 and sample.min() == sample.max()):
        raise InputError(f"must be at least {fewest} that differ, got {len(sample)}", field="times to fit")
    return sample
