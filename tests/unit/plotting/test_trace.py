"""Figures of metrics over time."""

from __future__ import annotations

import numpy as np
import pytest
from matplotlib.figure import Figure

from echelon.errors import InputError
from echelon.metrics import Trace
from echelon.plotting import figure_bytes, plot_trace


def trace(name, *points):
    """Return a trace of pairs of time and value."""
    time, value = np.array(points, dtype=float).reshape(-1, 2).T
    return Trace(name, time, value)


def test_lines_units_and_names():
    """Each run is a line in the unit that suits the largest value, with the metric's label."""
    ax = Figure().subplots()
    waits = {"easy": trace("mean_wait", (0, np.nan), (3600, 7200)), "$x": trace("mean_wait", (9000, 1800))}
    assert plot_trace(waits, ax=ax) is ax
    assert ax.lines[0].get_xdata().tolist() == [0, 1]
    assert ax.lines[0].get_ydata()[1] == 2
    assert (ax.get_xlabel(), ax.get_ylabel()) == ("time (h)", "Mean wait (h)")
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["easy", "\\$x"]


@pytest.mark.slow
def test_a_ratio_has_no_unit_and_one_run_no_legend():
    """A ratio is drawn as it is; an empty trace and one of NaN alone give a figure, too."""
    ax = plot_trace({"": trace("competitive_ratio", (1, 1.5))})
    assert ax.get_ylabel() == "Last completion over its lower bound"
    assert ax.get_legend() is None
    for found in (trace("mean_wait"), trace("mean_wait", (1, np.nan))):
        assert figure_bytes(plot_trace({"a": found}).figure, "png").startswith(b"\x89PNG")


def test_where_the_axis_begins():
    """Values near each other are not crowded at the top; all others are seen from 0."""
    assert plot_trace({"": trace("competitive_ratio", (1, 1.0), (2, 1.01))}).get_ylim()[0] > 0.9
    assert plot_trace({"": trace("competitive_ratio", (1, 1.0), (2, 3.0))}).get_ylim()[0] == 0


def test_one_metric():
    """Different metrics do not share an axis, and none is no figure."""
    with pytest.raises(InputError, match=r"must belong to one metric, got \['jobs', 'mean_wait'\]"):
        plot_trace({"a": trace("jobs"), "b": trace("mean_wait")})
    with pytest.raises(InputError, match="must belong to one metric, got none"):
        plot_trace({})
