"""Lognormal: times whose logarithms are normal."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

import numpy as np

from echelon.availability.laws.law import check_positive
from echelon.errors import InputError, UnknownNameError
from echelon.rules.parameter import SECONDS_OF

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn

Unit: TypeAlias = Literal["s", "min", "h", "d", "w", "y"]
"""Units of the time whose logarithm is taken."""

_erf = np.vectorize(math.erf, otypes=[np.float64])


@dataclass(frozen=True, slots=True)
class Lognormal:
    """Lognormal: ln(x / unit) is normal with mean mu and standard deviation sigma.

    Parameters
    ----------
    mu : float
        Mean of the natural logarithm of the time counted in `unit` (a factor exp(mu): the median in `unit`).
    sigma : float
        Standard deviation of that logarithm, > 0: a ratio of times, whatever the unit.
    unit : {"s", "min", "h", "d", "w", "y"}, default "s"
        In which the time is counted: papers fit hours.

    Raises
    ------
    InputError
        If mu is not finite, sigma is not a finite number > 0, or the mean is too large for a float64.
    UnknownNameError
        If the unit is unknown.

    Notes
    -----
    Where a random instant hits an interval, ln X is normal with mean mu + sigma².
    **Cost**: O(n).
    """

    mu: float
    sigma: float
    unit: Unit = "s"

    name: ClassVar[str] = "lognormal"
    source: ClassVar[str] = "no paper: a textbook distribution"

    def __post_init__(self) -> None:
        if self.unit not in SECONDS_OF:
            raise UnknownNameError("unit of time", str(self.unit), SECONDS_OF)
        if not math.isfinite(self.mu):
            raise InputError(f"must be a finite number, got {self.mu:g}", field=f"{self.name}, mu")
        check_positive(self.name, sigma=self.sigma)
        check_positive(self.name, mean=self.mean)

    @property
    def _mu(self) -> float:
        """Mean of the logarithm of seconds."""
        return self.mu + math.log(SECONDS_OF[self.unit])

    @property
    def mean(self) -> float:
        """Mean, in seconds."""
        logarithm = self._mu + self.sigma**2 / 2
        return math.exp(logarithm) if logarithm < 700.0 else math.inf

    def sample(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times."""
        return np.exp(self._mu + self.sigma * rng.standard_normal(n))

    def remaining(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times left at a random instant."""
        return np.exp(self._mu + self.sigma**2 + self.sigma * rng.standard_normal(n)) * rng.random(n)

    def log_density(self, x: FloatColumn) -> FloatColumn:
        """Return the logarithm of the density at each `x`."""
        positive = x > 0
        logs = np.log(np.where(positive, x, 1.0))
        inside = -(((logs - self._mu) / self.sigma) ** 2) / 2 - logs
        return np.where(positive, inside - math.log(self.sigma * math.sqrt(2 * math.pi)), -np.inf)

    def cdf(self, x: FloatColumn) -> FloatColumn:
        """Return the share at or below each `x`."""
        positive = x > 0
        logs = np.log(np.where(positive, x, 1.0))
        share = 0.5 * (1.0 + _erf((logs - self._mu) / (self.sigma * math.sqrt(2.0))))
        return np.where(positive, share, 0.0)
