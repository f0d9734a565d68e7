"""Marks of time."""

from __future__ import annotations

from matplotlib.figure import Figure

from echelon.plotting.time_axis import mark_times, time_text


def test_texts():
    """A time is told in the largest unit that it fills."""
    assert [time_text(value) for value in (0, 0.5, 60, 9000, 86400, -3600)] == [
        "0 s",
        "0.5 s",
        "1 min",
        "2.5 h",
        "1 d",
        "-1 h",
    ]


def test_marks_are_round_times():
    """A logarithmic axis is marked at round times within its ends, a symmetric one at both sides and 0."""
    axes = Figure().subplots()
    axes.set_xscale("log")
    mark_times(axes.xaxis, low=5, high=4000)
    assert list(axes.get_xticks()) == [10, 60, 600, 3600]
    axes.set_xscale("symlog")
    mark_times(axes.xaxis, low=10, high=70, both_sides=True)
    assert list(axes.get_xticks()) == [-60, -10, 0, 10, 60]
