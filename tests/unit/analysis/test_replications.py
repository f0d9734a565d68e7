"""How many replications a mean needs: against the definition, step by step."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import needed_replications, relative_half_width
from echelon.errors import InputError

scipy = pytest.importorskip("scipy")


def by_definition(values, relative, level):
    """Return the least i >= n whose half width is small enough, one i after the other."""
    wanted = relative / (1 + relative) * abs(np.mean(values))
    i = len(values)
    while scipy.stats.t.ppf((1 + level) / 2, i - 1) * math.sqrt(np.var(values, ddof=1) / i) > wanted:
        i += 1
    return i


@pytest.mark.slow
@given(
    st.lists(st.floats(50, 150), min_size=2, max_size=12),
    st.sampled_from([0.05, 0.1, 0.3]),
    st.sampled_from([0.9, 0.95]),
)
def test_agrees_with_the_definition(values, relative, level):
    """The search by halves finds what counting up finds."""
    found = needed_replications(values, relative=relative, level=level)
    assert found == by_definition(values, relative, level)


def test_enough_already():
    """Replications that never differ, or differ little, are enough."""
    assert needed_replications([5.0, 5.0, 5.0]) == 3
    assert needed_replications([0.0, 0.0]) == 2
    assert needed_replications([100.0, 100.1, 99.9, 100.05]) == 4


def test_never_enough():
    """A mean of 0 has no relative error, however often it is repeated."""
    assert math.isinf(needed_replications([-1.0, 1.0]))
    assert math.isinf(relative_half_width([-1.0, 1.0]))


def test_half_width_as_a_share_of_the_mean():
    """Of 9 and 11: half width 12.706 standard errors of 1, over a mean of 10."""
    assert relative_half_width([9.0, 11.0]) == pytest.approx(1.2706204736)
    assert relative_half_width([0.0, 0.0]) == 0


@pytest.mark.parametrize(
    ("values", "relative", "said"),
    [([1.0], 0.1, "two experiments"), ([1.0, 2.0], 0.0, "above 0"), ([1.0, math.inf], 0.1, "finite")],
)
def test_what_says_nothing_is_refused(values, relative, said):
    """One replication, an error of 0 and infinite values are refused."""
    with pytest.raises(InputError, match=said):
        needed_replications(values, relative=relative)
