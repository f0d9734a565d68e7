"""One long run: what to leave out at its beginning, and the interval of its mean."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from echelon.analysis import (
    batch_means_interval,
    lag_one_autocorrelation,
    moving_average,
    mser5,
    neighbors_depend,
    t_interval,
)
from echelon.errors import InputError


def by_definition(values):
    """Return the cut with the least squared half width, each worked out for itself."""
    batches = [np.mean(values[k : k + 5]) for k in range(0, len(values) - 4, 5)]
    cuts = range(len(batches) // 2 + 1)
    spread = [np.var(batches[d:]) / (len(batches) - d) for d in cuts]
    return spread, cuts


@given(arrays(np.float64, st.integers(20, 120), elements=st.floats(-1e3, 1e3)))
def test_mser_5_has_the_least_half_width(values):
    """No cut that is looked at leaves a smaller half width than the one found, but for rounding."""
    spread, _ = by_definition(values)
    found = mser5(values)
    assert found % 5 == 0
    assert spread[found // 5] == pytest.approx(min(spread), abs=1e-6)


def test_a_ramp_is_cut_off():
    """A queue that fills for 100 observations and is steady then loses its ramp."""
    random = np.random.default_rng(3)
    values = np.concatenate((np.linspace(0, 50, 100), np.full(400, 50.0))) + random.normal(0, 1, 500)
    assert 85 <= mser5(values) <= 115


def test_a_steady_series_keeps_all():
    """Where nothing changes nothing is cut."""
    assert mser5(np.full(100, 7.0)) == 0


@pytest.mark.parametrize("n", [0, 1, 19])
def test_short_series_are_kept(n):
    """Fewer than four batches say nothing of a warm-up."""
    assert mser5(np.arange(n)) == 0


def test_moving_average_by_hand():
    """The window grows from the left edge to its full width, and ends w before the right one."""
    assert moving_average([1.0, 2.0, 6.0, 2.0, 1.0, 3.0, 0.0, 0.0], 1) == pytest.approx(
        [1, 3, 10 / 3, 3, 2, 4 / 3, 1]
    )
    assert moving_average([1.0, 2.0, 3.0], 0) == pytest.approx([1, 2, 3])


def test_moving_average_of_replications():
    """Replications are averaged first, observation by observation."""
    assert moving_average([[0.0, 2.0, 4.0, 6.0], [2.0, 4.0, 6.0, 8.0]], 0) == pytest.approx([1, 3, 5, 7])


def test_what_is_no_series_is_refused():
    """Tables, infinities and windows that are too wide are refused."""
    with pytest.raises(InputError, match="one row"):
        mser5([[1.0, 2.0]])
    with pytest.raises(InputError, match="finite"):
        mser5([1.0, np.inf])
    with pytest.raises(InputError, match="from 0 to 1"):
        moving_average([1.0, 2.0, 3.0, 4.0], 2)


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
