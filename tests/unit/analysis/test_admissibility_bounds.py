"""Bounds of the theorems on adaptive admissibility."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import (
    SMALL_JOBS_APPROXIMATION,
    SMALL_JOBS_COMPETITIVE,
    approximation_factor,
    bound_case,
    competitive_factor,
    grid_lower_bound,
)
from echelon.errors import InputError, UnknownNameError
from echelon.metrics.schedule.schedule_values import lower_bound


def test_printed_values():
    """9 off line and 11 on line at a = 0.5; at a = 1, case 1 has those of jobs that fit everywhere."""
    for case in (None, 1, 2):
        assert approximation_factor(0.5, case=case) == 9
        assert competitive_factor(0.5, case=case) == 11
    assert approximation_factor(1.0, case=1) == SMALL_JOBS_APPROXIMATION == 3
    assert competitive_factor(1.0, case=1) == SMALL_JOBS_COMPETITIVE == 5
    assert competitive_factor(1.0, case=2) == competitive_factor(1.0) == math.inf


def test_shapes_of_the_curves():
    """Case 1 falls all the way, case 2 is symmetric; it and the larger of them are least at 0.5."""
    a = np.linspace(0.01, 0.99, 99)
    assert (np.diff(competitive_factor(a, case=1)) < 0).all()
    second = competitive_factor(a, case=2)
    assert np.allclose(second, second[::-1])
    for factor in (approximation_factor(a), competitive_factor(a), second):
        assert a[factor.argmin()] == pytest.approx(0.5)


sites = st.lists(st.integers(1, 50), min_size=1, max_size=8).map(sorted)


@given(sites, st.floats(0.01, 1), st.data())
def test_case_2_needs_a_above_a_half(sizes, a, data):
    """If the smallest job may go as far as site f, the sites from f on hold more than (1 - a) of its own."""
    f0 = data.draw(st.integers(0, len(sizes) - 1))
    reach = np.cumsum(sizes[f0:])
    last = f0 + int(np.argmax(reach >= a * reach[-1]))
    f = data.draw(st.integers(f0, last))
    assert sum(sizes[f:]) > (1 - a) * sum(sizes[f0:]) * (1 - 1e-12)
    if bound_case(sizes, a=a, f0=f0, f=f) == 2:
        assert a > 0.5


def test_cases_by_hand():
    """Of 4 + 8 + 8 processors the last two sites hold 0.8."""
    assert bound_case([4, 8, 8], a=0.8, f0=0, f=1) == 1
    assert bound_case([4, 8, 8], a=0.81, f0=0, f=1) == 2
    assert bound_case([4, 8, 8], a=1, f0=1, f=1) == 1


def test_the_lower_bound_by_hand():
    """Wide jobs cannot use the small site: two for 10 s need 20 s, though the grid has work for 13.3."""
    submit, run = np.zeros(2), np.full(2, 10.0)
    size = np.array([8, 8])
    assert grid_lower_bound(submit, run, size, sites=np.array([4, 8])) == 20
    assert lower_bound(submit, run, size, processors=12) == pytest.approx(160 / 12)
    assert grid_lower_bound(np.array([0.0, 15]), run, size, sites=np.array([4, 8])) == 25


@given(sites, st.integers(1, 12), st.integers(0, 2**32))
def test_the_lower_bound_is_no_less_than_that_of_one_machine(sizes, jobs, seed):
    """Taking sites into account only raises the bound; on one site the two are one."""
    rng = np.random.default_rng(seed)
    submit, run = rng.integers(0, 50, jobs) * 1.0, rng.integers(1, 50, jobs) * 1.0
    size = rng.integers(1, sizes[-1], jobs, endpoint=True)
    one_machine = lower_bound(submit, run, size, processors=sum(sizes))
    found = grid_lower_bound(submit, run, size, sites=np.array(sizes))
    assert found >= one_machine * (1 - 1e-12)
    if len(sizes) == 1:
        assert found == pytest.approx(one_machine)


@pytest.mark.parametrize("a", [0, -1, 1.01, math.nan, "x", [0.5, 2]])
def test_factors_out_of_range_are_refused(a):
    """A factor of admissibility is above 0 and at most 1."""
    with pytest.raises(InputError, match="a: must be a number with 0 < a <= 1"):
        competitive_factor(a)


def test_senseless_cases_and_sites_are_refused():
    """There are two cases, sites in order, and jobs that fit."""
    with pytest.raises(UnknownNameError, match="no case is named '3'"):
        approximation_factor(0.5, case=3)
    with pytest.raises(InputError, match="must be 0 <= f0 <= f < 2, got 1 and 0"):
        bound_case([1, 2], a=0.5, f0=1, f=0)
    with pytest.raises(InputError, match="needs jobs of 1 to 4 processors, got 8"):
        grid_lower_bound(np.zeros(1), np.ones(1), np.array([8]), sites=np.array([4]))
    with pytest.raises(InputError, match="got 0"):
        grid_lower_bound(np.zeros(0), np.zeros(0), np.zeros(0, dtype=np.int64), sites=np.array([4]))
