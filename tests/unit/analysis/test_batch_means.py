"""Batch means: the interval of means of equal pieces of one run."""

import numpy as np
import pytest

from echelon.analysis import batch_means_interval, t_interval
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
