"""Performance profiles."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import performance_profile
from echelon.errors import InputError


def test_by_hand():
    """Two experiments: within a factor of 2, the second strategy is half of the time."""
    profile = performance_profile([[1, 2, 4], [3, 9, 3]])
    assert profile.ratios.tolist() == [[1, 2, 4], [1, 3, 1]]
    assert profile.share(1).tolist() == [1, 0, 0.5]
    assert profile.share([2, 3, 4]).tolist() == [[1, 0.5, 0.5], [1, 1, 0.5], [1, 1, 1]]
    assert profile.factors.tolist() == [1, 2, 3, 4]


def test_where_high_is_good():
    """A third of the best throughput is three times worse; nothing at all is infinitely worse."""
    assert performance_profile([[3, 1, 0]], better="high").ratios.tolist() == [[1, 3, np.inf]]


def test_zeros_and_failures():
    """Who reaches a best of 0 has 1, who fails is never within any factor, even if all fail."""
    profile = performance_profile([[0, 5, np.nan], [np.nan, np.nan, np.nan], [2, np.nan, 1]])
    assert profile.ratios.tolist() == [[1, np.inf, np.inf], [np.inf] * 3, [2, np.inf, 1]]
    assert profile.share(1e300).tolist() == pytest.approx([2 / 3, 0, 1 / 3])


@given(st.lists(st.lists(st.floats(0, 1e6), min_size=3, max_size=3), min_size=1, max_size=6))
def test_profiles_never_fall(rows):
    """Every experiment has a winner, and shares only rise with the factor."""
    profile = performance_profile(rows)
    shares = profile.share(profile.factors)
    assert (np.diff(shares, axis=0) >= 0).all()
    assert (profile.ratios.min(axis=1) == 1).all()


def test_negative_values_are_refused():
    """Ratios of negative values say nothing."""
    with pytest.raises(InputError, match="must be finite and >= 0, or NaN, got -1"):
        performance_profile([[1, -1]])
