"""What a textbook's chart shows of a run, and how it writes times."""

from __future__ import annotations

from itertools import pairwise
from types import SimpleNamespace

import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.plotting.textbook.chart import Slice, TextbookChart, TimeAxis


def test_slices_are_the_times_on_processors(three_jobs):
    """A slice a job, in neighboring rows, by start."""
    chart = TextbookChart.of(three_jobs)
    assert chart.slices == (Slice(0, 0, 2, 0, 100), Slice(1, 3, 3, 0, 50), Slice(2, 0, 3, 100, 119))
    assert (chart.low, chart.high, chart.rows) == (0, 119, ["0", "1", "2", "3"])
    assert chart.marks == [0, 50, 100, 119]
    assert (chart.is_whole, chart.ran) == (True, 3)


def test_a_window_cuts_and_leaves_out(three_jobs):
    """Slices that lie in it stay whole as values; marks are cut; jobs outside are counted."""
    chart = TextbookChart.of(three_jobs, (10, 60))
    assert [one.job for one in chart.slices] == [0, 1]
    assert chart.marks == [10, 50, 60]
    assert (chart.is_whole, chart.ran, chart.outside) == (False, 2, 1)
    with pytest.raises(InputError, match="a window must end after it begins, got 5 to 5"):
        TextbookChart.of(three_jobs, (5, 5))


def test_without_a_slice_the_ends_of_the_window_are_marked(three_jobs):
    """A window after all ends is empty, and says when it is."""
    assert TextbookChart.of(three_jobs, (200, 300)).marks == [200, 300]


def test_rows_of_nodes_are_cores_with_their_nodes():
    """On nodes a row is a core; what a job holds of neighboring cores is one box."""
    jobs = ec.generate("irmasim-mix", jobs=3, most_tasks=4, node_cores=8)
    chart = TextbookChart.of(ec.simulate(jobs, platform="irmasim-a", policy="fcfs"))
    assert (len(chart.rows), chart.rows[0], chart.rows[-1]) == (16, "node 0 0", "node 1 7")
    cores = {job: sum(one.last - one.first + 1 for one in chart.slices if one.job == job) for job in range(3)}
    assert cores == dict(enumerate(jobs.processors.tolist()))
    assert len(chart.slices) == 3


def test_rows_of_sites_are_processors_with_their_sites():
    """On a grid each site has its own processors, from 0."""
    jobs = ec.Workload.from_columns(submit_time=[0, 0], run_time=[5, 5], processors=[2, 1])
    chart = TextbookChart.of(ec.simulate(jobs, platform=[2, 1], broker="ml"))
    assert chart.rows == ["site-1 0", "site-1 1", "site-2 0"]
    assert {(one.job, one.first, one.last) for one in chart.slices} == {(0, 0, 1), (1, 2, 2)}


def test_missing_columns_are_named():
    """A table that is not one of jobs says what it lacks."""
    with pytest.raises(InputError, match="submit_time"):
        TextbookChart.of(pl.DataFrame({"job_id": [1]}))


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
