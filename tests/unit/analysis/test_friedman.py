"""Friedman's test and Nemenyi's critical difference."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import Friedman, critical_difference, friedman_test
from echelon.errors import InputError

scipy = pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")


@pytest.mark.parametrize(
    ("strategies", "at_5", "at_10"),
    [(2, 1.960, 1.645), (3, 2.343, 2.052), (5, 2.728, 2.459), (10, 3.164, 2.920)],
)
def test_critical_values_are_the_printed_ones(strategies, at_5, at_10):
    """The quantiles behind the critical difference are those of Demšar's table 5a."""
    scale = math.sqrt(strategies * (strategies + 1) / (6 * 30))
    assert critical_difference(strategies, 30) / scale == pytest.approx(at_5, abs=0.0016)
    assert critical_difference(strategies, 30, alpha=0.1) / scale == pytest.approx(at_10, abs=0.0016)


def test_four_classifiers_on_fourteen_data_sets():
    """Demšar's worked example: mean ranks 3.143, 2.000, 2.893 and 1.964 give chi-square 9.28 and F 3.69."""
    # Rank sums 44, 28, 40.5 and 27.5 without ties inside an experiment cannot be; halves come from ties.
    found = Friedman(
        np.array([44, 28, 40.5, 27.5]) / 14, 14, 0, 0, 0, 0, 0.1, critical_difference(4, 14, alpha=0.1)
    )
    assert found.critical_difference == pytest.approx(1.12, abs=0.005)
    spread = (found.mean_ranks**2).sum() - 4 * 25 / 4
    chi_square = 12 * 14 / 20 * spread
    assert chi_square == pytest.approx(9.28, abs=0.01)
    assert 13 * chi_square / (14 * 3 - chi_square) == pytest.approx(3.69, abs=0.01)
    assert found.cliques == [(3, 1, 2), (2, 0)]


@given(st.integers(2, 8), st.integers(3, 6), st.integers(0, 2**32))
def test_the_statistic_is_scipys(experiments, strategies, seed):
    """With many ties and with few, chi-square and its chance are those of scipy's own test."""
    values = np.random.default_rng(seed).integers(0, 5, size=(experiments, strategies)).astype(float)
    found = friedman_test(values)
    if all(len(set(row)) == 1 for row in values.tolist()):
        assert (found.statistic, found.p_value, found.f_p_value) == (0, 1, 1)
        return
    expected = scipy.stats.friedmanchisquare(*values.T)
    assert found.statistic == pytest.approx(expected.statistic, abs=1e-9)
    assert found.p_value == pytest.approx(expected.pvalue, abs=1e-9)


def test_experiments_that_agree_wholly():
    """If every experiment ranks alike, F has no bound and its chance is 0."""
    found = friedman_test([[1, 2, 3]] * 6)
    assert found.mean_ranks.tolist() == [1, 2, 3]
    assert found.statistic == 12
    assert (found.f_statistic, found.f_p_value) == (math.inf, 0)
    assert friedman_test([[1, 2, 3]] * 6, better="high").mean_ranks.tolist() == [3, 2, 1]


def cliques(mean_ranks, difference):
    """Return the cliques of mean ranks under a critical difference."""
    return Friedman(np.array(mean_ranks), 10, 0, 0, 0, 0, 0.05, difference).cliques


@pytest.mark.parametrize(
    ("mean_ranks", "difference", "expected"),
    [
        ([1, 2, 3, 4], 0.5, []),
        ([1, 2, 3, 4], 1, [(0, 1), (1, 2), (2, 3)]),
        ([4, 3, 2, 1], 2, [(3, 2, 1), (2, 1, 0)]),
        ([2, 2, 2], 0.1, [(0, 1, 2)]),
        ([1, 1.2, 3, 3.1, 3.2], 0.5, [(0, 1), (2, 3, 4)]),
        ([1.1, 1.4], 0.3, [(0, 1)]),  # exactly the difference, up to rounding
    ],
)
def test_cliques(mean_ranks, difference, expected):
    """Groups hold all whose ranks differ by no more than the critical difference; none is within another."""
    assert cliques(mean_ranks, difference) == expected


@pytest.mark.parametrize("values", [[[1, 2, 3]], [[1, 2], [2, 1]], [[], []]])
def test_too_little_is_refused(values):
    """One experiment, or two strategies, is no case for Friedman."""
    with pytest.raises(InputError, match="values: must be"):
        friedman_test(values)


@pytest.mark.parametrize("options", [{"alpha": 0}, {"alpha": 5}])
def test_senseless_levels_are_refused(options):
    """A level of significance is a share."""
    with pytest.raises(InputError, match="alpha: must be above 0 and below 1"):
        friedman_test([[1, 2, 3], [1, 3, 2]], **options)
    with pytest.raises(InputError, match="needs 2 strategies and an experiment"):
        critical_difference(1, 5)
