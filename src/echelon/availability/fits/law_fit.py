"""LawFit: a law fitted to times, and how well it fits them."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.availability.fits.maximum_likelihood import (
    likeliest_exponential,
    likeliest_gamma,
    likeliest_lognormal,
    likeliest_weibull,
)
from echelon.availability.laws.registry import LAW

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from echelon.availability.laws.law import Law
    from echelon.model.jobs.columns import FloatColumn

FITTED: Mapping[str, Callable[[FloatColumn], Law]] = {
    "exponential": likeliest_exponential,
    "weibull": likeliest_weibull,
    "lognormal": likeliest_lognormal,
    "gamma": likeliest_gamma,
}
"""How each law is fitted, in the sequence of the tables."""


@dataclass(frozen=True, slots=True)
class LawFit:
    """A law, and how well it fits.

    Parameters
    ----------
    law : Law
        With the parameters of greatest likelihood.
    log_likelihood : float
        Sum of the logarithms of its density, per second, at the times; the largest fits best.
    distance : float
        Greatest distance between its distribution function and that of the times, 0 to 1 (Kolmogorov and
        Smirnov).
    """

    law: Law
    log_likelihood: float
    distance: float

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON: times in seconds."""
        return {
            "law": self.law.name,
            **asdict(self.law),  # type: ignore[call-overload]
            "words": LAW.format(self.law),
            "mean": self.law.mean,
            "log_likelihood": self.log_likelihood,
            "ks_distance": self.distance,
        }


@dataclass(frozen=True, slots=True)
class TimeSample:
    """Times of one kind in a trace, and the laws fitted to them.

    Parameters
    ----------
    n : int
        How many there are.
    zeros : int
        How many of them are 0 (or less, where outages overlap): no law has them, and fits leave them out.
    mean, median : float
        Of all of them, zeros included, in seconds; nan if there is none.
    mean_positive : float
        Of those > 0, in seconds; nan if there is none.
    fits : tuple of LawFit
        In the sequence of `FITTED`; empty if fewer than two times > 0 differ.
    """

    n: int
    zeros: int
    mean: float
    median: float
    mean_positive: float
    fits: tuple[LawFit, ...]

    @property
    def best(self) -> LawFit | None:
        """The fit of greatest likelihood; the first on a tie."""
        return max(self.fits, key=lambda fit: fit.log_likelihood, default=None)

    def fit(self, name: str) -> LawFit:
        """Return the fit of one law by name; KeyError if nothing could be fitted."""
        return {fit.law.name: fit for fit in self.fits}[name]

    def to_dict(self) -> dict[str, Any]:
        """Return it as plain values for JSON: times in seconds."""
        return {
            **{name: getattr(self, name) for name in ("n", "zeros", "mean", "median", "mean_positive")},
            "best": None if self.best is None else self.best.law.name,
            "fits": [fit.to_dict() for fit in self.fits],
        }


def fit_laws(times: FloatColumn) -> TimeSample:
    """Return times in figures, with the laws that make those > 0 most likely.

    Parameters
    ----------
    times : FloatColumn, shape (n,)
        In seconds, finite.

    Notes
    -----
    Cost: O(n log n).
    """
    positive = np.sort(times[times > 0])
    n, differ = len(times), len(positive) > 1 and positive[0] < positive[-1]
    return TimeSample(
        n,
        n - len(positive),
        float(times.mean()) if n else np.nan,
        float(np.median(times)) if n else np.nan,
        float(positive.mean()) if len(positive) else np.nan,
        tuple(_fit(make(positive), positive) for make in FITTED.values()) if differ else (),
    )


def _fit(law: Law, ascending: FloatColumn) -> LawFit:
    share = law.cdf(ascending)
    n = len(ascending)
    above = np.arange(1, n + 1) / n - share
    below = share - np.arange(n) / n
    return LawFit(
        law,
        float(law.log_density(ascending).sum()),
        float(max(above.max(initial=0.0), below.max(initial=0.0))),
    )
