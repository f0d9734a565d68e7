"""The map of which job held which node."""

from __future__ import annotations

import numpy as np
import polars as pl
import pytest

import echelon as ec
from echelon.errors import InputError
from echelon.plotting import figure_bytes, plot_allocation_map


class Machine:
    """A run of jobs on nodes of two cores: job 1 in the first nodes, job 2 in one core of the next, ..."""

    def __init__(self, nodes, *held):
        self.jobs = pl.DataFrame({"job_id": [10 * (k + 1) for k in range(len(held))]})
        self.holdings = pl.DataFrame(
            {
                "row": range(len(held)),
                "cores": [cores for cores, _, _ in held],
                "start_time": [float(start) for _, start, _ in held],
                "begin_time": [float(start) for _, start, _ in held],
                "end_time": [float(end) for _, _, end in held],
                "release_time": [float(end) for _, _, end in held],
            }
        )
        self.nodes = pl.DataFrame(
            {
                "node": range(nodes),
                "type": [""] * nodes,
                "cores": [2] * nodes,
                "first_core": range(0, 2 * nodes, 2),
                "processor_cores": ["2"] * nodes,
                "times_off": [0] * nodes,
                "off_time": [0.0] * nodes,
            }
        )


def squares(ax):
    """Return the middle of each node's square, by node, and whether it is free."""
    found = ax.collections[0]
    middles = np.array([path.vertices[:4].mean(axis=0) for path in found.get_paths()])
    return middles.round(6).tolist(), [color[0] > 0.9 for color in found.get_facecolors().tolist()]


THREE = Machine(8, ("0-3", 0, 10), ("4 6", 5, 20), ("5 8-9", 5, 8))


def test_squares_are_in_the_place_of_their_nodes():
    """On a mesh of 4 x 2 node 5 is the second of the upper row; free nodes are pale."""
    places, free = squares(plot_allocation_map(THREE, time=6, topology="mesh:4x2"))
    assert places == [[x, y] for y in (0, 1) for x in (0, 1, 2, 3)]
    assert free == [False, False, False, False, False, True, True, True]


def test_numbers_are_those_of_the_job_with_most_cores():
    """Of two jobs with as many cores of a node the first counts; a dot says that there is another."""
    ax = plot_allocation_map(THREE, time=6, topology="mesh:4x2")
    assert [text.get_text() for text in ax.texts] == ["10", "10", "20", "20", "30"]
    assert len(ax.lines[0].get_xdata()) == 1
    assert "5 of 8 nodes held by 3 jobs" in ax.get_title()


@pytest.mark.parametrize(("time", "free"), [(0, 6), (8, 4), (10, 6), (20, 8), (-1, 8)])
def test_what_is_given_back_is_free(time, free):
    """At the instant of a release the node is free."""
    assert sum(squares(plot_allocation_map(THREE, time=time, topology="mesh:8"))[1]) == free


def test_the_fullest_time_is_the_default():
    """From 5 s to 8 s all nine cores are held."""
    assert sum(squares(plot_allocation_map(THREE))[1]) == 3


@pytest.mark.parametrize(
    ("topology", "rows", "columns"),
    [
        ("torus:2x2x2", 2, 4),
        ("tree:2x2x2", 2, 4),
        ("fat-tree:k=4", 2, 4),
        ("star", 1, 8),
        ("mesh:2x2x2x1", 2, 4),
    ],
)
def test_every_network_has_its_picture(topology, rows, columns):
    """Planes are side by side; pods and groups have a row each; no two squares are in one place."""
    places, _ = squares(plot_allocation_map(THREE, topology=topology))
    assert len({tuple(place) for place in places}) == 8
    assert (len({y for _, y in places}), len({x for x, _ in places})) == (rows, columns)


@pytest.mark.slow
def test_large_machines_and_empty_ones():
    """Above 600 nodes no numbers are written; a machine where nothing ran is pale."""
    large = plot_allocation_map(Machine(1000, ("0-999", 0, 1)), topology="torus:10x10x10")
    assert not large.texts
    assert figure_bytes(large.figure, "png")
    idle = Machine(3)
    idle.holdings = THREE.holdings.clear()
    assert squares(plot_allocation_map(idle))[1] == [True] * 3


def test_what_can_not_be_drawn_is_refused():
    """A run without nodes, and a network with fewer, are refused in a sentence."""
    with pytest.raises(InputError, match="joins 4 nodes, but there are 8"):
        plot_allocation_map(THREE, topology="mesh:4")
    with pytest.raises(InputError, match="a run on nodes; this one has none"):
        plot_allocation_map(ec.simulate("kth-sp2", policy="easy"))
