"""Curves over one axis, and matrices as colors."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.plotting import plot_curves, plot_matrix


def test_a_line_a_name():
    """Each line has its values; what is not finite is a gap; a logarithmic axis still has a place for 0."""
    lines = {"A": [0, 10, 100], "B": [1, math.inf, 3]}
    ax = plot_curves([0.1, 0.5, 1.0], lines, labels=("a", "%"), logarithmic=True)
    assert [line.get_label() for line in ax.get_lines()] == ["A", "B"]
    assert ax.get_lines()[0].get_ydata().tolist() == [0, 10, 100]
    assert np.isnan(ax.get_lines()[1].get_ydata()).tolist() == [False, True, False]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_yscale()) == ("a", "%", "symlog")


def test_curves_need_lines_of_one_length():
    """No line, and one of another length, are refused."""
    with pytest.raises(InputError, match="at least one line"):
        plot_curves([1], {}, labels=("x", "y"))
    with pytest.raises(InputError, match="must have 2 values, got 1"):
        plot_curves([1, 2], {"A": [1]}, labels=("x", "y"))


def test_a_number_in_each_field_but_zero():
    """Numbers stand in their fields; rows and columns are named."""
    ax = plot_matrix([[0, 12.34], [5, 0]], rows=("1", "2"), columns=("x", "y"), labels=("from", "to"))
    assert sorted((text.get_text(), *text.get_position()) for text in ax.texts) == [
        ("12.3", 1, 0),
        ("5.0", 0, 1),
    ]
    assert [label.get_text() for label in ax.get_xticklabels()] == ["x", "y"]
    assert (ax.get_ylabel(), ax.get_xlabel()) == ("from", "to")


def test_a_matrix_of_zeros_is_drawn():
    """Nothing moved is a picture, too."""
    assert not plot_matrix([[0.0]], rows=("1",), columns=("1",), labels=("a", "b")).texts


@pytest.mark.parametrize("values", [[[1.0]], [], [[-1, 0], [0, 0]], [[math.nan, 0], [0, 0]]])
def test_a_matrix_has_a_number_for_each_pair(values):
    """Another shape, a negative value and one that is none are refused."""
    with pytest.raises(InputError):
        plot_matrix(values, rows=("1", "2"), columns=("x", "y"), labels=("a", "b"))


def test_bands_and_bridges():
    """Intervals are pale bands, or one upright line; a bridged line skips what is missing, another breaks."""
    gap = float("nan")
    lines = {"a": [1, gap, 3], "b": [2, 2, gap]}
    bands = {"a": ([0, gap, 2], [2, gap, 4]), "b": ([1, gap, gap], [3, gap, gap])}
    ax = plot_curves([1, 2, 3], lines, labels=("x", "y"), bands=bands, bridged=True)
    assert [line.get_xdata().tolist() for line in ax.lines] == [[1, 3], [1, 2]]
    band, upright = ax.collections
    assert band.get_paths()[0].get_extents().extents.tolist() == [1, 0, 3, 4]
    assert [part.tolist() for part in upright.get_segments()] == [[[1, 1], [1, 3]]]
    broken = plot_curves([1, 2, 3], lines, labels=("x", "y"), joined=False)
    assert [len(line.get_xdata()) for line in broken.lines] == [3, 3]
    assert {line.get_linestyle() for line in broken.lines} == {"None"}
