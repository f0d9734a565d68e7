"""Confidence intervals of means, and how many replications they need."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import bootstrap_interval, needed_replications, relative_half_width, t_interval
from echelon.errors import InputError, MissingExtraError

pytest.importorskip("scipy", reason="scipy, the extra stats, is not installed")


def test_t_by_a_printed_table():
    """Four values, three degrees of freedom: t is 3.182 at 95 percent and 5.841 at 99, as tables print it."""
    values = [1.0, 2.0, 3.0, 4.0]
    error = math.sqrt(5 / 3) / 2
    for level, t in ((0.95, 3.182), (0.99, 5.841)):
        found = t_interval(values, level=level)
        assert found.mean == 2.5
        assert (found.high - found.mean) / error == pytest.approx(t, abs=5e-4)
        assert found.low == pytest.approx(5 - found.high)


def test_intervals_of_several_strategies_are_those_of_each():
    """A table gives an interval a column, as if each were alone."""
    values = np.random.default_rng(0).gamma(2.0, size=(12, 3))
    for make in (t_interval, lambda column: bootstrap_interval(column, resamples=200)):
        whole = make(values)
        for place in range(3):
            one = make(values[:, place])
            assert (whole.low[place], whole.high[place]) == (one.low, one.high)


@pytest.mark.slow
@pytest.mark.parametrize("make", [t_interval, bootstrap_interval])
def test_an_interval_holds_the_mean_at_its_level(make):
    """Of 200 samples of a known mean, intervals of 90 percent hold it about as often as they say."""
    rng = np.random.default_rng(1)
    options = {} if make is t_interval else {"resamples": 300}
    samples = rng.normal(5.0, 2.0, size=(25, 200))
    found = make(samples, level=0.9, **options)
    held = ((found.low <= 5) & (found.high >= 5)).mean()
    assert 0.82 <= held <= 0.97


def test_the_bootstrap_repeats_itself():
    """The same seed gives the same interval, another seed another."""
    values = [1.0, 4.0, 2.0, 8.0, 5.0]
    first, again, other = (bootstrap_interval(values, seed=seed, resamples=500) for seed in (3, 3, 4))
    assert (first.low, first.high) == (again.low, again.high)
    assert (first.low, first.high) != (other.low, other.high)


@pytest.mark.parametrize("make", [t_interval, bootstrap_interval])
def test_values_without_spread(make):
    """Where all experiments agree the interval has no width, whatever rounding does to the mean."""
    found = make(np.full((7, 2), 0.1))
    assert found.low == pytest.approx([0.1, 0.1], abs=1e-15)
    assert found.high == pytest.approx([0.1, 0.1], abs=1e-15)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (([1.0],), r"must be of at least two experiments, got shape \(1,\)"),
        ((np.zeros((3, 0)),), r"got shape \(3, 0\)"),
        (([1.0, np.nan],), r"must be finite, got nan at \(1,\)"),
        ((["a", "b"],), "must be numbers"),
    ],
)
def test_what_has_no_interval_is_refused(arguments, said):
    """One experiment, or none, or garbage, is one sentence."""
    for make in (t_interval, bootstrap_interval):
        with pytest.raises(InputError, match=said):
            make(*arguments)


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"level": 95}, "level: must be above 0 and below 1, got 95"),
        ({"resamples": 3}, "resamples: must be a whole number >= 100, got 3"),
        ({"seed": -1}, "seed: must be a whole number >= 0"),
    ],
)
def test_senseless_options_are_refused(options, said):
    """Levels are shares, resamples enough, seeds not negative."""
    with pytest.raises(InputError, match=said):
        bootstrap_interval([1.0, 2.0, 4.0], **options)


def test_without_scipy_the_error_says_what_to_install(monkeypatch):
    """Whoever lacks the extra is told its name."""
    monkeypatch.setitem(__import__("sys").modules, "scipy.stats", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'echelon-scheduling\[stats\]'"):
        t_interval([1.0, 2.0])


@pytest.mark.parametrize("make", [t_interval, bootstrap_interval])
def test_rounding_is_no_spread(make):
    """Sums of the same numbers in another order differ in their last bits: the interval has no width."""
    noisy = [0.1 + 0.2 + 0.3, 0.3 + 0.2 + 0.1, 0.6]
    assert len(set(noisy)) > 1
    found = make(noisy)
    assert found.high - found.low == 0
    assert make([0.6, 0.6, 0.6 + 1e-9]).high > make([0.6, 0.6, 0.6 + 1e-9]).low


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
