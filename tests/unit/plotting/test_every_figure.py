"""What all figures have in common."""

from __future__ import annotations

import sys
from functools import partial

import polars as pl
import polars.selectors as cs
import pytest
from matplotlib.figure import Figure

import echelon as ec
from echelon import plotting
from echelon.errors import InputError, MissingExtraError, UnknownNameError

OF_A_RUN = {
    "arrivals": plotting.plot_arrivals,
    "classes": plotting.plot_classes,
    "distribution": plotting.plot_distribution,
    "fairness": plotting.plot_fairness,
    "gantt": plotting.plot_gantt,
    "gantt-user": partial(plotting.plot_gantt, color_by="user"),
    "gantt-wait": partial(plotting.plot_gantt, color_by="wait"),
    "queue-length": plotting.plot_queue_length,
    "shapes": plotting.plot_shapes,
    "utilization": plotting.plot_utilization,
    "differences": lambda run, **ax: plotting.plot_differences(run, run, **ax),
}


@pytest.fixture(params=OF_A_RUN)
def plot(request):
    return OF_A_RUN[request.param]


def test_it_draws_into_given_axes(plot, three_jobs):
    """Given axes are used and returned, with both of their labels set, in a figure with others."""
    left, right = Figure().subplots(1, 2)
    assert plot(three_jobs, ax=left) is left
    assert left.get_xlabel()
    assert left.get_ylabel()
    assert left.has_data() or left.collections or left.images or left.patches
    assert not right.has_data()


BEGINNINGS = {"svg": b"<?xml", "pdf": b"%PDF-", "png": b"\x89PNG"}


@pytest.mark.slow
def test_it_makes_a_figure_of_its_own(plot, no_jobs, three_jobs):
    """Without axes a new figure is made: it can be written in every format, of no job, one, and three.

    A table in each format is enough: to draw takes most of the time, and formats draw the same.
    """
    tables = {"svg": three_jobs, "pdf": three_jobs.head(1), "png": no_jobs}
    assert BEGINNINGS.keys() == tables.keys() == set(plotting.FILE_FORMATS)
    for kind, table in tables.items():
        content = plotting.figure_bytes(plot(table).figure, kind)
        assert content.startswith(BEGINNINGS[kind])
        assert len(content) > 1000


def test_a_missing_column_is_named(plot, three_jobs):
    """What a figure needs and does not find is told by its name."""
    with pytest.raises(InputError, match=r"needs the column '(submit|start)_time'"):
        plot(three_jobs.drop("submit_time", "start_time"))


def test_a_column_of_text_is_refused(plot, three_jobs):
    """Times that are no numbers are an error with the column's name."""
    with pytest.raises(InputError, match=r"column \w+_time: must be numbers"):
        plot(three_jobs.cast({"submit_time": pl.String, "start_time": pl.String}))


def test_a_result_is_a_run(plot):
    """What simulate returns can be drawn as it is."""
    workload = ec.Workload.from_columns(submit_time=[0, 1], run_time=[9, 9], processors=[4, 1], user=[7, 7])
    assert plot(ec.simulate(workload, processors=4)).figure


def test_a_missing_library_is_named(plot, three_jobs, monkeypatch):
    """Without matplotlib every figure says which extra brings it."""
    monkeypatch.setitem(sys.modules, "matplotlib", None)
    with pytest.raises(MissingExtraError, match=r"pip install 'echelon-scheduling\[figures\]'"):
        plot(three_jobs)


@pytest.mark.parametrize(
    "wrong",
    [
        lambda table: plotting.plot_gantt(table, color_by="age"),
        lambda table: plotting.plot_classes(table, quantity="age"),
        lambda table: plotting.plot_classes(table, statistic="mode"),
        lambda table: plotting.plot_distribution(table, quantity="age"),
        lambda table: plotting.plot_arrivals(table, by="year"),
        lambda table: plotting.plot_metric({"a": 1.0}, "age"),
    ],
)
def test_unknown_words(wrong, three_jobs):
    """A word that a figure does not know is one sentence with those it knows."""
    with pytest.raises(UnknownNameError, match=r"age|mode|year"):
        wrong(three_jobs)


NAMES = ["a$b^$", "$", "_hidden", "日本 🚀", "a\nb", "<b>&"]


@pytest.mark.slow
def test_names_are_shown_letter_by_letter(three_jobs):
    """Whatever users and policies are called, no name is a formula, is hidden, or stops a figure."""
    jobs = pl.concat(
        three_jobs.with_columns(cs.ends_with("_time") + 200.0 * k, user=pl.lit(name))
        for k, name in enumerate(NAMES)
    )
    first, second = NAMES[::2], NAMES[1::2]
    figures = [
        plotting.plot_bars({name: dict.fromkeys(NAMES, 1.0) for name in NAMES}, label=""),
        plotting.plot_distribution(dict.fromkeys(NAMES, three_jobs)),
        plotting.plot_fairness(jobs),
        plotting.plot_gantt(jobs, color_by="user"),
        *(
            plotting.plot_differences(three_jobs, three_jobs, names=names)
            for names in zip(first, second, strict=True)
        ),
        *(plotting.plot_arrivals(three_jobs, unix_start_time=1e9, time_zone=name) for name in NAMES),
    ]
    for ax in figures:
        assert plotting.figure_bytes(ax.figure, "svg").startswith(b"<?xml")
    assert len(figures[1].get_legend().get_texts()) == len(NAMES)
