"""Figures of machines that change: what was closed lies behind the jobs."""

import numpy as np
import pytest

pytest.importorskip("matplotlib")

from tests.unit.metrics.changed_machines import (
    drained,
    f1,
    maintained,
    on_nodes,
    on_sites,
    reserved,
    result_of,
)

from echelon.plotting import figure_bytes, plot_core_gantt, plot_gantt, plot_schedule, plot_utilization


def boxes(collection):
    """Return left, bottom, right and top of each rectangle of a collection, from an axis in minutes."""
    corners = [np.rint(path.vertices * (60, 1)) for path in collection.get_paths()]
    return [(*one.min(axis=0).tolist(), *one.max(axis=0).tolist()) for one in corners]


def test_jobs_and_outages_where_they_were():
    """The job holds both processors before and after; between them the second one is down."""
    ax = plot_gantt(result_of(f1()))
    jobs, down = ax.collections
    assert boxes(jobs) == [(0, 0, 40, 2), (60, 0, 160, 2)]
    assert boxes(down) == [(40, 1, 60, 2)]
    assert down.get_zorder() < jobs.get_zorder()
    assert [text.get_text() for text in ax.get_legend().get_texts()] == ["failed"]


@pytest.mark.parametrize(
    ("schedule", "label", "box"),
    [
        (drained(), "drained", (10, 1, 200, 2)),
        (maintained(), "maintenance", (100, 0, 200, 4)),
        (reserved(), "reserved", (50, 0, 100, 3)),
    ],
)
def test_each_kind_has_its_name(schedule, label, box):
    """Drains, maintenance and reservations are told apart, beside the legend of colors."""
    ax = plot_gantt(result_of(schedule), color_by="user")
    assert boxes(ax.collections[-1]) == [box]
    assert [text.get_text() for text in ax.get_legend().get_texts()] == [label]
    assert len([one for one in ax.artists if "Legend" in type(one).__name__]) == 1


def test_outages_at_sites_and_in_nodes():
    """A site's nodes lie above those of the sites below it, and a node is as high as its cores."""
    grid = plot_gantt(result_of(on_sites()))
    assert [box for box in map(boxes, grid.collections) if box == [(40, 3, 60, 4)]]
    inside = plot_core_gantt(result_of(on_nodes()))
    assert [box for box in map(boxes, inside.collections) if box == [(40, 2, 60, 4)]]


def test_what_was_available_over_what_was_busy():
    """Half of the machine is there from 40 to 60 s, and all of it before and after."""
    [line] = plot_utilization(result_of(f1())).lines
    assert np.rint(60 * line.get_xdata()).tolist() == [0, 40, 60, 160]
    assert line.get_ydata().tolist() == [100, 50, 100, 100]
    assert not plot_utilization(result_of(reserved())).lines


@pytest.mark.slow
def test_figures_are_drawn_to_files():
    """All kinds of bands can be written, also where a figure shows only part of the time."""
    assert figure_bytes(plot_schedule(result_of(maintained())), "svg")
    ax = plot_gantt(result_of(maintained()), window=(0, 50))
    assert len(ax.collections) == 1
    assert ax.get_xlim()[1] == 50


def test_a_reservation_is_framed_above_the_jobs_that_use_it():
    """Its jobs hide the band; the frame, without a face, is drawn last."""
    jobs, band, frame = plot_gantt(result_of(reserved())).collections
    assert boxes(band) == boxes(frame) == [(50, 0, 100, 3)]
    assert band.get_zorder() < jobs.get_zorder() < frame.get_zorder()
    assert not len(frame.get_facecolor())
    assert len(frame.get_edgecolor())
