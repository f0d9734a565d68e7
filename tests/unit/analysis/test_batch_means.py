"""Batch means: the interval of means of equal pieces of one run."""

import numpy as np
import pytest

from echelon.analysis import (
    batch_means_interval,
    lag_one_autocorrelation,
    neighbors_depend,
    t_interval,
)
from echelon.errors import InputError

pytest.importorskip("scipy")


def test_batches_by_hand():
    """Of 7 observations in 3 batches the first is left out; the interval is that of the three means."""
    found = batch_means_interval([99.0, 1.0, 3.0, 5.0, 7.0, 2.0, 4.0], batches=3)
    assert found.mean == pytest.approx(11 / 3)
    assert found.high == pytest.approx(float(t_interval([2.0, 6.0, 3.0]).high))


def test_dependent_observations_have_a_wider_interval():
    """Where neighbors are alike, single observations feign more certainty than batches."""
    random = np.random.default_rng(4)
    values = np.repeat(random.normal(10, 1, 100), 50)
    by_batches, naive = batch_means_interval(values), t_interval(values)
    assert by_batches.high - by_batches.low > 3 * (naive.high - naive.low)


def test_more_batches_than_observations_are_refused():
    """Too many batches, one batch and tables are refused."""
    with pytest.raises(InputError, match="from 2 to the number of observations, 3"):
        batch_means_interval([1.0, 2.0, 3.0])
    with pytest.raises(InputError, match="from 2"):
        batch_means_interval([1.0, 2.0, 3.0], batches=1)
    with pytest.raises(InputError, match="one row"):
        batch_means_interval([[1.0, 2.0, 3.0]])


def test_lag_one_autocorrelation_by_hand():
    """Of 1, 2, 4, 3 about 2.5: (0.75 - 0.75 + 0.75) / 5 = 0.15; of equal or too few values there is none."""
    assert lag_one_autocorrelation([1.0, 2.0, 4.0, 3.0]) == pytest.approx(0.15)
    assert np.isnan(lag_one_autocorrelation([2.0, 2.0, 2.0]))
    assert np.isnan(lag_one_autocorrelation([1.0, 2.0]))
    with pytest.raises(InputError, match="one row of finite numbers"):
        lag_one_autocorrelation([1.0, float("nan"), 2.0])


def test_neighbors_depend_above_the_bound_of_independent_ones():
    """Of 25 observations the bound is 1.645 / 5 = 0.329; independent series pass it about once in twenty."""
    assert not neighbors_depend(0.32, 25)
    assert neighbors_depend(0.34, 25)
    random = np.random.default_rng(1)
    found = [neighbors_depend(lag_one_autocorrelation(random.normal(size=25)), 25) for _ in range(1000)]
    assert 0.01 < np.mean(found) < 0.07
