"""Allocators by topology, by hand: which nodes each takes of a given room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import InputError
from echelon.model import Cluster, Core, Demand, Hardware, Job, Node, Processor, TaskGroup
from echelon.model.topology import Mesh, Torus, topology_named
from echelon.policies import placement_named
from echelon.policies.placement.network.curve import CURVES, line
from echelon.testing.rooms import FixedRoom


def machine(topology, *, cores=1, nodes=None):
    """Return a machine of equal nodes in a topology."""
    network = topology_named(topology) if topology else None
    count = nodes or network.nodes
    return Hardware((Cluster((Node((Processor((Core(1.0),) * cores),)),) * count),), network)


def job(tasks, **kind):
    """Return a job of equal tasks."""
    return Job(0, 1, 0.0, tasks, 10.0, demand=Demand((TaskGroup(tasks, 1.0),), **kind))


def placed(spec, asked, room):
    """Return the nodes of the cores that an allocator gives, in the order of the tasks."""
    cores = placement_named(spec).place(asked, asked.demand.tasks, room)
    return room.hardware.node_of_core[list(cores)].tolist()


@pytest.mark.parametrize("curve", ["snake", "hilbert"])
@pytest.mark.parametrize("shape", [(8,), (4, 4), (8, 8), (4, 4, 4), (2, 2, 2, 2)])
def test_followers_on_a_curve_are_neighbors(curve, shape):
    """In a cube of a power of two, every step of a snake and of Hilbert's curve is one hop."""
    order = line(Mesh(shape), curve)
    assert (Mesh(shape).distances(order[1:], order[:-1]) == 1).all()


@pytest.mark.parametrize("curve", CURVES)
@pytest.mark.parametrize("shape", [(1,), (5,), (3, 5), (7, 1, 2), (5, 3, 4), (1, 1)])
def test_every_node_is_on_a_curve_once(curve, shape):
    """Sizes need not be powers of two."""
    assert sorted(line(Torus(shape), curve).tolist()) == list(range(Torus(shape).nodes))


def test_hilbert_curve_of_16_nodes():
    """The curve of order 2 as it is drawn everywhere: a quadrant is left only when it is full."""
    order = line(Mesh((4, 4)), "hilbert").tolist()
    quadrant = [(node % 4 // 2, node // 8) for node in order]
    assert [quadrant[4 * k : 4 * k + 4] for k in range(4)] == [[quadrant[4 * k]] * 4 for k in range(4)]
    assert (order[0], order[-1]) in ((0, 3), (0, 12))


def test_snake_turns_around():
    """A row to and a row fro; the next plane begins where the last one ended."""
    assert line(Mesh((3, 2, 2)), "snake").tolist() == [0, 1, 2, 5, 4, 3, 9, 10, 11, 8, 7, 6]


LINE = machine("mesh:16")
"""Free runs of 3, 2, 5 and 2 nodes::

    0 1 2 3 4 5 6 7 8 9 10 11 12 13 14 15
    . . . # . . # # . . .  .  .  #  .  .
"""
RUNS = FixedRoom.of(LINE, busy=[3, 6, 7, 13])


@pytest.mark.parametrize(
    ("fit", "tasks", "nodes"),
    [
        ("first", 2, [0, 1]),
        ("best", 2, [4, 5]),
        ("sum-of-squares", 2, [4, 5]),
        ("free-list", 4, [0, 1, 2, 4]),
        ("first", 4, [8, 9, 10, 11]),
        ("best", 1, [4]),
        # No run of 6: nodes 8 to 14 are the shortest stretch, 4 to 11 is longer.
        ("first", 6, [8, 9, 10, 11, 12, 14]),
        ("best", 6, [8, 9, 10, 11, 12, 14]),
        ("sum-of-squares", 6, [8, 9, 10, 11, 12, 14]),
        ("best", 12, [0, 1, 2, 4, 5, 8, 9, 10, 11, 12, 14, 15]),
    ],
)
def test_fits_along_a_line(fit, tasks, nodes):
    """First run, smallest run, the run that leaves the most different sizes, or whatever comes first."""
    assert placed(f"linear:curve=row-major:fit={fit}", job(tasks), RUNS) == nodes


def test_sum_of_squares_keeps_sizes_different():
    """One node out of runs of 2, 2 and 4: 2 + 1 + 4 is 3 sizes, 2 + 2 + 3 has two of one size."""
    room = FixedRoom.of(machine("mesh:10"), busy=[2, 5])
    assert placed("linear:curve=row-major:fit=sum-of-squares", job(1), room) == [0]
    # One node out of runs of 3, 3 and 1: 3 + 2 + 1 is best; best fit would take the run of 1.
    room = FixedRoom.of(machine("mesh:9"), busy=[3, 7])
    assert placed("linear:curve=row-major:fit=sum-of-squares", job(1), room) == [0]
    assert placed("linear:curve=row-major:fit=best", job(1), room) == [8]


def test_a_line_counts_the_tasks_that_nodes_can_take():
    """Nodes with 1, 3, 0 and 3 idle cores: four tasks are in the first run, six in none."""
    room = FixedRoom.of(machine("mesh:4", cores=3), busy=[0, 1, 6, 7, 8])
    assert placed("linear:curve=row-major", job(4), room) == [0, 1, 1, 1]
    assert placed("linear:curve=row-major", job(3), room) == [3, 3, 3]
    assert placed("linear:curve=row-major", job(6), room) == [1, 1, 1, 3, 3, 3]
    assert placed("linear:curve=row-major", job(3, sequential=True), room) == [1, 1, 1]
    assert placed("linear:curve=row-major", job(4, nodes=2), room) == [1, 1, 3, 3]
    assert placed("linear:curve=row-major", job(3, tasks_per_node=1), room) == [0, 1, 3]


SQUARE = machine("mesh:4x4")
"""Nodes by their numbers, free ones are dots::

    12 13 14 15    # . . .
     8  9 10 11    . # . .
     4  5  6  7    . . # .
     0  1  2  3    . . . #
"""
DIAGONAL = FixedRoom.of(SQUARE, busy=[3, 6, 9, 12])


@pytest.mark.parametrize(
    ("rule", "tasks", "nodes"),
    [
        # Two by two at the corner is 8 hops in all.
        ("mm", 4, [0, 1, 4, 5]),
        ("gen-alg", 4, [0, 1, 4, 5]),
        ("mc1x1", 4, [0, 1, 4, 5]),
        ("mm", 1, [0]),
        # Around 5 and 10 there are three more within a hop, across the diagonal.
        ("mm", 3, [0, 1, 4]),
    ],
)
def test_nearest(rule, tasks, nodes):
    """The nodes around the best center; ties go to the lowest center."""
    assert sorted(placed(f"nearest:rule={rule}", job(tasks), DIAGONAL)) == nodes


def test_centers_of_mm_need_not_be_free():
    """Around the busy middle of a cross its four free ends are the nearest."""
    free = [1, 5, 6, 8, 12]
    room = FixedRoom.of(machine("mesh:7x2"), busy=[node for node in range(14) if node not in free])
    assert placed("nearest:rule=mm", job(5), room)
    cross = FixedRoom.of(machine("mesh:3x3"), busy=[0, 2, 4, 6, 8])
    assert sorted(placed("nearest:rule=mm", job(4), cross)) == [1, 3, 5, 7]


def test_mbs_factors_a_request_into_blocks():
    """Seven nodes are one block of four and three of one; a free buddy block is split only if need be."""
    room = FixedRoom.of(SQUARE)
    assert placed("mbs", job(7), room) == [0, 1, 4, 5, 2, 3, 6]
    assert placed("mbs", job(16), room) == list(range(16))
    # Node 3 is taken: its buddies go before another block of four is split.
    assert placed("mbs", job(2), FixedRoom.of(SQUARE, busy=[3])) == [2, 6]
    assert placed("mbs", job(5), FixedRoom.of(SQUARE, busy=[3])) == [0, 1, 4, 5, 2]


def test_mbs_breaks_a_block_that_is_not_to_be_had():
    """With no square of four free, four nodes are had one by one, first of the squares begun."""
    room = FixedRoom.of(SQUARE, busy=[0, 2, 8, 10])
    assert placed("mbs", job(4), room) == [1, 4, 5, 3]


def test_mbs_prefers_whole_nodes():
    """Of two cores a node, nodes with both idle are blocks; those with one are asked for the rest."""
    room = FixedRoom.of(machine("mesh:4x4", cores=2), busy=[0, 2])
    assert placed("mbs", job(8), room) == [2, 2, 3, 3, 6, 6, 7, 7]
    assert placed("mbs", job(30), room)[-2:] == [0, 1]


TREE = machine("tree:2x3x4")
"""Two switches below the root, three below each, four nodes below each of these."""


def test_compact_takes_the_fullest_switch_that_is_enough():
    """First a lowest switch, then one of the level above, then the root; in it as few as possible."""
    # Free nodes below the lowest switches: 2, 3, 4 and 0, 4, 4.
    room = FixedRoom.of(TREE, busy=[0, 1, 4, 12, 13, 14, 15])
    assert placed("compact", job(1), room) == [2]
    assert placed("compact", job(2), room) == [2, 3]
    assert placed("compact", job(3), room) == [5, 6, 7]
    assert placed("compact", job(5), room) == [16, 17, 18, 19, 20]
    assert placed("compact", job(9), room) == [8, 9, 10, 11, 5, 6, 7, 2, 3]
    assert placed("compact", job(10), room) == [8, 9, 10, 11, 5, 6, 7, 2, 3, 16]


def test_compact_in_a_dragonfly_and_in_nodes_of_several_cores():
    """A job that fits in one node takes the fullest such, else one router, else one group."""
    hardware = machine("dragonfly:groups=3:routers=2:nodes=2", cores=4)
    room = FixedRoom.of(hardware, busy=[0, 1, 16, 17, 18])
    assert placed("compact", job(2), room) == [0, 0]
    assert placed("compact", job(3), room) == [1, 1, 1]
    assert placed("compact", job(6), room) == [1, 1, 1, 1, 0, 0]
    assert placed("dragonfly-compact", job(8), room) == [2, 2, 2, 2, 3, 3, 3, 3]
    assert {node // 4 for node in placed("compact", job(13), room)} == {1}


@pytest.mark.slow
def test_scatter_fills_random_parts():
    """Groups or switches are filled one after the other, in an order that the seed draws."""
    hardware = machine("dragonfly:groups=5:routers=2:nodes=2")
    for seed in range(10):
        room = FixedRoom.of(hardware, seed=seed)
        assert [len(set(nodes)) for nodes in _parts(placed("scatter", job(20), room), 4)] == [1] * 5
        assert [len(set(nodes)) for nodes in _parts(placed("scatter:by=switch", job(20), room), 2)] == [
            1
        ] * 10
        assert placed("scatter", job(6), room) == placed("scatter", job(6), FixedRoom.of(hardware, seed=seed))
    firsts = {placed("scatter", job(4), FixedRoom.of(hardware, seed=seed))[0] for seed in range(50)}
    assert firsts == {0, 4, 8, 12, 16}
    alone = {placed("scatter:by=node", job(1), FixedRoom.of(hardware, seed=seed))[0] for seed in range(300)}
    assert alone == set(range(20))


def _parts(nodes, size):
    ids = [node // size for node in nodes]
    return [ids[k : k + size] for k in range(0, len(ids), size)]


@pytest.mark.parametrize(
    ("spec", "topology", "expected"),
    [
        ("mbs", None, "needs a mesh or torus, but machine 'machine' has no topology"),
        ("mbs", "star", "has the topology star"),
        ("linear", "fat-tree:k=4", "needs a mesh or torus for the curve hilbert"),
        ("nearest", "star", "needs a mesh or torus for the rule mm"),
        ("nearest:rule=gen-alg", None, "needs a topology"),
        ("compact", "mesh:2x2", "needs a star, tree, fat tree or dragonfly"),
        ("scatter:by=switch", None, "needs a star, tree, fat tree or dragonfly"),
    ],
)
def test_hardware_without_the_network_is_refused(spec, topology, expected):
    """Before a run by `check`, and when asked to place: in a sentence that says what is needed."""
    hardware = machine(topology, nodes=4)
    with pytest.raises(InputError, match=f"^placement {spec.split(':')[0]}: .*{expected}"):
        placement_named(spec).check(hardware)
    with pytest.raises(InputError, match=expected):
        placed(spec, job(1), FixedRoom.of(hardware))


@pytest.mark.parametrize("spec", ["linear:curve=row-major", "scatter:by=node"])
def test_some_need_no_topology(spec):
    """The line of node numbers and random nodes are to be had everywhere."""
    hardware = machine(None, nodes=4)
    placement_named(spec).check(hardware)
    assert len(placed(spec, job(4), FixedRoom.of(hardware))) == 4


def test_places_without_nodes_are_passed_over():
    """A machine of 5 nodes in a mesh of 3 x 3 never uses the other four places."""
    room = FixedRoom.of(machine("mesh:3x3", nodes=5))
    for spec in ("linear", "linear:curve=snake", "nearest", "nearest:rule=mc1x1", "mbs"):
        assert sorted(placed(spec, job(5), room)) == [0, 1, 2, 3, 4]


def test_nodes_that_sleep_are_left_alone_while_others_are_enough():
    """They are chosen from only if the job does not fit without them."""
    room = replace(FixedRoom.of(SQUARE), asleep=np.arange(16) < 8)
    for spec in ("linear", "nearest", "mbs"):
        assert min(placed(spec, job(8), room)) == 8
        assert len(placed(spec, job(9), room)) == 9
