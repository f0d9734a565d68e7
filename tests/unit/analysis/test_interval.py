"""Confidence intervals of means."""

import math

import numpy as np
import pytest

from echelon.analysis import bootstrap_interval, t_interval
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
