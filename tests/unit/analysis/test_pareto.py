"""Pareto fronts: by hand, and against comparing every pair."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

from echelon.analysis import pareto_front
from echelon.errors import InputError, UnknownNameError


def by_definition(values, better):
    """Compare every point with every other one."""
    costs = np.where([end == "low" for end in better], values, -values)
    return [
        not np.isnan(one).any() and not any((other <= one).all() and (other < one).any() for other in costs)
        for one in costs
    ]


POINTS = st.sampled_from([2, 3]).flatmap(
    lambda measures: st.tuples(
        arrays(
            np.float64,
            st.tuples(st.integers(0, 25), st.just(measures)),
            elements=st.sampled_from([0.0, 1.0, 2.0, 3.0, np.nan, np.inf]),
        ),
        st.lists(st.sampled_from(["low", "high"]), min_size=measures, max_size=measures),
    )
)


@given(POINTS)
def test_agrees_with_comparing_every_pair(drawn):
    """The sweep finds the points that no other one dominates, ties, gaps and infinities included."""
    values, better = drawn
    assert pareto_front(values, better=better).tolist() == by_definition(values, better)


def test_two_measures_by_hand():
    """Wait low, utilization high: the middle point is beaten by the first in both."""
    front = pareto_front([[10.0, 0.8], [12.0, 0.7], [20.0, 0.9]], better=["low", "high"])
    assert front.tolist() == [True, False, True]


def test_equal_points_share_their_fate():
    """Two equal points are both in the front."""
    assert pareto_front([[1.0, 1.0], [1.0, 1.0], [1.0, 2.0]], better=["low", "low"]).tolist() == [1, 1, 0]


def test_a_line_of_points_is_all_front():
    """Ten thousand points of which none beats another are quickly found to be the front."""
    one = np.arange(10_000.0)
    assert pareto_front(np.column_stack((one, -one)), better=["low", "low"]).all()


def test_other_numbers_of_measures_are_refused():
    """One or four measures, missing and unknown directions are refused."""
    with pytest.raises(InputError, match="two or three"):
        pareto_front([[1.0], [2.0]], better=["low"])
    with pytest.raises(InputError, match="2 directions"):
        pareto_front([[1.0, 2.0]], better=["low"])
    with pytest.raises(UnknownNameError, match="direction"):
        pareto_front([[1.0, 2.0]], better=["low", "small"])  # type: ignore[list-item]
