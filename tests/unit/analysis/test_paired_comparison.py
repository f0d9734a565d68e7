"""Two strategies in the same experiments: intervals, t, signed ranks."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.analysis import paired_comparison, t_interval, wilcoxon_test
from echelon.errors import InputError

scipy = pytest.importorskip("scipy")


def test_worked_example():
    """Differences 1, 2, 3: mean 2, standard error 1 / sqrt(3), t = 2 sqrt(3) with 2 degrees of freedom."""
    found = paired_comparison([10.0, 20.0, 30.0], [11.0, 22.0, 33.0])
    assert (found.experiments, found.baseline, found.other, found.difference) == (3, 20.0, 22.0, 2.0)
    half = 4.302652729749464 / np.sqrt(3)
    assert (found.low, found.high) == pytest.approx((2 - half, 2 + half))
    assert found.t_statistic == pytest.approx(2 * np.sqrt(3))
    assert found.percent == pytest.approx(10.0)
    assert (found.below, found.equal, found.above) == (0, 0, 3)
    assert found.correlation == pytest.approx(1.0)
    assert not found.is_told_apart


def test_agrees_with_scipy():
    """Statistic and both p-values are scipy's of the same pairs."""
    random = np.random.default_rng(1)
    one, other = random.gamma(2, 10, 30), random.gamma(2, 12, 30)
    found = paired_comparison(one, other)
    theirs = scipy.stats.ttest_rel(other, one)
    assert (found.t_statistic, found.t_p_value) == pytest.approx((theirs.statistic, theirs.pvalue))
    assert found.wilcoxon_p_value == pytest.approx(scipy.stats.wilcoxon(other - one).pvalue)


def test_common_random_numbers_narrow_the_interval():
    """What both have in common cancels: the interval is narrower than that of separate samples."""
    random = np.random.default_rng(2)
    jobs = random.gamma(2, 100, 20)
    one, other = jobs + random.normal(0, 1, 20) + 50, jobs + random.normal(0, 1, 20) + 55
    found = paired_comparison(one, other)
    apart = t_interval(np.column_stack((one, other)))
    assert found.is_told_apart
    assert found.high - found.low < 0.1 * float((apart.high - apart.low).min())
    assert found.correlation > 0.99


def test_strategies_that_are_alike():
    """Without any difference the interval is 0 and no test sees one."""
    found = paired_comparison([1.0, 2.0, 3.0], [1.0, 2.0, 3.0])
    assert (found.low, found.difference, found.high) == (0, 0, 0)
    assert (found.t_statistic, found.t_p_value, found.wilcoxon_p_value) == (0, 1, 1)
    assert not found.is_told_apart


def test_one_and_the_same_difference():
    """A difference that never varies is told apart beyond doubt."""
    found = paired_comparison([1.0, 2.0, 3.0], [3.0, 4.0, 5.0])
    assert (found.low, found.high, found.t_p_value, found.t_statistic) == (2, 2, 0, np.inf)
    assert found.is_told_apart


def test_constant_values_have_no_correlation():
    """Where one strategy always has the same value nothing is said of a correlation, and 0 has no percent."""
    found = paired_comparison([0.0, 0.0], [1.0, 2.0])
    assert np.isnan(found.correlation)
    assert np.isnan(found.percent)


@pytest.mark.parametrize(
    ("one", "other", "said"),
    [
        ([1.0], [2.0], "at least two experiments"),
        ([1.0, 2.0], [2.0], "same experiments"),
        ([1.0, np.nan], [2.0, 3.0], "finite"),
        ([[1.0, 2.0]], [[1.0, 2.0]], "one row"),
    ],
)
def test_what_can_not_be_compared_is_refused(one, other, said):
    """Too few, unequal, infinite and misshapen values are refused, with the reason."""
    with pytest.raises(InputError, match=said):
        paired_comparison(one, other)


@pytest.mark.slow
@examples(30)
@given(st.lists(st.tuples(st.floats(0, 1e6), st.floats(0, 1e6)), min_size=2, max_size=30))
def test_exchanging_the_two_changes_the_sign_alone(pairs):
    """The comparison of B with A is that of A with B, mirrored at 0."""
    one, other = np.array(pairs).T
    there, back = paired_comparison(one, other), paired_comparison(other, one)
    assert (back.difference, back.low, back.high) == pytest.approx(
        (-there.difference, -there.high, -there.low)
    )
    assert (back.below, back.above, back.equal) == (there.above, there.below, there.equal)
    assert there.low <= there.difference <= there.high


def test_values_that_differ_by_rounding_are_equal():
    """A mean summed in another order is no difference: it counts as equal, and the chance of it is 1."""
    found = paired_comparison([1e6 / 3, 2e6 / 3, 5.0], [1e6 / 3 + 6e-11, 2e6 / 3 - 1e-10, 5.0])
    assert (found.difference, found.low, found.high, found.percent) == (0, 0, 0, 0)
    assert (found.below, found.equal, found.above) == (0, 3, 0)
    assert found.t_p_value == found.wilcoxon_p_value == 1


pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")


def test_by_hand():
    """Six experiments that all favor one: of 64 ways to sign them, two are as extreme."""
    found = wilcoxon_test([1, 2, 3, 4, 5, 6], [3, 5, 7, 9, 11, 13])
    assert (found.statistic, found.p_value) == (0, 2 / 64)


def test_strategies_that_never_differ():
    """Without any difference there is no reason to tell them apart."""
    assert wilcoxon_test([1, 2], [1, 2]) == (0, 1)
    assert wilcoxon_test([1], [1]) == (0, 1)


def test_what_is_not_paired_is_refused():
    """Both must have been in the same experiments."""
    with pytest.raises(InputError, match="both need the same experiments, got 2 and 3"):
        wilcoxon_test([1, 2], [1, 2, 3])
    with pytest.raises(InputError, match="must be one row of values"):
        wilcoxon_test([[1, 2]], [[1, 2]])
