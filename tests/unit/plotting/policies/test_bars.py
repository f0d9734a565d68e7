"""Bars of one quantity over policies."""

from __future__ import annotations

import pytest
from matplotlib.figure import Figure

from echelon.errors import InputError
from echelon.plotting import plot_bars


def widths(ax):
    return [[bar.get_width() for bar in family] for family in ax.containers]


def test_values_names_and_numbers():
    """Each value is a bar of its length with its number at the end, in the order given, from the top."""
    ax = plot_bars(
        {"PQS": {"FIFO": 68.213, "BEST": 73.0}, "EASY": {"FIFO": 74.0739, "BEST": 0}}, label="x (s)"
    )
    assert widths(ax) == [[68.213, 73.0], [74.0739, 0]]
    assert [text.get_text() for text in ax.get_yticklabels()] == ["FIFO", "BEST"]
    assert [text.get_text() for text in ax.texts] == ["68.21", "73", "74.07", "0"]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["PQS", "EASY"]
    assert (ax.get_xlabel(), ax.get_xscale(), ax.get_xlim()[0]) == ("x (s)", "linear", 0)
    assert ax.yaxis_inverted()


def test_far_apart_values_are_on_a_logarithmic_axis():
    """Values more than fifty times apart can all be read, and the axis says so; a 0 keeps it linear."""
    ax = plot_bars({"": {"a": 1, "b": 51}}, label="x (s)")
    assert (ax.get_xscale(), ax.get_xlabel()) == ("log", "x (s), logarithmic axis")
    assert ax.xaxis.get_major_formatter()(1000) == "1,000"
    assert plot_bars({"": {"a": 1, "b": 50}}, label="").get_xscale() == "linear"
    assert plot_bars({"": {"a": 0, "b": 51}}, label="").get_xscale() == "linear"


def test_one_family_has_no_legend_and_zeros_are_drawn():
    """One color needs no legend; all zero is a chart, too."""
    ax = plot_bars({"": {"a": 0.0}}, label="s")
    assert ax.get_legend() is None
    assert widths(ax) == [[0.0]]


def test_it_draws_where_it_is_told():
    """Given axes are drawn into and returned."""
    ax = Figure().subplots()
    assert plot_bars({"": {"a": 1.0}}, label="s", ax=ax) is ax
    assert widths(ax) == [[1.0]]


@pytest.mark.parametrize(
    ("bars", "sentence"),
    [
        ({}, "at least one value"),
        ({"": {}}, "at least one value"),
        ({"x": {"a": 1}, "y": {"b": 1}}, "same names"),
        ({"": {"a": -1}}, "bar a: must be a number >= 0, got -1"),
        ({"": {"a": float("nan")}}, "bar a: must be a number >= 0, got nan"),
    ],
)
def test_what_can_not_be_drawn(bars, sentence):
    """Bars that nobody could read are refused with a sentence."""
    with pytest.raises(InputError, match=sentence):
        plot_bars(bars, label="s")


def test_intervals_are_drawn_from_end_to_end():
    """A line goes from the lower to the upper end of each interval, and the axis has room for all of it."""
    bars = {"a": {"x": 10.0, "y": 20.0}, "b": {"x": 5.0, "y": 8.0}}
    ends = {"a": {"x": (9.0, 12.0), "y": (15.0, 40.0)}, "b": {"x": (4.0, 6.0), "y": (8.0, 8.0)}}
    axes = plot_bars(bars, label="s", intervals=ends)
    lines = [segment[:, 0].tolist() for family in axes.containers for segment in _segments(family)]
    assert lines == [[9, 12], [15, 40], [4, 6], [8, 8]]
    assert axes.get_xlim()[1] > 40


def _segments(family):
    """Return the lines of a family's intervals; its labels are containers, too."""
    return family.errorbar.lines[2][0].get_segments() if hasattr(family, "patches") else []


def test_numbers_and_scale_can_be_chosen():
    """Numbers are written by the function given, and values far apart stay on a linear axis if it must be."""
    shares = {"": {"seed": 99.5, "load": 0.5}}
    ax = plot_bars(shares, label="%", shown=lambda value: f"{value:.0f} %", logarithmic=False)
    assert [text.get_text() for text in ax.texts] == ["100 %", "0 %"]
    assert ax.get_xscale() == "linear"
