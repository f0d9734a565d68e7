"""The numbers in the other figures of a run."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.plotting import (
    plot_arrivals,
    plot_classes,
    plot_differences,
    plot_distribution,
    plot_fairness,
    plot_metric,
    plot_queue_length,
    plot_shapes,
    plot_utilization,
)


def outline(ax):
    """Return the corners of the area below a step function, as a set."""
    return {tuple(map(float, corner)) for corner in ax.collections[0].get_paths()[0].vertices}


def test_a_queue_that_is_always_empty_has_whole_jobs():
    """Where no job waits, the axis goes up to a job, and has no parts of one."""
    alone = ec.Workload.from_columns(submit_time=[0, 9], run_time=[5, 5], processors=[1, 1])
    ax = plot_queue_length(ec.simulate(alone, processors=1, policy="easy"))
    assert ax.get_ylim() == (0, 1)
    assert [tick for tick in ax.get_yticks() if 0 <= tick <= 1] == [0, 1]


def test_utilization_and_queue_length_are_the_steps(three_jobs):
    """All four processors until 50, three until 100, all until 119; one job waits from 1 to 100."""
    busy = outline(plot_utilization(three_jobs, processors=4))
    assert {(0, 100), (50, 100), (50, 75), (100, 75), (100, 100), (119, 100)} <= busy
    waiting = outline(plot_queue_length(three_jobs))
    assert {(1, 1), (100, 1)} <= waiting


def test_distribution_counts_the_jobs_above(three_jobs):
    """Of three jobs one waits more than 1 s and none more than 99 s; each run is a line with its name."""
    ax = plot_distribution({"easy": three_jobs, "fcfs": three_jobs})
    axis, share = ax.lines[0].get_data()
    assert share[0] == pytest.approx(100 / 3)
    assert share[axis < 99].min() == pytest.approx(100 / 3)
    assert share[-1] == 0
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["easy", "fcfs"]
    slowed = plot_distribution(three_jobs, quantity="bounded-slowdown")
    assert slowed.lines[0].get_ydata()[0] == pytest.approx(100 / 3)
    assert slowed.get_legend() is None
    with pytest.raises(InputError, match="at least one run"):
        plot_distribution({})


def test_classes_say_value_and_jobs(three_jobs):
    """All three jobs are short: the class of one processor and that of two to eight have a number each."""
    texts = [text.get_text() for text in plot_classes(three_jobs).texts]
    assert texts == ["0 s\n1 job", "49.5 s\n2 jobs"]
    shades = plot_classes(three_jobs, statistic="median").images[0].get_array()
    assert np.ma.count(np.ma.masked_invalid(shades)) == 2


def test_arrivals_by_hour_and_weekday(three_jobs):
    """Three jobs at midnight of Thursday, 1 January 1970; without a date there are no weekdays."""
    hours = plot_arrivals(three_jobs)
    assert [bar.get_height() for bar in hours.patches] == [3] + [0] * 23
    assert "the log does not give its start" in hours.get_xlabel()
    days = plot_arrivals(three_jobs, by="weekday", unix_start_time=86_400 * 7)
    assert [bar.get_height() for bar in days.patches] == [0, 0, 0, 3, 0, 0, 0]
    week = plot_arrivals(three_jobs, by="hour-of-week", unix_start_time=86_400 * 7)
    assert week.images[0].get_array()[3, 0] == 3
    with pytest.raises(InputError, match="weekdays are unknown"):
        plot_arrivals(three_jobs, by="weekday")


def test_shapes_count_every_job(three_jobs):
    """Three jobs of three shapes are three cells at their run times and sizes."""
    points = plot_shapes(three_jobs).collections[0]
    assert sorted(map(tuple, np.round(points.get_offsets(), 6))) == [(19, 4), (50, 1), (100, 3)]
    assert sum(points.get_array()) == 3


def test_fairness_is_a_point_a_user(three_jobs):
    """Anna has 300 of the 350 processor-seconds of known users; the job of nobody does not count."""
    ax = plot_fairness(three_jobs)
    points = ax.collections[0].get_offsets()
    assert [float(x) for x, _ in points] == pytest.approx([100 * 300 / 350, 100 * 50 / 350])
    assert [float(y) for _, y in points] == [1, 1]  # waits of 0 s are drawn at 1 s
    assert ax.get_title(loc="left") == "2 users; Jain's index of their mean waits 1.000"
    assert [text.get_text() for text in ax.texts] == ["anna", "bert"]


def test_differences_are_earlier_equal_and_later(three_jobs):
    """One job starts 40 s earlier, one at the same time, one 7 s later; the bars hold one job each."""
    moved = three_jobs.with_columns(start_time=pl.Series([7.0, 0.0, 60.0]))
    ax = plot_differences(three_jobs, moved, names=("fcfs", "easy"))
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["earlier: 1 jobs", "at the same time: 1 jobs", "later: 1 jobs"]
    assert [patch.get_data().values.sum() for patch in ax.patches] == [1, 1, 1]
    earlier = ax.patches[0].get_data()
    place = np.flatnonzero(earlier.values)[0]
    assert earlier.edges[place] < -40 < earlier.edges[place + 1]
    assert ax.get_xlabel() == "start under easy - start under fcfs"
    with pytest.raises(InputError, match="same jobs"):
        plot_differences(three_jobs, three_jobs.head(2))


@pytest.mark.parametrize(
    ("name", "values", "label", "drawn"),
    [
        ("mean_wait", {"a": 7200.0, "b": 36000.0}, "mean wait (h)", [2, 10]),
        ("utilization", {"a": 0.5}, "utilization", [0.5]),
        ("throughput_per_day", {"a": 3.0}, "throughput per day (jobs/day)", [3]),
    ],
)
def test_metrics_have_their_unit(name, values, label, drawn):
    """A metric's bars are in its unit, times in the one that suits."""
    ax = plot_metric(values, name)
    assert ax.get_xlabel() == label
    assert [bar.get_width() for bar in ax.patches] == drawn
