"""Ranks, with either rule for ties."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import mean_ranks, ranks
from echelon.errors import InputError, UnknownNameError

from .printed import TABLE_5_MEANS, TABLE_5_RANKS


def test_ties():
    """Equal values share the first or the mean of their ranks; infinity is last."""
    assert ranks([3, 1, 3, np.inf]).tolist() == [2, 1, 2, 4]
    assert ranks([3, 1, 3, np.inf], ties="mean").tolist() == [2.5, 1, 2.5, 4]
    assert ranks([[1, 2], [2, 1]], better="high").tolist() == [[2, 1], [1, 2]]


def test_the_printed_improvements_are_ranked_so():
    """The largest improvement has rank 1."""
    assert ranks(TABLE_5_MEANS, better="high").tolist() == TABLE_5_RANKS.tolist()


@given(st.lists(st.lists(st.integers(0, 4), min_size=4, max_size=4), min_size=1, max_size=8))
def test_mean_ranks_add_up(rows):
    """However many ties, the mean ranks of k strategies add up to k (k + 1) / 2."""
    assert mean_ranks(rows).sum() == pytest.approx(10)


def test_what_can_not_be_ranked_is_refused():
    """NaN has no rank, and a rule for ties has a name."""
    with pytest.raises(InputError, match=r"must be >= 0, got nan at \(1,\)"):
        ranks([1, np.nan])
    with pytest.raises(UnknownNameError, match="no rule for ties is named 'last'"):
        ranks([1, 2], ties="last")
