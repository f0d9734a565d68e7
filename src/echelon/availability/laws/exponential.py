"""Exponential: times without memory."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.availability.laws.law import check_positive

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn


@dataclass(frozen=True, slots=True)
class Exponential:
    """Exponential: F(x) = 1 - exp(-x / mean); a failure is as likely in every second.

    Parameters
    ----------
    mean : float
        Mean, in seconds, > 0.

    Raises
    ------
    InputError
        If the mean is not a finite number > 0.

    Notes
    -----
    **Cost**: O(n).
    """

    mean: float = field(metadata={"unit": "s"})

    name: ClassVar[str] = "exponential"
    source: ClassVar[str] = "no paper: a textbook distribution"

    def __post_init__(self) -> None:
        check_positive(self.name, mean=self.mean)

    def sample(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times."""
        return rng.standard_exponential(n) * self.mean

    def remaining(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times left: without memory they are as long as whole ones."""
        return self.sample(rng, n)

    def log_density(self, x: FloatColumn) -> FloatColumn:
        """Return the logarithm of the density at each `x`."""
        return np.where(x < 0, -np.inf, -x / self.mean - math.log(self.mean))

    def cdf(self, x: FloatColumn) -> FloatColumn:
        """Return the share at or below each `x`."""
        return -np.expm1(-np.maximum(x, 0.0) / self.mean)
