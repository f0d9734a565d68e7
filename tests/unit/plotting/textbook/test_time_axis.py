"""Times below a textbook's chart."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import pytest

from echelon.plotting.textbook.time_axis import TimeAxis


def axis_of(low, high):
    """Return the axis of a window."""
    return TimeAxis.of(SimpleNamespace(low=low, high=high))


def test_few_seconds_are_plain():
    """Seconds of the log's clock, to a hundredth."""
    axis = axis_of(5, 26)
    assert axis.title == "time (s)"
    assert axis.name_times([5, 12.5, 20.123, 26]) == [(5, "5"), (12.5, "12.5"), (20.123, "20.12"), (26, "26")]


def test_long_times_have_a_unit_and_count_from_the_window():
    """A log that began long ago is counted from the window's beginning, which is said."""
    axis = axis_of(600_000, 640_000)
    assert axis.title == "time (h) from 600,000 s on"
    assert axis.name(607_200) == "2"


@pytest.mark.parametrize(
    ("low", "high"), [(0, 1), (0, 26), (3, 999), (50_000, 99_999), (0, 10**8), (7, 7.001)]
)
def test_even_times_are_round_and_in_the_window(low, high):
    """From one to eight of them, at equal distances."""
    axis = axis_of(low, high)
    times = axis.even_times(SimpleNamespace(low=low, high=high))
    assert 1 <= len(times) <= 8
    assert low - 1e-6 <= times[0] <= times[-1] <= high + 1e-6
    steps = {round(after - before, 6) for before, after in pairwise(times)}
    assert len(steps) <= 1
