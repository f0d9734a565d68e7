"""Intervals, boxes and Pareto plots: what they draw, that names and numbers are whole, what they refuse."""

from __future__ import annotations

import math
from itertools import combinations

import pytest
from matplotlib.figure import Figure

from echelon import plotting
from echelon.errors import InputError, MissingExtraError
from echelon.plotting.study.column import fit_labels, legend_below, value_limits

LONG = [f"easy(candidates=shortest-first,reservations={k})" for k in (1, 4)]


def test_intervals_are_drawn_as_given():
    """A dot a mean, a line from bound to bound; what is unknown is not drawn."""
    rows = [("a", 2.0, 0.0, 5.0), ("b", 3.0, math.nan, math.nan), ("c", math.nan, math.nan, math.nan)]
    ax = plotting.plot_intervals(rows, label="wait (min)")
    lines = [line.get_xdata() for line in ax.lines]
    assert [list(line) for line in lines[:3]] == [[0.0, 5.0], [2.0], [3.0]]
    assert ax.get_xlim()[0] == 0
    assert [label.get_text() for label in ax.get_yticklabels()] == ["a", "b", "c"]
    assert ax.get_xlabel() == "wait (min)"


def test_boxes_are_quartiles_and_extremes():
    """The box goes from quartile to quartile, lines to the extremes; far values are logarithmic."""
    ax = plotting.plot_boxes(["a", "none"], [[1.0, 2.0, 3.0, 4.0, 5.0], []], label="wait")
    (box,) = ax.patches
    assert (box.get_x(), box.get_width()) == (2.0, 2.0)
    assert ax.collections[0].get_segments()[0][:, 0].tolist() == [1.0, 5.0]
    wide = plotting.plot_boxes(["a"], [[1.0, 100.0, math.nan]], label="wait")
    assert (wide.get_xscale(), wide.get_xlabel()) == ("log", "wait, logarithmic axis")


def points(count):
    """Return choices of which the first two are on the front."""
    return [
        plotting.Point(f"{LONG[0]} {k}", 1 + k % 3 / 10, 5 + k // 3 / 10, is_front=k < 2, third=float(k))
        for k in range(count)
    ]


@pytest.mark.slow
@pytest.mark.parametrize("width", [3.5, 7.2])
def test_numbers_of_a_front_are_apart_and_their_names_below(width):
    """Each choice has a number upon no other, in the picture; its name stands below, whole."""
    ax = plotting.plot_front(points(14), labels=("wait", "utilization"), width=width)
    figure = ax.figure
    figure.draw_without_rendering()
    boxes = [text.get_window_extent() for text in ax.texts]
    assert [text.get_text() for text in ax.texts] == [str(number) for number in range(1, 15)]
    assert not [one for one, other in combinations(boxes, 2) if one.overlaps(other)]
    names = "".join("".join(text.get_text().split()) for text in figure.texts)
    assert all(f"{k + 1}{LONG[0]}{k}" in names for k in range(14))
    below = [text.get_window_extent() for text in figure.texts]
    assert all(0 <= box.x0 < box.x1 <= figure.bbox.width and box.y0 >= 0 for box in below)
    bottom = ax.xaxis.get_tightbbox().y0
    assert all(box.y1 <= bottom for box in below)


@pytest.mark.slow
def test_a_third_measure_is_the_color():
    """Two measures are joined along the front; of three the third has a scale of colors."""
    plain = plotting.plot_front(points(3), labels=("x", "y"))
    assert plain.lines[0].get_xdata().tolist() == [1.0, 1.1]
    colored = plotting.plot_front(points(3), labels=("x", "y"), color_label="energy (J)")
    assert [ax.get_ylabel() for ax in colored.figure.axes] == ["y", "energy (J)"]


def test_too_many_choices_have_no_names():
    """Beyond forty only the front is named."""
    ax = plotting.plot_front(points(60), labels=("x", "y"))
    assert [text.get_text() for text in ax.texts] == ["1", "2"]


@pytest.mark.slow
@pytest.mark.parametrize("width", [3.5, 7.2])
def test_rows_and_legends_hold_whole_names(width):
    """Long names have lines, beside rows and in the legend below, and all of it is in the picture."""
    rows = plotting.plot_intervals([(name, 1.0, 0.5, 2.0) for name in LONG], label="wait", width=width)
    rows.figure.draw_without_rendering()
    shown = rows.get_yticklabels()
    assert ["".join(label.get_text().split()) for label in shown] == LONG
    assert all(label.get_window_extent().x0 >= 0 for label in shown)
    lines = plotting.plot_curves(
        [1, 2],
        {name: [1, 2] for name in LONG},
        labels=("x", "y"),
        ax=Figure((width, 2), layout="constrained").subplots(),
    )
    before = lines.figure.get_figheight()
    legend_below(lines, LONG, title="Policy")
    lines.figure.draw_without_rendering()
    (legend,) = lines.figure.legends
    box = legend.get_window_extent()
    assert 0 <= box.x0 < box.x1 <= lines.figure.bbox.width
    assert lines.figure.get_figheight() > before
    assert ["".join(text.get_text().split()) for text in legend.get_texts()] == LONG


@pytest.mark.parametrize(
    ("values", "limits"),
    [
        ([], (0, 1.06)),
        ([1, 10], (0, 10.6)),
        ([9, 10], (8.94, 10.06)),
        ([5, 5], (4.7, 5.3)),
        ([-1, 1], (-1.12, 1.12)),
    ],
)
def test_limits_begin_at_0_where_values_are_near(values, limits):
    """An axis near 0 begins there; another leaves some room at both ends."""
    assert value_limits(values) == pytest.approx(limits)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda: plotting.plot_intervals([], label=""),
        lambda: plotting.plot_boxes([], [], label=""),
        lambda: plotting.plot_boxes(["a"], [], label=""),
        lambda: plotting.plot_front([], labels=("", "")),
        lambda: plotting.plot_front([plotting.Point("a", math.nan, 1.0, True)], labels=("", "")),
    ],
)
def test_what_can_not_be_drawn(wrong):
    """No row, no sample and a value that is not finite are refused."""
    with pytest.raises(InputError, match="needs"):
        wrong()


def test_a_style_is_left_behind():
    """Inside a style its font and strokes hold; outside matplotlib is as it was."""
    import matplotlib

    before = dict(matplotlib.rcParams)
    style = plotting.Style(font=("No Such Font", "DejaVu Serif"), font_size=9.6)
    with plotting.apply_style(style):
        assert matplotlib.rcParams["font.family"] == ["DejaVu Serif"]
        assert (matplotlib.rcParams["font.size"], matplotlib.rcParams["xtick.labelsize"]) == (9.6, 8.0)
        assert (matplotlib.rcParams["pdf.fonttype"], matplotlib.rcParams["svg.fonttype"]) == (42, "none")
    assert dict(matplotlib.rcParams) == before


def test_a_font_that_is_not_there():
    """The style's file and key are named, and what to write instead."""
    style = plotting.Style(font=("No Such Font",), file="paper.toml")
    with (
        pytest.raises(
            InputError, match=r"paper.toml, figures.font: this machine has no font 'No Such Font'; name"
        ),
        plotting.apply_style(style),
    ):
        pass


def test_a_style_without_matplotlib(monkeypatch):
    """The extra is named."""
    monkeypatch.setitem(__import__("sys").modules, "matplotlib", None)
    said = r"echelon-scheduling\[figures\]"
    with pytest.raises(MissingExtraError, match=said), plotting.apply_style(plotting.Style()):
        pass


def test_widths_and_labels_of_a_style():
    """Widths are in mm; what has no label keeps its name, an axis as a word."""
    style = plotting.Style(columns=2, labels={"easy": "EASY"}, axes={"load": "Offered load"})
    assert style.width == pytest.approx(7.2, abs=0.01)
    assert plotting.Style().width == pytest.approx(3.5, abs=0.01)
    assert [style.value(name) for name in ("easy", "fcfs")] == ["EASY", "fcfs"]
    assert [style.axis(name) for name in ("load", "workload_seed")] == ["Offered load", "Workload seed"]


@pytest.mark.slow
def test_a_number_between_two_marks_is_nearer_to_its_own():
    """Two choices side by side have their numbers in the order of the marks, never crosswise."""
    near = [
        plotting.Point("far", 42.9, 89.5, is_front=False),
        plotting.Point("left", 1.973, 10.51, is_front=True),
        plotting.Point("right", 2.133, 10.42, is_front=True),
    ]
    ax = plotting.plot_front(near, labels=("wait (h)", "95th percentile (h)"), width=3.5)
    ax.figure.draw_without_rendering()
    middles = [(box.x0 + box.x1) / 2 for text in ax.texts for box in [text.get_window_extent()]]
    assert middles[1] < middles[2]


@pytest.mark.slow
@pytest.mark.parametrize("label", ["wait", "Mean waiting time of all jobs of all users (h)"])
def test_long_labels_are_broken_where_the_figure_would_cut_them(label):
    """A label and a title of any length are inside a narrow figure, with all their words."""
    names = [f"a long name of a policy {number}" for number in range(5)]
    rows = plotting.plot_boxes(names, [[1.0, 100.0]] * 5, label=label, width=2.6)
    rows.set_title(label)
    one = plotting.Point("one", 1.0, 2.0, is_front=True)
    plane = plotting.plot_front([one], labels=("wait", f"{label}, of the longest"), width=2.6)
    for ax in (rows, plane):
        fit_labels(ax)
        ax.figure.draw_without_rendering()
        for text in filter(lambda text: text.get_text(), (ax.title, ax.xaxis.label, ax.yaxis.label)):
            box = text.get_window_extent()
            assert 0 <= box.x0 <= box.x1 <= ax.figure.bbox.x1
            assert 0 <= box.y0 <= box.y1 <= ax.figure.bbox.y1
    assert rows.get_xlabel().replace("\n", " ") == f"{label}, logarithmic axis"
    assert plane.get_ylabel().replace("\n", " ") == f"{label}, of the longest"
