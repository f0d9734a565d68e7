"""Figures of runs on multiclusters: forecasts beside what happened, and slots of nodes instead of cores."""

from __future__ import annotations

from types import SimpleNamespace

import pytest
from matplotlib.figure import Figure

from echelon.errors import InputError, UnknownNameError
from echelon.plotting import (
    figure_bytes,
    plot_core_gantt,
    plot_forecasts,
    plot_gantt,
    plot_node_load,
    plot_schedule,
    plot_site_load,
    plot_sites,
)


def test_forecasts_have_both_lines(shared_result):
    """Dots are real and forecast times; a line where they are equal, one with the slope of the regression."""
    ax = plot_forecasts(shared_result, quantity="run")
    assert ax.collections[0].get_offsets().tolist() == [[10, 10], [10, 5], [12, 12]]
    identity, regression = ax.get_lines()
    assert list(identity.get_xdata()) == list(identity.get_ydata())
    slope = (100 + 50 + 144) / 344
    assert regression.get_ydata()[1] == pytest.approx(slope * regression.get_xdata()[1])
    assert ax.get_title() == "sdpn"
    assert "slope 0.855, Ra 0.949, deviation 0.156" in ax.get_legend().get_texts()[1].get_text()
    assert ax.get_xlabel() == "real run (s)"


def test_another_estimator_or_quantity(shared_result):
    """The estimator and what it said are chosen by name; unknown names are told."""
    ax = plot_forecasts(shared_result, quantity="turnaround", estimator="smith", ax=Figure().subplots())
    assert ax.collections[0].get_offsets().tolist() == [[10, 21], [11, 21], [12, 25]]
    with pytest.raises(UnknownNameError, match="sdpn, smith"):
        plot_forecasts(shared_result, estimator="li")
    with pytest.raises(UnknownNameError, match="run, turnaround, wait"):
        plot_forecasts(shared_result, quantity="slowdown")
    with pytest.raises(InputError, match="whose estimators forecast"):
        plot_forecasts(SimpleNamespace(jobs=shared_result.jobs))


@pytest.mark.slow
def test_no_forecast_is_an_empty_figure(shared_result):
    """A table without rows gives axes without dots, and no warning."""
    silent = SimpleNamespace(forecasts=shared_result.forecasts.clear())
    assert figure_bytes(plot_forecasts(silent).figure, "png").startswith(b"\x89PNG")


def test_slots_stand_for_cores(shared_result):
    """A bar a task in a slot of its node, with nodes named by their cluster."""
    ax = plot_core_gantt(shared_result)
    names = [text.get_text() for text in ax.get_yticklabels()]
    assert names == ["small node 0", "small node 1", "large node 0", "large node 1", "large node 2"]
    assert len(ax.collections[0].get_paths()) == 8
    load = plot_node_load(shared_result).images[0].get_array()
    # Two tasks in two slots of node 0 of small from 2 s on, of 30 s.
    assert load[0, 0] == 50
    assert load[0, 100] == 100


def test_sites_count_tasks_where_they_ran(shared_result):
    """Work and load of a job in two clusters are parted between them."""
    ax = plot_sites({"run": shared_result}, quantity="work")
    assert sorted(patch.get_width() for patch in ax.patches) == pytest.approx([4000 / 82, 4200 / 82])
    load = plot_site_load(shared_result).images[0].get_array()
    assert load[:, -1].tolist() == pytest.approx([25, 50])


@pytest.mark.slow
def test_schedules_can_be_drawn(shared_result):
    """The usual figures of a run work, though a job is larger than its site."""
    assert figure_bytes(plot_schedule(shared_result), "png").startswith(b"\x89PNG")
    ax = plot_gantt(shared_result)
    assert [text.get_text() for text in ax.get_yticklabels()] == ["small", "large"]
