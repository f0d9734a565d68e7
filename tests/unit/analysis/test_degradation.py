"""Degradation in percent, and improvement."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import comparable, degradation, improvement, mean_degradation
from echelon.errors import InputError, UnknownNameError

from .printed import ALL, STRATEGIES, TABLE_5, TABLE_10, TABLE_12

tables = st.integers(1, 5).flatmap(
    lambda columns: st.lists(
        st.lists(st.floats(0.001, 1e6), min_size=columns, max_size=columns), min_size=1, max_size=6
    )
)


def test_by_hand():
    """Twice the best is 100 percent worse where low is good, half of it 50 percent where high is."""
    assert degradation([[10, 20, 15], [4, 4, 1]]).tolist() == [[0, 100, 50], [300, 300, 0]]
    assert degradation([10, 20, 15], better="high").tolist() == [50, 0, 25]


def test_a_best_of_zero():
    """Who reaches 0 has 0, who does not is infinitely worse; where high is good all have 0 then."""
    assert degradation([0, 2, 0]).tolist() == [0, np.inf, 0]
    assert degradation([0, 0]).tolist() == degradation([0, 0], better="high").tolist() == [0, 0]


def test_values_far_apart():
    """A ratio that no float64 holds is infinite, without a warning."""
    assert degradation([1e-300, 1e300]).tolist() == [0, np.inf]
    assert improvement([1e-300], [1e300]).tolist() == [-np.inf]


def test_an_experiment_without_percentages_is_left_out_for_all():
    """Where the best is 0 and another is not, no strategy counts; where all are 0, all do."""
    values = [[0, 5], [2, 3], [0, 0]]
    assert comparable(values).tolist() == [False, True, True]
    assert mean_degradation(values).tolist() == [0, 25]
    assert np.isnan(mean_degradation([[0, 1]])).all()


def test_mean_of_degradations_is_not_degradation_of_means():
    """A long experiment weighs more in the means than in the percentages."""
    values = np.array([[1.0, 2.0], [100.0, 110.0]])
    assert mean_degradation(values).tolist() == pytest.approx([0, 55])
    assert degradation(values.mean(axis=0)).tolist() == pytest.approx([0, 100 * 11 / 101])


@given(tables, st.sampled_from(["low", "high"]))
def test_the_best_has_zero_and_scale_does_not_matter(rows, better):
    """In each row the least degradation is 0, none is negative, and the metric's unit does not matter."""
    found = degradation(rows, better=better)
    assert (found.min(axis=-1) == 0).all()
    assert np.allclose(degradation(np.array(rows) * 7, better=better), found, atol=1e-9)


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ([[1, -1]], r"values: must be finite and >= 0, got -1 at \(0, 1\)"),
        ([[1], [np.nan]], r"got nan at \(1, 0\)"),
        ([1, 2], r"must be a row an experiment, a column a strategy, got shape \(2,\)"),
        ([[]], r"got shape \(1, 0\)"),
        ([["a", "b"]], "must be numbers"),
        ([[1, 2], [1]], "must be numbers"),
    ],
)
def test_what_is_no_table_is_refused(values, said):
    """Garbage is one sentence with its place."""
    with pytest.raises(InputError, match=said):
        mean_degradation(values)


def test_an_unknown_direction_is_refused():
    """Only low and high are directions, also where nothing changes."""
    for function in (degradation, lambda values, better: improvement(values, values, better=better)):
        with pytest.raises(UnknownNameError, match="no direction is named 'up'"):
            function([1, 2], better="up")


def test_improvement_by_hand():
    """Half the wait is 50 percent better, half the throughput 50 percent worse."""
    assert improvement([10, 10], [5, 12]).tolist() == pytest.approx([50, -20])
    assert improvement([10, 10], [5, 12], better="high").tolist() == pytest.approx([-50, 20])
    found = improvement([0, 0], [0, 1])
    assert np.isnan(found[0])
    assert found[1] == -np.inf
    with pytest.raises(InputError, match=r"both need one shape, got \(2,\) and \(3,\)"):
        improvement([1, 2], [1, 2, 3])


def test_improvement_of_the_printed_table():
    """MLp's printed improvements follow from its printed degradations, up to their rounding."""
    without, with_ = (np.array(TABLE_12[name][0]) + 100 for name in ("MLp", "MLp_a"))
    found = improvement(without, with_)[[ALL.index(metric) for metric in ("rho", "SD_b", "t_w")]]
    assert found == pytest.approx([24.60, 62.69, 57.81], abs=0.005)
    assert found == pytest.approx(TABLE_5[:, STRATEGIES.index("MLp")], abs=0.25)


@pytest.mark.parametrize("grid", ["Grid 1", "Grid 2"])
def test_printed_tables_are_degradations_of_means(grid):
    """Turnaround is the wait plus the same run times, so degradations of means stand in one ratio.

    Means of degradations would not: each experiment has a ratio of its own. The printed ones do, as far as
    their rounding tells.
    """
    turnaround, wait = (np.array(TABLE_10[grid][metric], dtype=float) for metric in ("TA", "t_w"))
    seen = turnaround > 2
    low = ((wait - 0.5) / (turnaround + 0.5))[seen].max()
    high = ((wait + 0.5) / (turnaround - 0.5))[seen].min()
    assert low <= high < 1.01 * low
