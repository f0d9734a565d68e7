"""Corrections of p-values for many tests: by hand, and what both must keep."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import adjusted_p_values
from echelon.errors import InputError, UnknownNameError


def test_holm_by_hand():
    """Of 0.01, 0.04, 0.03: the least times 3, the next times 2, and none below the one before."""
    assert adjusted_p_values([0.01, 0.04, 0.03]) == pytest.approx([0.03, 0.06, 0.06])


def test_bonferroni_by_hand():
    """Each times the number of tests, at most 1."""
    assert adjusted_p_values([0.01, 0.5, 0.03], method="bonferroni") == pytest.approx([0.03, 1.0, 0.09])


def test_missing_tests_do_not_count():
    """A test that could not be made stays NaN and raises no other."""
    assert adjusted_p_values([0.02, np.nan, 0.01])[[0, 2]] == pytest.approx([0.02, 0.02])
    assert np.isnan(adjusted_p_values([0.02, np.nan, 0.01])[1])


def test_no_test_at_all():
    """Nothing in, nothing out."""
    assert len(adjusted_p_values([])) == 0


@given(st.lists(st.floats(0, 1), min_size=1, max_size=20))
def test_holm_lies_between_the_raw_values_and_bonferroni(p_values):
    """Holm raises every value, keeps their order, and never exceeds Bonferroni."""
    raw, holm = np.array(p_values), adjusted_p_values(p_values)
    assert (holm >= raw).all()
    assert (holm <= adjusted_p_values(p_values, method="bonferroni") + 1e-15).all()
    assert (np.diff(holm[np.argsort(raw, kind="stable")]) >= 0).all()


def test_what_is_no_chance_is_refused():
    """Values outside 0 to 1, tables and unknown corrections are refused."""
    with pytest.raises(InputError, match="from 0 to 1"):
        adjusted_p_values([0.5, 1.5])
    with pytest.raises(InputError, match="one row"):
        adjusted_p_values([[0.5]])
    with pytest.raises(UnknownNameError, match="holm"):
        adjusted_p_values([0.5], method="holmes")  # type: ignore[arg-type]
