"""The Gantt: every job on its processors."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from matplotlib.collections import LineCollection

import echelon as ec
from echelon.errors import InputError
from echelon.model import Platform, Site
from echelon.plotting import (
    COLORS,
    figure_bytes,
    plot_gantt,
    plot_queue_length,
    plot_schedule,
    plot_utilization,
)


def boxes(ax):
    """Return (left, bottom, right, top) of each rectangle, as drawn."""
    return [
        (*path.vertices.min(axis=0), *path.vertices.max(axis=0)) for path in ax.collections[0].get_paths()
    ]


def test_rectangles_are_the_jobs(three_jobs):
    """Each job is a rectangle from its start to its end, on the lowest processors that were free."""
    ax = plot_gantt(three_jobs, processors=4)
    assert boxes(ax) == [(0, 0, 100, 3), (0, 3, 50, 4), (100, 0, 119, 4)]
    assert (ax.get_xlim(), ax.get_ylim()) == ((0, 119), (0, 4))
    assert ax.get_xlabel() == "time (s)"


def test_few_processors_have_whole_numbers(three_jobs):
    """Beside four processors and beside the colors of sizes 1 to 4 there are whole numbers only."""
    ax = plot_gantt(three_jobs, processors=4)
    bar = next(other for other in ax.figure.axes if other is not ax)
    ax.figure.draw_without_rendering()
    assert all(tick == int(tick) for tick in ax.get_yticks())
    assert [label.get_text() for label in bar.get_yticklabels()] == ["1", "2", "4"]
    assert [label.get_text() for label in bar.get_yticklabels(minor=True)] == []


def test_sites_lie_above_each_other(three_jobs):
    """The first site is at the bottom, a line parts it from the second, both are named in the middle."""
    run = SimpleNamespace(
        jobs=three_jobs.with_columns(
            site=pl.Series(["large", "small", "large"]), home_site=pl.Series(["small", "small", None])
        ),
        platform=Platform((Site("large", 6), Site("small", 2))),
    )
    ax = plot_gantt(run)
    assert boxes(ax) == [(0, 0, 100, 3), (0, 6, 50, 7), (100, 0, 119, 4)]
    assert ax.get_ylim() == (0, 8)
    ticks = dict(zip(ax.get_yticks(), [text.get_text() for text in ax.get_yticklabels()], strict=True))
    assert ticks == {3.0: "large", 7.0: "small"}
    legend = plot_gantt(run, color_by="home-site").get_legend().get_texts()
    assert [text.get_text() for text in legend] == ["from small", "others"]


def test_low_sites_have_neither_name_nor_line(three_jobs):
    """Of sites of 4 processors beside one of 1000 only the large one has a name and a line."""
    small = tuple(Site(f"small-{k}", 4) for k in range(8))
    platform = Platform((*small, Site("large", 1000)))
    ax = plot_gantt(SimpleNamespace(jobs=three_jobs.with_columns(site=pl.lit("large")), platform=platform))
    assert [text.get_text() for text in ax.get_yticklabels()] == ["large"]
    lines = [drawn for drawn in ax.collections if isinstance(drawn, LineCollection)]
    assert [len(drawn.get_segments()) for drawn in lines] == [1]


def test_a_job_on_parted_processors_is_several_rectangles():
    """A job whose processors do not follow each other is drawn on each of its intervals."""
    table = pl.DataFrame(
        {"submit_time": [0.0] * 4, "start_time": [0.0, 0.0, 0.0, 5.0], "end_time": [5.0, 9.0, 5.0, 9.0]}
    ).with_columns(processors=pl.Series([1, 1, 1, 2]))
    assert boxes(plot_gantt(table, processors=3))[3:] == [(5, 0, 9, 1), (5, 2, 9, 3)]


def test_colors_are_of_sizes_waits_or_users(three_jobs):
    """Sizes and waits are values on a logarithmic color bar; the largest users have a color each."""
    assert list(plot_gantt(three_jobs, processors=4).collections[0].get_array()) == [3, 1, 4]
    waits = plot_gantt(three_jobs, processors=4, color_by="wait").collections[0]
    assert list(waits.get_array()) == [1, 1, 99]  # waits below 1 s count as 1 s
    users = plot_gantt(three_jobs, processors=4, color_by="user")
    assert [text.get_text() for text in users.get_legend().get_texts()] == [
        "user anna",
        "user bert",
        "others",
    ]
    shades = users.collections[0].get_facecolor()
    assert len(np.unique(shades, axis=0)) == 3
    assert users.get_legend().get_patches()[0].get_facecolor() == tuple(shades[0])


def test_at_most_six_names_have_a_color():
    """From the seventh user on all are gray, and the legend says so."""
    table = pl.DataFrame({"start_time": np.arange(9.0), "end_time": np.arange(9.0) + 1}).with_columns(
        submit_time=pl.col("start_time"), processors=1, user=pl.Series([str(k) for k in range(9)])
    )
    legend = plot_gantt(table, color_by="user").get_legend().get_texts()
    assert len(legend) == len(COLORS)
    assert legend[-1].get_text() == "others"


def test_a_window(three_jobs):
    """Only jobs that run within the window are drawn, on the processors they have in the whole schedule."""
    ax = plot_gantt(three_jobs, processors=4, window=(60, 90))
    assert boxes(ax) == [(0, 0, 100, 3)]
    assert ax.get_xlim() == (60, 90)
    with pytest.raises(InputError, match="must end after it begins, got 9 to 9"):
        plot_gantt(three_jobs, window=(9, 9))


def test_what_is_no_machine(three_jobs):
    """More jobs than processors are refused, on one machine and on a site, which is named."""
    platform = Platform((Site("a", 4), Site("b", 4)))
    together = three_jobs.with_columns(site=pl.Series(["a", "b", "b"]), start_time=pl.lit(0.0))
    with pytest.raises(InputError, match=r"site 'b', the job at position 1 needs 4 processors"):
        plot_gantt(SimpleNamespace(jobs=together, platform=platform))
    with pytest.raises(InputError, match="processors"):
        plot_gantt(three_jobs, processors=3)


@pytest.mark.slow
def test_vector_files_of_many_jobs_stay_small():
    """The jobs of 20,000 are dots inside an SVG, not 20,000 shapes."""
    jobs = 20_000
    start = np.arange(jobs, dtype=np.float64)
    table = pl.DataFrame({"submit_time": start, "start_time": start, "end_time": start + 3}).with_columns(
        processors=1
    )
    content = figure_bytes(plot_gantt(table, processors=4).figure, "svg")
    assert b"<image" in content
    assert len(content) < 1_000_000


def test_a_schedule_is_three_axes_with_one_time(three_jobs):
    """Gantt, busy processors and waiting jobs have the same time axis, whose label is at the bottom."""
    figure = plot_schedule(three_jobs, processors=4)
    top, middle, bottom, *_ = figure.axes
    assert top.get_xlim() == middle.get_xlim() == bottom.get_xlim() == (0, 119)
    assert [ax.get_xlabel() for ax in (top, middle, bottom)] == ["", "", "time (s)"]
    assert [ax.get_ylabel() for ax in (top, middle, bottom)] == ["processor", "busy (%)", "waiting jobs"]


def test_preempted_jobs_are_drawn_while_they_held_processors():
    """A job that is suspended leaves its processors to others, and waits again meanwhile."""
    workload = ec.Workload.from_columns(
        submit_time=[0, 10], run_time=[99, 20], requested_time=[99, 20], processors=[4, 4]
    )
    result = ec.simulate(workload, processors=4, policy="srtf")
    assert result.segments is not None
    assert boxes(plot_gantt(result)) == [(0, 0, 10, 4), (30, 0, 119, 4), (10, 0, 30, 4)]
    busy = plot_utilization(result).collections[0].get_paths()[0].vertices
    assert busy[:, 1].max() == 100
    waiting = plot_queue_length(result).collections[0].get_paths()[0].vertices
    assert {(10, 1), (30, 1)} <= {tuple(map(float, corner)) for corner in waiting}
