"""Warm-up rules: MSER-5 against its definition, Welch's average by hand."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from echelon.analysis import moving_average, mser5
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
