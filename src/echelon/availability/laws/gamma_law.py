"""Gamma: times that are sums of exponential ones, or as mixed."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.availability.laws.law import check_positive
from echelon.gamma import gamma_cdf, gamma_log_density

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn


@dataclass(frozen=True, slots=True)
class Gamma:
    """Gamma: the density is proportional to x^(shape - 1) exp(-x / scale).

    Parameters
    ----------
    shape : float
        Exponent, a ratio, > 0: below 1 short times are more frequent than an exponential law has them.
    scale : float
        In seconds, > 0; the mean is shape x scale.

    Raises
    ------
    InputError
        If a parameter is not a finite number > 0.

    Notes
    -----
    An interval hit by a random instant is gamma distributed, too, with shape + 1.
    **Cost**: O(n); `cdf` O(n √shape).
    """

    shape: float
    scale: float = field(metadata={"unit": "s"})

    name: ClassVar[str] = "gamma"
    source: ClassVar[str] = "no paper: a textbook distribution"

    def __post_init__(self) -> None:
        check_positive(self.name, shape=self.shape, scale=self.scale)
        check_positive(self.name, mean=self.mean)

    @property
    def mean(self) -> float:
        """Mean, in seconds."""
        return self.shape * self.scale

    def sample(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times."""
        return rng.standard_gamma(self.shape, n) * self.scale

    def remaining(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times left at a random instant."""
        return rng.standard_gamma(self.shape + 1.0, n) * self.scale * rng.random(n)

    def log_density(self, x: FloatColumn) -> FloatColumn:
        """Return the logarithm of the density at each `x`; at 0 it is the limit from above."""
        least = np.finfo(np.float64).tiny
        inside = gamma_log_density(np.maximum(x, least), self.shape, self.scale)
        return np.where(x < 0, -np.inf, inside)

    def cdf(self, x: FloatColumn) -> FloatColumn:
        """Return the share at or below each `x`."""
        return gamma_cdf(x, self.shape, self.scale)
