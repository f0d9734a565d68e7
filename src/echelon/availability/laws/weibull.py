"""Weibull: times whose hazard falls or rises as a power of age."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.availability.laws.law import check_positive

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn


@dataclass(frozen=True, slots=True)
class Weibull:
    """Weibull: F(x) = 1 - exp(-(x / scale)^shape); below shape 1 failures come in clusters.

    Parameters
    ----------
    shape : float
        Exponent, a ratio, > 0: below 1 a node that just came back fails soonest, at 1 the law is exponential.
    scale : float
        In seconds, > 0. It is not the mean, which is scale x Gamma(1 + 1 / shape): for shape 0.48 twice that.

    Raises
    ------
    InputError
        If a parameter is not a finite number > 0, or the mean is too large for a float64.

    Notes
    -----
    Where a random instant hits an interval, (X / scale)^shape is gamma distributed with shape 1 + 1 / shape.
    **Cost**: O(n).
    """

    shape: float
    scale: float = field(metadata={"unit": "s"})

    name: ClassVar[str] = "weibull"
    source: ClassVar[str] = "no paper: a textbook distribution"

    def __post_init__(self) -> None:
        check_positive(self.name, shape=self.shape, scale=self.scale)
        check_positive(self.name, mean=self.mean)

    @property
    def mean(self) -> float:
        """Mean, in seconds."""
        logarithm = math.log(self.scale) + math.lgamma(1.0 + 1.0 / self.shape)
        return math.exp(logarithm) if logarithm < 700.0 else math.inf

    def sample(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times."""
        return self.scale * rng.standard_exponential(n) ** (1.0 / self.shape)

    def remaining(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times left at a random instant."""
        whole = rng.standard_gamma(1.0 + 1.0 / self.shape, n) ** (1.0 / self.shape)
        return self.scale * whole * rng.random(n)

    def log_density(self, x: FloatColumn) -> FloatColumn:
        """Return the logarithm of the density at each `x`."""
        with np.errstate(divide="ignore"):
            logs = np.log(np.maximum(x, 0.0) / self.scale)
        # At 0 the density is infinite below shape 1, and 0 above.
        bent = (self.shape - 1.0) * logs if self.shape != 1.0 else np.zeros_like(logs)
        inside = math.log(self.shape / self.scale) + bent - np.exp(self.shape * logs)
        return np.where(x < 0, -np.inf, inside)

    def cdf(self, x: FloatColumn) -> FloatColumn:
        """Return the share at or below each `x`."""
        return -np.expm1(-((np.maximum(x, 0.0) / self.scale) ** self.shape))
