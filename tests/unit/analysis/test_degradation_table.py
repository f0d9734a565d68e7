"""The degradation table: the printed tables of the grid study recomputed."""

import numpy as np
import pytest

from echelon.analysis import DegradationTable, ranks
from echelon.errors import InputError, UnknownNameError

from . import printed

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
