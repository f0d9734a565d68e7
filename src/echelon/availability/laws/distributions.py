"""The textbook laws: exponential, Weibull, lognormal, gamma and constant times."""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, Literal, TypeAlias

import numpy as np

from echelon.availability.laws.law import check_positive
from echelon.errors import InputError, UnknownNameError
from echelon.gamma import gamma_cdf, gamma_log_density
from echelon.rules.parameter import SECONDS_OF

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


@dataclass(frozen=True, slots=True)
class Constant:
    """Constant: always the same time, ``constant:3d``.

    Parameters
    ----------
    time : float
        In seconds, >= 0.

    Raises
    ------
    InputError
        If the time is not a finite number >= 0.

    Notes
    -----
    **Cost**: O(n).
    """

    time: float = field(metadata={"unit": "s"})

    name: ClassVar[str] = "constant"
    bare_word: ClassVar[str] = "time"
    source: ClassVar[str] = "no paper: a textbook distribution"

    def __post_init__(self) -> None:
        if not 0 <= self.time < math.inf:
            raise InputError(f"must be a finite number >= 0, got {self.time:g}", field=f"{self.name}, time")

    @property
    def mean(self) -> float:
        """The time itself, in seconds."""
        return self.time

    def sample(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return the time, `n` times; nothing is drawn."""
        return np.full(n, self.time, dtype=np.float64)

    def remaining(self, rng: np.random.Generator, n: int) -> FloatColumn:
        """Return `n` times left at a random instant: uniform from 0 to the time."""
        return rng.random(n) * self.time

    def log_density(self, x: FloatColumn) -> FloatColumn:
        """Return 0, the logarithm of all probability, at the time, and minus infinity elsewhere."""
        return np.where(x == self.time, 0.0, -np.inf)

    def cdf(self, x: FloatColumn) -> FloatColumn:
        """Return 0 below the time, and 1 from it on."""
        return (x >= self.time).astype(np.float64)
