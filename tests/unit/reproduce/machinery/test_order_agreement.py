"""How like two rows are in order and size."""

from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.reproduce.machinery.order_agreement import OrderAgreement, mean_agreement, order_agreement

scipy = pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")

ROWS = st.integers(2, 9).flatmap(
    lambda n: st.tuples(*[st.lists(st.integers(0, 5), min_size=n, max_size=n) for _ in range(2)])
)


def test_the_same_the_reverse_and_nothing_to_say():
    """Tau and rho are 1 for the same order, -1 for the reverse; a row of one value says nothing."""
    assert order_agreement([0, 10, 30], [5, 6, 900])[:2] == (1.0, 1.0)
    assert order_agreement([0, 10, 30], [9, 8, 7])[:2] == (-1.0, -1.0)
    assert math.isnan(order_agreement([0, 0, 0], [1, 2, 3]).kendall)


def test_sizes_by_ratios_to_the_best():
    """A degradation of 100 % where 0 was printed is a factor of 2; what is infinite is left out."""
    assert order_agreement([0, 0], [100, 0]).log_ratio == pytest.approx(math.log(2) / 2)
    assert order_agreement([0, 7], [100, math.inf]).log_ratio == pytest.approx(math.log(2))
    assert math.isnan(order_agreement([1, 2], [1, 2], percent=False).log_ratio)


@given(ROWS)
def test_as_scipy_has_them(rows):
    """Tau-b and rho are those of scipy, ties and all."""
    found = order_agreement(*rows)
    if len(set(rows[0])) > 1 and len(set(rows[1])) > 1:
        assert found.kendall == pytest.approx(scipy.stats.kendalltau(*rows).statistic)
        assert found.spearman == pytest.approx(scipy.stats.spearmanr(*rows).statistic)
    else:
        assert math.isnan(found.kendall)
        assert math.isnan(found.spearman)


def test_means_of_what_is_defined():
    """A mean passes over what is undefined, and is undefined where nothing is left."""
    found = mean_agreement([OrderAgreement(1, 0.5), OrderAgreement(0, math.nan, 2)])
    assert found == (0.5, 0.5, 2)
    assert mean_agreement([OrderAgreement(1, 1)]).to_dict()["log_ratio"] is None
    assert all(map(math.isnan, mean_agreement([])))
