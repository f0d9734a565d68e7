"""The Gantt by core and the load of nodes."""

from __future__ import annotations

from types import SimpleNamespace

import numpy as np
import polars as pl
import pytest
from matplotlib.collections import PolyCollection
from matplotlib.figure import Figure

from echelon.errors import InputError, UnknownNameError
from echelon.plotting import figure_bytes, plot_core_gantt, plot_node_load, plot_power, plot_schedule


def bars(ax):
    """Return the (left, bottom, right, top) of the bars that run, are blocked and wake up, as drawn."""
    return [
        [(*path.vertices.min(axis=0), *path.vertices.max(axis=0)) for path in drawn.get_paths()]
        for drawn in ax.collections
        if isinstance(drawn, PolyCollection)
    ]


def many_nodes(small_cluster, nodes):
    """Return the run on as many nodes of 4 cores, nearly all of them empty."""
    table = pl.DataFrame({"node": np.arange(nodes)}).with_columns(
        cores=4, first_core=4 * pl.col("node"), processor_cores=pl.lit("4")
    )
    return SimpleNamespace(jobs=small_cluster.jobs, holdings=small_cluster.holdings, nodes=table)


def test_each_task_is_a_bar_on_its_core(small_cluster):
    """Tasks run from begin to end; then their cores are blocked until release; before, the node wakes up."""
    runs, blocked, wakes = bars(plot_core_gantt(small_cluster))
    assert sorted(runs) == [
        (0, 0, 8, 1), (0, 1, 8, 2), (0, 2, 10, 3), (0, 4, 5, 5), (0, 5, 5, 6), (0, 6, 6, 7),
        (14, 4, 22, 5), (14, 5, 22, 6), (14, 6, 22, 7), (14, 7, 22, 8),
    ]  # fmt: skip
    assert sorted(blocked) == [(5, 4, 10, 5), (8, 0, 10, 1), (8, 1, 10, 2)]
    assert wakes == [(12, core, 14, core + 1) for core in (4, 5, 6, 7)]


def test_rows_are_named_and_bars_numbered(small_cluster):
    """Processors and cores have names; each bar has its job's number; a legend says what hatches mean."""
    ax = plot_core_gantt(small_cluster)
    assert [text.get_text() for text in ax.get_yticklabels()] == [
        "node 0, processor 0",
        "node 0, processor 1",
        "node 1, processor 2",
    ]
    assert [text.get_text() for text in ax.get_yticklabels(minor=True)] == list("01234567")
    assert sorted(text.get_text() for text in ax.texts) == ["1", "1", "1", "2", "2", "3"]
    labels = [text.get_text() for text in ax.get_legend().get_texts()]
    assert labels == ["held until the job's last task ends", "node wakes up"]
    assert (ax.get_xlim(), ax.get_xlabel()) == ((0, 22), "time (s)")


def test_a_window_cuts(small_cluster):
    """Bars outside a window are left out, and there is no legend for what is not there."""
    ax = plot_core_gantt(small_cluster, window=(15, 20))
    assert len(bars(ax)[0]) == 4
    with pytest.raises(InputError, match="must end after it begins"):
        plot_core_gantt(small_cluster, window=(5, 5))


@pytest.mark.slow
def test_large_machines_are_drawn_by_node(small_cluster):
    """Above 256 cores a row is a node; rows can be chosen; of 1,000 nodes each row is several."""
    assert plot_core_gantt(many_nodes(small_cluster, 64)).collections
    image = plot_core_gantt(many_nodes(small_cluster, 65)).images[0].get_array()
    assert image.shape == (65, 400)
    assert image[2:].max() == 0
    assert image[0, 0] == pytest.approx(75)
    assert plot_core_gantt(small_cluster, rows="nodes").images[0].get_array().shape == (2, 400)
    several = plot_node_load(many_nodes(small_cluster, 1000)).images[0].get_array()
    assert several.shape == (200, 400)
    assert several[0, 0] == pytest.approx(100 * 6 / 20)
    with pytest.raises(UnknownNameError):
        plot_core_gantt(small_cluster, rows="node")


@pytest.mark.slow
@pytest.mark.parametrize("plot", [plot_core_gantt, plot_node_load])
def test_it_is_a_figure_like_others(plot, small_cluster):
    """It draws into given axes, writes files, and takes a run without jobs; a plain machine is refused."""
    left, _ = Figure().subplots(1, 2)
    assert plot(small_cluster, ax=left) is left
    assert len(figure_bytes(plot(small_cluster).figure, "svg")) > 1000
    none = SimpleNamespace(
        jobs=small_cluster.jobs.head(0), holdings=small_cluster.holdings.head(0), nodes=small_cluster.nodes
    )
    assert figure_bytes(plot(none).figure, "png").startswith(b"\x89PNG")
    with pytest.raises(InputError, match="a run on nodes; this one has none"):
        plot(small_cluster.jobs)


@pytest.mark.slow
def test_power_over_time(powered_cluster):
    """What jobs draw lies on what is idle; lines have peak, mean and a cap if there is one."""
    ax = plot_power(powered_cluster)
    legend = [text.get_text() for text in ax.get_legend().get_texts()]
    assert legend == ["for jobs", "idle", "peak 150 W", "mean 117.9 W"]
    assert (ax.get_xlabel(), ax.get_ylabel(), ax.get_xlim()) == ("time (s)", "power (W)", (0, 22))
    highest = [drawn.get_paths()[0].vertices[:, 1].max() for drawn in ax.collections]
    assert highest == [150, 60]
    capped = plot_power(powered_cluster, power_cap=2000.0).get_legend().get_texts()
    assert capped[-1].get_text() == "cap 2000 W"
    assert figure_bytes(ax.figure, "png").startswith(b"\x89PNG")


def test_power_that_is_not_known(small_cluster):
    """A run whose machine says nothing of power has no such figure."""
    with pytest.raises(InputError, match="whose power is known"):
        plot_power(small_cluster)
    wrong = SimpleNamespace(jobs=small_cluster.jobs, power=pl.DataFrame({"time": [0.0]}))
    with pytest.raises(InputError, match="missing: power, idle_power"):
        plot_power(wrong)


@pytest.mark.slow
def test_the_schedule_of_a_cluster(small_cluster):
    """The Gantt is that by core, and a core is busy until it is given back."""
    top, middle, _ = plot_schedule(small_cluster).axes
    assert top.get_ylim() == (0, 8)
    assert bars(top)[2]
    share = middle.collections[0].get_paths()[0].vertices
    assert share[:, 1].max() == 75
    assert figure_bytes(top.figure, "png").startswith(b"\x89PNG")
