"""A few jobs as a textbook's figure."""

from __future__ import annotations

import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.plotting import figure_bytes, plot_textbook


def test_boxes_names_times_and_arrivals(three_jobs):
    """A bordered box a job with its name in the middle; ticks at its edges; a triangle an arrival."""
    ax = plot_textbook(three_jobs)
    boxes = [(box.get_x(), box.get_y(), box.get_width(), box.get_height()) for box in ax.patches]
    assert boxes == [(0, 0, 100, 3), (0, 3, 50, 1), (100, 0, 19, 4)]
    assert {box.get_edgecolor() for box in ax.patches} == {(0, 0, 0, 1)}
    assert len({box.get_facecolor() for box in ax.patches}) == 3
    names = {text.get_text(): text.get_position() for text in ax.texts[:3]}
    assert (names["1"], names["2"], names["3"]) == ((50, 1.5), (25, 3.5), (109.5, 2))
    assert ax.get_xticks().tolist() == [0, 50, 100, 119]
    assert ax.get_xlabel() == "time (s)"
    assert [line.get_xdata()[0] for line in ax.lines] == [0, 1]


def test_one_processor_is_one_row_without_a_number():
    """The classic chart: no axis of processors; what is suspended is blank."""
    jobs = ec.Workload.from_columns(submit_time=[0, 1], run_time=[4, 1], processors=[1, 1])
    ax = plot_textbook(ec.simulate(jobs, processors=1, policy="srtf"))
    assert not len(ax.get_yticks())
    assert [(box.get_x(), box.get_width()) for box in ax.patches] == [(0, 1), (1, 1), (2, 3)]


@pytest.mark.slow
def test_names_are_no_formulas(three_jobs):
    """A name with dollars is written letter by letter, and the same figure gives the same bytes."""
    table = three_jobs.with_columns(job_id=pl.Series(["$x^2$", "_y", "z"]))
    assert figure_bytes(plot_textbook(table).figure, "svg") == figure_bytes(
        plot_textbook(table).figure, "svg"
    )


def test_many_jobs_are_refused():
    """Of more than 200 jobs in a window nothing could be read; the message says what to take."""
    jobs = ec.Workload.from_columns(submit_time=[0] * 201, run_time=[1] * 201, processors=[1] * 201)
    run = ec.simulate(jobs, processors=1)
    with pytest.raises(
        InputError, match="at most 200 jobs, got 201; give a shorter window, or take plot_gantt"
    ):
        plot_textbook(run, window=(0, 300))
    assert len(plot_textbook(run).patches) == 30


def test_every_arrival_has_its_names():
    """Names that would touch those before them stand in a line above."""
    jobs = ec.Workload.from_columns(submit_time=[0, 1, 2, 3], run_time=[9] * 4, processors=[1] * 4)
    table = ec.simulate(jobs, processors=1).jobs.with_columns(
        job_id=pl.Series(["anna-1", "Bob", "Chloe", "Daniel"])
    )
    ax = plot_textbook(table)
    ax.figure.draw_without_rendering()
    boxes = {text.get_text(): text.get_window_extent() for text in ax.texts[-4:]}
    assert list(boxes) == ["anna-1", "Bob", "Chloe", "Daniel"]
    ends = list(boxes.values())
    assert not any(one.overlaps(other) for k, one in enumerate(ends) for other in ends[:k])
