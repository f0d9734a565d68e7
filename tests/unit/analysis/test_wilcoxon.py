"""Wilcoxon's test of two strategies."""

import pytest

from echelon.analysis import wilcoxon_test
from echelon.errors import InputError

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
