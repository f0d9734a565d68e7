"""Figures that compare strategies: degradation, critical differences, performance profiles, bounds."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import pytest
from matplotlib.figure import Figure

from echelon import plotting
from echelon.analysis import DegradationTable, Friedman, performance_profile
from echelon.errors import InputError, UnknownNameError

NAMES = ("mpl", "mst", "_random$")


def table(largest=400.0):
    """Return two grids, two metrics, three strategies; the second is best."""
    percent = [[[50, 0, largest], [20, 0, 200]], [[0, 10, 30], [0, 30, 40]]]
    return DegradationTable(("small", "large"), ("rho", "wait"), NAMES, np.array(percent, dtype=float))


def ranked(mean_ranks, difference=0.5):
    """Return a test's result of these mean ranks."""
    return Friedman(np.array(mean_ranks), 10, 0, 0, 0, 0, 0.05, difference)


FIGURES = {
    "degradation": lambda ax=None: plotting.plot_degradation(table(), ax=ax),
    "critical-difference": lambda ax=None: plotting.plot_critical_difference(
        ranked([1, 1.3, 2.7]), NAMES, ax=ax
    ),
    "profile": lambda ax=None: plotting.plot_performance_profile(
        performance_profile([[1, 2, 3], [4, 2, 50]]), NAMES, ax=ax
    ),
    "bounds": lambda ax=None: plotting.plot_bounds(ax=ax),
}


@pytest.mark.slow
@pytest.mark.parametrize("figure", FIGURES)
def test_in_axes_or_alone(figure):
    """Given axes are drawn into; without, a figure of its own can be written, each as another kind of file.

    That figures can be written in every format is tested with those of a run.
    """
    ax = Figure().subplots()
    assert FIGURES[figure](ax=ax) is ax
    kind = plotting.FILE_FORMATS[list(FIGURES).index(figure) % len(plotting.FILE_FORMATS)]
    assert len(plotting.figure_bytes(FIGURES[figure]().figure, kind)) > 1000


def texts(ax):
    return [text.get_text() for text in ax.texts]


def test_degradation_rows_are_ranked():
    """The best is on top, each with its rank; a bar a metric, a mark at their mean."""
    ax = plotting.plot_degradation(table(), "small")
    assert [label.get_text() for label in ax.get_yticklabels()] == ["mst  1", "mpl  2", "\u200b_random\\$  3"]
    assert [[bar.get_width() for bar in metric] for metric in ax.containers] == [[0, 50, 400], [0, 20, 200]]
    assert ax.lines[0].get_xdata().tolist() == [0, 35, 300]
    assert ax.get_xscale() == "linear"


def test_degradation_far_apart_and_over_all():
    """Values far apart are on a partly logarithmic axis that says so; without a scenario, means are drawn."""
    ax = plotting.plot_degradation(table(50_000), "small")
    assert (ax.get_xscale(), ax.get_xlabel()) == (
        "symlog",
        "degradation (%), linear up to 100, then logarithmic",
    )
    ax = plotting.plot_degradation(table())
    assert ax.lines[0].get_xdata().tolist() == [10, 17.5, 167.5]


def test_degradation_of_equals():
    """If all are as good, bars have no length and all are first."""
    equal = DegradationTable(("g",), ("wait",), ("a", "b"), np.zeros((1, 1, 2)))
    ax = plotting.plot_degradation(equal)
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a  1", "b  1"]


def test_what_can_not_be_drawn_as_degradation():
    """An infinite percentage and an unknown scenario are told."""
    with pytest.raises(InputError, match="some strategy is infinitely worse"):
        plotting.plot_degradation(table(np.inf))
    with pytest.raises(UnknownNameError, match="no scenario is named 'smal'; did you mean 'small'"):
        plotting.plot_degradation(table(), "smal")


def test_critical_difference_says_ranks_and_cliques():
    """Names stand with their mean ranks, the ruler is as long as the difference, bars join the cliques."""
    ax = plotting.plot_critical_difference(ranked([2.7, 1, 1.3]), NAMES)
    assert texts(ax) == [
        "1", "2", "3", "critical difference 0.50 at α = 0.05",
        "mst  1.00", "\u200b_random\\$  1.30", "mpl  2.70",
    ]  # fmt: skip
    bars = [line.get_xdata() for line in ax.lines if line.get_linewidth() == 3]
    assert [bar.tolist() for bar in bars] == [pytest.approx([0.96, 1.34])]


def test_critical_difference_without_cliques():
    """If all differ, no bar joins any two."""
    ax = plotting.plot_critical_difference(ranked([1, 2, 3]), NAMES)
    assert not [line for line in ax.lines if line.get_linewidth() == 3]


@pytest.mark.parametrize("name", ["a", "easy:shortest-first:reservations=2 + mct:of=job:grid-state=actual"])
def test_names_of_any_length_stand_beside_the_ranks(name):
    """Short or long, all names are inside the figure, and the line of ranks keeps its length."""
    ax = plotting.plot_critical_difference(ranked([2.7, 1, 1.3]), [name] * 3)
    ax.figure.draw_without_rendering()
    edges = [text.get_window_extent() for text in ax.texts if text.get_text().startswith(name)]
    assert len(edges) == 3
    assert all(edge.x0 >= 0 and edge.x1 <= ax.figure.bbox.width for edge in edges)
    ends = ax.transData.transform([(1, 0), (3, 0)])[:, 0] / ax.figure.dpi
    assert ends[1] - ends[0] == pytest.approx(3.6, rel=0.2)


def test_eight_metrics_can_be_told_apart():
    """Where colors come again bars are hatched."""
    many = DegradationTable(("g",), tuple("abcdefgh"), ("x", "y"), np.ones((1, 8, 2)))
    first, *_, last = plotting.plot_degradation(many).containers
    assert first[0].get_facecolor() == last[0].get_facecolor()
    assert (first[0].get_hatch(), last[0].get_hatch()) == ("", "////")


def test_profile_lines():
    """Each strategy is a step line from its share of wins up; far factors are on a logarithmic axis."""
    ax = plotting.plot_performance_profile(performance_profile([[1, 2, 3], [4, 2, 50]]), NAMES)
    first, second, third = (line.get_ydata().tolist() for line in ax.lines)
    assert (first[0], second[0], third[0]) == (50, 50, 0)
    assert first[-1] == second[-1] == third[-1] == 100
    assert (ax.get_xscale(), ax.get_xlabel()) == ("log", "factor of the best, logarithmic axis")


def test_profile_of_equals_and_of_failures():
    """All equal, or all failed, is a figure with straight lines."""
    for values, height in (([[3, 3]], 100), ([[np.nan, np.nan]], 0)):
        ax = plotting.plot_performance_profile(performance_profile(values), ["a", "b"])
        assert {float(y) for line in ax.lines for y in line.get_ydata()} == {height}
        assert ax.get_xscale() == "linear"


@pytest.mark.parametrize(
    ("plot", "drawn"),
    [
        (plotting.plot_critical_difference, ranked([1, 2, 3])),
        (plotting.plot_performance_profile, performance_profile([[1, 2, 3]])),
    ],
)
def test_a_name_a_strategy(plot, drawn):
    """Too few names are told before anything is drawn."""
    with pytest.raises(InputError, match="names: needs 3 names, one a strategy, got 2"):
        plot(drawn, ["a", "b"])


def test_bounds():
    """Both cases and the larger of them, with its least value; one case alone; and no other case."""
    both = plotting.plot_bounds()
    assert [line.get_label() for line in both.lines][2] == "the larger of both"
    assert texts(both) == ["11 at a = 0.5"]
    assert texts(plotting.plot_bounds(online=False)) == ["9 at a = 0.5"]
    alone = plotting.plot_bounds(online=False, cases=(1,))
    assert alone.lines[0].get_ydata()[-1] == 3
    assert len(alone.lines) == 1
    for cases in ((3,), ()):
        with pytest.raises(UnknownNameError, match="no case is named"):
            plotting.plot_bounds(cases=cases)


MANY = [
    f"easy:order={order},reservations={k}" for order in ("fcfs", "smallest_area_first") for k in range(20)
]


@pytest.mark.slow
@pytest.mark.parametrize("columns", [1, 2])
@pytest.mark.parametrize("count", [2, 3, 12, pytest.param(40, marks=pytest.mark.slow)])
def test_names_are_whole_and_cover_nothing(count, columns):
    """In the width of a column all names, long ones in lines, are in the picture, and no two texts meet."""
    names = MANY[:: len(MANY) // count][:count]
    style = plotting.Style(columns=columns)
    ranks = np.linspace(1.2, count - 0.2, count) if count > 2 else [1.4, 1.6]
    with plotting.apply_style(style):
        ax = plotting.plot_critical_difference(ranked(ranks, difference=1.1), names, width=style.width)
        ax.figure.draw_without_rendering()
        boxes = [text.get_window_extent() for text in ax.texts]
    whole = ax.figure.bbox
    assert all(0 <= box.x0 < box.x1 <= whole.width and 0 <= box.y0 < box.y1 <= whole.height for box in boxes)
    assert not [(one, other) for one, other in combinations(boxes, 2) if one.overlaps(other)]
    shown = ["".join(text.get_text().split()) for text in ax.texts]
    assert all(any(said.startswith(name) for said in shown) for name in names)
    assert ax.figure.get_figwidth() == pytest.approx(style.width)


def test_a_critical_difference_beyond_the_scale():
    """A ruler that is longer than the line of ranks ends with it, and the text says so."""
    ax = plotting.plot_critical_difference(ranked([1, 2, 3], difference=2.4), NAMES)
    assert "critical difference 2.40 at α = 0.05, beyond the scale" in texts(ax)
    assert max(line.get_segments()[0][-1][0] for line in ax.collections) == 3
