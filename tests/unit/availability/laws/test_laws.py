"""The laws: moments, densities, distribution functions, times left at a random instant, and their specs."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.availability.laws import Constant, Exponential, Gamma, Lognormal, Weibull, format_law, law_named
from echelon.errors import InputError, UnknownNameError

HOUR = 3600.0
LAWS = [
    Exponential(2 * HOUR),
    Weibull(0.6, 3 * HOUR),
    Weibull(2.5, 3 * HOUR),
    Lognormal(0.05, 0.8, "h"),
    Gamma(0.4, 5 * HOUR),
    Gamma(3.0, 0.5 * HOUR),
]
N = 20_000
SURE = 1.95 / math.sqrt(N)
"""Distance of N draws from their distribution that one sample in a thousand exceeds."""


def distance(sample, cdf):
    """Return the greatest distance of a sample's distribution from `cdf`, a function of ascending times."""
    share = cdf(np.sort(sample))
    place = np.arange(len(sample))
    return max((share - place / len(sample)).max(), ((place + 1) / len(sample) - share).max())


@pytest.mark.parametrize("law", LAWS, ids=format_law)
def test_draws_follow_the_distribution_function(law):
    """The distribution of 20,000 draws is as near to `cdf` as 999 of 1,000 samples are."""
    assert distance(law.sample(np.random.default_rng(1), N), law.cdf) < SURE


@pytest.mark.parametrize("law", LAWS, ids=format_law)
def test_the_density_is_the_slope_of_the_distribution_function(law):
    """A small difference of the one is the other, over four orders of magnitude."""
    x = law.mean * np.array([0.01, 0.1, 0.5, 1.0, 3.0])
    step = 1e-5 * x
    slope = (law.cdf(x + step) - law.cdf(x - step)) / (2 * step)
    assert np.exp(law.log_density(x)) == pytest.approx(slope, rel=1e-5)
    assert law.cdf(np.array([-1.0, 0.0])).tolist() == [0.0, 0.0]
    assert law.log_density(np.array([-1.0])).tolist() == [-np.inf]


@pytest.mark.parametrize("law", LAWS, ids=format_law)
def test_times_left_at_a_random_instant_follow_the_integrated_tail(law):
    """The forward recurrence time has the distribution of the integral of (1 - F) / mean, with no burn-in."""
    grid = np.concatenate(([0.0], law.mean * np.geomspace(1e-7, 400.0, 40_000)))
    tail = 1.0 - law.cdf(grid)
    integral = np.concatenate(([0.0], np.cumsum(np.diff(grid) * (tail[1:] + tail[:-1]) / 2))) / law.mean
    # The mean is the integral of the tail, which checks the mean, too.
    assert integral[-1] == pytest.approx(1.0, abs=2e-4)
    left = law.remaining(np.random.default_rng(2), N)
    assert distance(left, lambda x: np.interp(x, grid, integral)) < SURE


def test_means_are_those_of_the_reference():
    """Weibull .4822 / 816.603 h has a mean of 1,750 h, and half of its times are below 382 h."""
    law = Weibull(0.4822, 816.603 * HOUR)
    assert law.mean / HOUR == pytest.approx(1750, abs=0.5)
    assert law.cdf(np.array([382 * HOUR]))[0] == pytest.approx(0.5, abs=1e-3)
    assert Lognormal(0.0483, 1.4159, "h").mean / HOUR == pytest.approx(math.exp(0.0483 + 1.4159**2 / 2))


def test_a_constant_time_is_left_uniformly():
    """All draws are the time; at a random instant any part of it is left."""
    law = Constant(100.0)
    rng = np.random.default_rng(3)
    assert law.sample(rng, 3).tolist() == [100.0] * 3
    assert distance(law.remaining(rng, N), lambda x: x / 100.0) < SURE
    assert law.cdf(np.array([99.9, 100.0])).tolist() == [0.0, 1.0]
    assert law.log_density(np.array([99.9, 100.0])).tolist() == [-np.inf, 0.0]


@pytest.mark.parametrize(
    ("spec", "law"),
    [
        ("exponential:mean=1779.99h", Exponential(1779.99 * HOUR)),
        ("weibull:shape=0.4822,scale=816.603h", Weibull(0.4822, 816.603 * HOUR)),
        ("WEIBULL(shape=0.4822, scale=1d)", Weibull(0.4822, 24 * HOUR)),
        ("lognormal:mu=0.0483,sigma=1.4159,unit=h", Lognormal(0.0483, 1.4159, "h")),
        ("gamma:shape=2:scale=90", Gamma(2.0, 90.0)),
        ("constant:3d", Constant(72 * HOUR)),
    ],
)
def test_specs_are_read_and_written_back(spec, law):
    """Parameters may be separated by commas or colons and have units; the canonical spec reads back."""
    assert law_named(spec) == law
    assert law_named(format_law(law)) == law


@pytest.mark.parametrize(
    ("spec", "error", "said"),
    [
        ("weibul:shape=1,scale=1", UnknownNameError, "did you mean 'weibull'"),
        ("weibull:shap=1,scale=1", UnknownNameError, "did you mean 'shape'"),
        ("weibull:shape=0.5", InputError, "needs scale, got shape"),
        ("exponential", InputError, "needs mean, got nothing"),
        ("exponential:mean=long", InputError, "must be a time in seconds"),
        ("exponential:mean=0", InputError, "must be a finite number > 0, got 0"),
        ("weibull:shape=0.001,scale=1", InputError, "weibull, mean: must be a finite number > 0, got inf"),
        ("lognormal:mu=0,sigma=60", InputError, "lognormal, mean: must be a finite number > 0, got inf"),
        ("lognormal:mu=0,sigma=1,unit=x", InputError, "must be s or min or h or d or w or y"),
        ("gamma:shape=-1,scale=1", InputError, "gamma, shape: must be a finite number > 0, got -1"),
        ("constant:-3", InputError, "must be a finite number >= 0, got -3"),
    ],
)
def test_wrong_specs_are_answered_with_what_is_right(spec, error, said):
    """Names, parameters and ranges: each mistake is named, with the nearest name."""
    with pytest.raises(error) as found:
        law_named(spec)
    assert said in str(found.value)


OWN = """
from dataclasses import dataclass


@dataclass(frozen=True)
class Bathtub:
    early: float = 0.5
    mean = 200.0
    name = "bathtub"

    def sample(self, rng, n):
        return (rng.random(n) < self.early) * 400.0


class Wrong:
    mean = 10.0

    def sample(self, rng, n):
        return [1.0]


class Meanless:
    mean = 0.0

    def sample(self, rng, n):
        return [1.0] * n
"""


def test_a_law_of_your_own(tmp_path):
    """FILE.py:NAME is a law; what it returns is checked, and what it lacks is named where it is needed."""
    file = tmp_path / "laws.py"
    file.write_text(OWN)
    rng = np.random.default_rng(4)
    mine = law_named(f"{file}:Bathtub:early=1")
    assert mine.mean == 200.0
    assert mine.sample(rng, 2).tolist() == [400.0, 400.0]
    assert format_law(law_named(format_law(mine))) == format_law(mine) == f"{file}:Bathtub:early=1"
    with pytest.raises(InputError, match="has no remaining, which is needed here"):
        mine.remaining(rng, 2)
    with pytest.raises(InputError, match="sample must return 2 numbers >= 0, got"):
        law_named(f"{file}:Wrong").sample(rng, 2)
    with pytest.raises(InputError, match="must have a mean > 0"):
        law_named(f"{file}:Meanless")
