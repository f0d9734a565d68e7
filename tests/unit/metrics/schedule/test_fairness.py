"""Fairness between users."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.metrics import gini_coefficient, jain_index, lorenz_curve, user_means

amounts = st.lists(st.integers(0, 1000).map(float), min_size=1, max_size=20).map(np.array)


def test_means_of_each_user():
    """Users come by code; jobs of nobody count nowhere."""
    found = user_means(
        np.array([7, 2, 7, -1]),
        np.array([0.0, 5.0, 10.0, 99.0]),
        np.array([1.0, 2.0, 5.0, 99.0]),
        area=np.array([10.0, 60.0, 10.0, 1e9]),
    )
    assert [column.tolist() for column in found] == [[2, 7], [1, 2], [0.75, 0.25], [5, 5], [2, 3]]


def test_nobody_known():
    """Without known users there is no entry; users without work have no share, but no error."""
    none = user_means(np.array([-1]), np.ones(1), np.ones(1), area=np.ones(1))
    assert [len(column) for column in none] == [0] * 5
    assert user_means(np.array([1]), np.ones(1), np.ones(1), area=np.zeros(1)).area_share.tolist() == [0]


def test_equal_shares_are_fair():
    """All the same, whatever it is, gives 1 and 0; one that has all gives 1/n and 1 - 1/n."""
    for same in (0.0, 5.0, 1e-300, 1e300):
        assert jain_index(np.full(4, same)) == pytest.approx(1)
        assert gini_coefficient(np.full(4, same)) == pytest.approx(0, abs=1e-15)
    assert jain_index(np.array([0.0, 0.0, 0.0, 9.0])) == 0.25
    assert gini_coefficient(np.array([0.0, 0.0, 0.0, 9.0])) == 0.75


@given(amounts)
def test_indices_are_their_formulas(values):
    """Jain's is the printed formula; Gini's is half the mean absolute difference over the mean."""
    if values.any():
        assert jain_index(values) == pytest.approx(values.sum() ** 2 / (len(values) * (values**2).sum()))
        differences = sum(abs(a - b) for a, b in itertools.product(values, values)) / len(values) ** 2
        assert gini_coefficient(values) == pytest.approx(differences / (2 * values.mean()), abs=1e-12)


@given(amounts)
def test_lorenz_curve_is_convex(values):
    """It goes from 0 to 1 in ascending steps, and the poorest k have what sorting says."""
    curve = lorenz_curve(values)
    assert (curve[0], curve[-1], len(curve)) == (0, 1, len(values) + 1)
    assert (np.diff(curve, 2) >= -1e-12).all()
    if values.any():
        assert curve[1] == pytest.approx(values.min() / values.sum())


@pytest.mark.parametrize("function", [jain_index, lorenz_curve, gini_coefficient])
def test_impossible_amounts_are_refused(function):
    """Nobody, less than nothing and nothing known are no shares."""
    with pytest.raises(InputError, match="at least one user"):
        function(np.zeros(0))
    for wrong in (-1.0, float("nan"), float("inf")):
        with pytest.raises(InputError, match="value >= 0 at position 1"):
            function(np.array([1.0, wrong]))
