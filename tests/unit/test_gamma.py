"""The gamma distribution, against closed forms and known values."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.gamma import (
    digamma,
    fit_gamma,
    gamma_cdf,
    gamma_log_density,
    log_gamma,
)


def poisson_tail(n, z):
    """Return P(n, z) for whole n: the chance of n or more events when z are expected."""
    return 1 - sum(math.exp(-z + k * math.log(z) - math.lgamma(k + 1)) for k in range(n))


@pytest.mark.parametrize("n", [1, 2, 7, 40, 300])
@pytest.mark.parametrize("ratio", [0.1, 0.7, 0.99, 1.0, 1.01, 1.5, 4.0])
def test_whole_shapes_are_sums_of_poisson_terms(n, ratio):
    """For whole shapes the distribution function has a closed form, on both sides of the mean."""
    assert gamma_cdf(n * ratio * 3.0, n, 3.0) == pytest.approx(poisson_tail(n, n * ratio), abs=1e-11)


@pytest.mark.parametrize("z", [1e-6, 0.2, 1.0, 3.0, 20.0])
def test_shape_one_half_is_the_error_function(z):
    """P(1/2, z) is erf(sqrt(z))."""
    assert gamma_cdf(z, 0.5, 1.0) == pytest.approx(math.erf(math.sqrt(z)), rel=1e-12)


def test_a_tabulated_value():
    """The 95 % quantile of chi-square with 10 degrees of freedom is 18.307 in every table."""
    assert gamma_cdf(18.307038, 5, 2) == pytest.approx(0.95, abs=1e-8)


def test_it_broadcasts_and_is_zero_below_zero():
    """Arrays of x, shape and scale go together; nothing lies at or below 0."""
    found = gamma_cdf([[-1.0, 0.0, 5.0]], [[1.0], [2.0]], 1.0)
    assert found.shape == (2, 3)
    assert found[:, :2].tolist() == [[0.0, 0.0], [0.0, 0.0]]
    assert found[:, 2] == pytest.approx([1 - math.exp(-5), 1 - 6 * math.exp(-5)])


def test_the_density_is_the_slope_of_the_distribution_function():
    """A small difference of the one is the other, for a narrow distribution, too."""
    for shape, scale in ((4.2, 0.94), (639.1, 0.0156)):
        x, step = shape * scale * 1.02, 1e-5
        slope = (gamma_cdf(x + step, shape, scale) - gamma_cdf(x - step, shape, scale)) / (2 * step)
        assert math.exp(gamma_log_density(np.array([x]), shape, scale)[0]) == pytest.approx(slope, rel=1e-6)


def test_known_values_of_digamma():
    """At 1 it is minus Euler's constant, and it grows by 1/x."""
    assert digamma(1.0) == pytest.approx(-0.57721566490153286, abs=1e-12)
    assert digamma(4.5) - digamma(3.5) == pytest.approx(1 / 3.5, abs=1e-12)


def test_log_gamma_keeps_the_shape_of_its_argument():
    """Repeated shapes are computed once and put back where they were."""
    assert log_gamma(np.array([[1.0, 5.0], [5.0, 2.0]])) == pytest.approx(
        np.log([[1.0, 24.0], [24.0, 1.0]]), abs=1e-12
    )


@pytest.mark.parametrize(("shape", "scale"), [(0.3, 2.0), (4.2, 0.94), (312.0, 0.03), (20_000.0, 1e-3)])
def test_the_fit_finds_the_shape(shape, scale):
    """From the exact mean and mean logarithm the fit returns the parameters themselves."""
    found = fit_gamma(shape * scale, digamma(shape) + math.log(scale))
    assert found == pytest.approx((shape, scale), rel=1e-6)


def test_equal_values_have_a_large_shape_and_the_right_mean():
    """Values that do not vary end at the largest shape instead of a division by zero."""
    shape, scale = fit_gamma(7.0, math.log(7.0))
    assert shape == pytest.approx(1e5, rel=1e-3)
    assert shape * scale == pytest.approx(7.0)
