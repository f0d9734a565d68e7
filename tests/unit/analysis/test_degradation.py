"""How far each strategy is from the best, by hand; and the ranking of many by several metrics."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.analysis import (
    DegradationTable,
    degradation,
    find_comparable,
    improvement,
    mean_degradation,
    ranks,
)
from echelon.errors import InputError, UnknownNameError

from . import printed
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
    assert find_comparable(values).tolist() == [False, True, True]
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


LOW = dict.fromkeys(printed.METRICS, "low")


def table_3():
    """Return the printed table 3."""
    return DegradationTable(printed.GRIDS, printed.METRICS, printed.STRATEGIES, printed.TABLE_3)


def test_table_4_follows_from_table_3():
    """Means by grid and all ranks are as printed; the means over the grids, of the rounded means."""
    table = table_3()
    assert np.round(table.by_scenario, 1).tolist() == printed.TABLE_4_MEANS.tolist()
    assert table.ranks_by_scenario.tolist() == printed.TABLE_4_RANKS.tolist()
    assert table.overall_ranks.tolist() == printed.TABLE_4_OVERALL_RANKS.tolist()
    assert (
        np.round(np.round(table.by_scenario, 1).mean(axis=0), 2).tolist() == printed.TABLE_4_OVERALL.tolist()
    )
    assert table.overall == pytest.approx(printed.TABLE_4_OVERALL, abs=0.04)


def test_table_5_means():
    """The printed mean improvements are the means of the three printed ones."""
    found = printed.TABLE_5.mean(axis=0)
    assert found == pytest.approx(printed.TABLE_5_MEANS, abs=0.0051)


def test_tables_7_and_12_follow_from_the_degradations():
    """Means of three and of ten metrics on Grid 3, and the ranks by three, are as printed."""
    strategies = tuple(printed.TABLE_12)
    percent = np.array([row for row, _ in printed.TABLE_12.values()], dtype=float).T
    ten = DegradationTable(("Grid 3",), printed.ALL, strategies, percent[None])
    three = percent[[printed.ALL.index(metric) for metric in printed.METRICS]]
    table = DegradationTable(("Grid 3",), printed.METRICS, strategies, three[None])
    assert np.round(ten.overall, 1).tolist() == [mean for _, mean in printed.TABLE_12.values()]
    assert np.round(table.overall).tolist() == [mean for mean, _ in printed.TABLE_7.values()]
    assert table.overall_ranks.tolist() == [rank for _, rank in printed.TABLE_7.values()]


def test_table_10_ranks_as_table_4():
    """All ten metrics of the complete table rank the strategies of each grid as three do."""
    percent = [[printed.TABLE_10[grid][metric] for metric in printed.ALL] for grid in printed.GRIDS]
    table = DegradationTable(printed.GRIDS, printed.ALL, printed.STRATEGIES, np.array(percent, dtype=float))
    assert table.ranks_by_scenario.tolist() == printed.TABLE_4_RANKS.tolist()
    three = [printed.ALL.index(metric) for metric in printed.METRICS]
    assert table.percent[:, three].tolist() == printed.TABLE_3.tolist()


def test_table_6_follows_from_table_12():
    """Ranks of the nine strategies with admissibility, by three metrics, are as printed."""
    rows = [printed.TABLE_12[f"{name}_a"][0] for name in printed.STRATEGIES]
    three = np.array(rows, dtype=float).T[[printed.ALL.index(metric) for metric in printed.METRICS]]
    table = DegradationTable(("Grid 3",), printed.METRICS, printed.STRATEGIES, three[None])
    assert table.overall_ranks.tolist() == printed.TABLE_6_WITH.tolist()


def test_from_values():
    """Of two experiments: the mean of their degradations, or the degradation of their means."""
    values = {"small": {"wait": [[1, 2], [100, 110]], "use": [[0.5, 1.0], [1.0, 1.0]]}}
    options = {"strategies": ["a", "b"], "better": {"wait": "low", "use": "high"}}
    table = DegradationTable.of(values, **options)
    assert table.percent.tolist() == [[pytest.approx([0, 55]), [25, 0]]]
    assert table.overall == pytest.approx([12.5, 27.5])
    of_means = DegradationTable.of(values, **options, average="values")
    assert of_means.percent[0, 0] == pytest.approx([0, 100 * 11 / 101])
    assert of_means.percent[0, 1] == pytest.approx([25, 0])


def test_scenarios_may_have_different_numbers_of_experiments():
    """Each scenario counts alike, however many experiments it has."""
    values = {"one": {"wait": [[1, 2]]}, "three": {"wait": [[3, 1]] * 3}}
    table = DegradationTable.of(values, ["a", "b"], better={"wait": "low"})
    assert table.overall == pytest.approx([100, 50])
    assert table.ranks_by_scenario.tolist() == [[1, 2], [2, 1]]


def test_frame():
    """As a table: a row a strategy, the best first, with ranks as whole numbers."""
    frame = table_3().to_frame()
    assert frame["strategy"][:3].to_list() == ["MPL", "LBal_S", "MST"]
    assert frame["rank"].to_list() == list(range(1, 10))
    assert frame.columns[:6] == [
        "strategy", "Grid 1: rho", "Grid 1: SD_b", "Grid 1: t_w", "Grid 1: mean", "Grid 1: rank"
    ]  # fmt: skip


def test_an_infinite_mean_is_last():
    """Ranks of infinite means are last, not an error."""
    table = DegradationTable.of(
        {"g": {"w": [[0, 1, 0]]}}, ["a", "b", "c"], better={"w": "low"}, average="values"
    )
    assert table.overall_ranks.tolist() == ranks([0, 9, 0]).tolist() == [1, 3, 1]


@pytest.mark.parametrize(
    ("values", "options", "error", "said"),
    [
        ({}, {}, InputError, r"must have one number a scenario, metric and strategy, \(0, 0, 2\)"),
        ({"g": {}}, {}, InputError, r"\(1, 0, 2\)"),
        ({"g": {"w": [[1, 2, 3]]}}, {}, InputError, "must have 2 columns, one a strategy, got 3"),
        (
            {"g": {"w": [[1, 2]]}, "h": {"v": [[1, 2]]}},
            {},
            InputError,
            r"h: measures \['v'\], others \['w'\]",
        ),
        ({"g": {"v": [[1, 2]]}}, {}, UnknownNameError, "no metric with a direction is named 'v'"),
        ({"g": {"w": [[1, 2]]}}, {"average": "both"}, UnknownNameError, "no average is named 'both'"),
    ],
)
def test_what_is_no_study_is_refused(values, options, error, said):
    """Scenarios must measure the same, with directions, and a column a strategy."""
    with pytest.raises(error, match=said):
        DegradationTable.of(values, ["a", "b"], better={"w": "low"}, **options)
