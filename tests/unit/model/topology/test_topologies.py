"""What holds for every topology: routes, hops, links, and sums over pairs."""

from __future__ import annotations

import math
from collections import deque

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from echelon.errors import InputError
from echelon.model.topology import Dragonfly, FatTree, Mesh, Star, Torus, Tree, topology_named

sizes = st.lists(st.integers(1, 5), min_size=1, max_size=3).map(tuple)
topologies = st.one_of(
    st.builds(Star, st.integers(1, 9)),
    st.builds(Mesh, sizes),
    st.builds(Torus, sizes),
    st.builds(Tree, sizes, st.sampled_from((1.0, 2.0, 0.5))),
    st.builds(FatTree, st.sampled_from((2, 4, 6))),
    st.builds(Dragonfly, st.integers(1, 7), st.integers(1, 4), st.integers(1, 3)),
)
SMALL = (
    Star(5), Mesh((5,)), Mesh((3, 4)), Mesh((2, 3, 2)), Torus((5,)), Torus((2, 4)), Torus((4, 3, 2)),
    Torus((1, 2)), Tree((6,)), Tree((2, 3, 2)), FatTree(2), FatTree(4), Dragonfly(1, 3, 2),
    Dragonfly(5, 2, 2), Dragonfly(4, 4, 1), Dragonfly(6, 1, 2),
)  # fmt: skip


def shortest(topology, source):
    """Return the links from one switch to every other, by a search of the graph of all links."""
    ways = {}
    for low, high in topology.ends.tolist():
        ways.setdefault(low, []).append(high)
    found, queue = {source: 0}, deque([source])
    while queue:
        here = queue.popleft()
        for there in ways.get(here, ()):
            if there not in found:
                found[there] = found[here] + 1
                queue.append(there)
    return found


def matrix(topology):
    nodes = np.arange(topology.nodes)
    return topology.distances(nodes[:, None], nodes)


@given(topologies, st.data())
def test_routes_are_ways_of_as_many_links_as_there_are_hops(topology, data):
    """A route begins at the one node's switch, goes on where its last link ended, and ends at the other's."""
    a, b = (data.draw(st.integers(0, topology.nodes - 1)) for _ in range(2))
    route = topology.route(a, b)
    here = int(topology.switch[a])
    for link in route:
        start, end = topology.ends[link].tolist()
        assert start == here
        here = end
    assert here == topology.switch[b]
    assert len(route) == topology.hops(a, b) == topology.hops(b, a)


@pytest.mark.parametrize("topology", SMALL, ids=lambda topology: topology.spec)
def test_hops_are_shortest_ways(topology):
    """No way over the links is shorter; only dragonflies, whose ways pass no third group, may have one."""
    hops, switch = matrix(topology), topology.switch
    for a in range(topology.nodes):
        ways = shortest(topology, int(switch[a]))
        assert {int(number) for number in switch} <= set(ways)
        least = np.array([ways[int(number)] for number in switch])
        assert (hops[a] >= least).all() if isinstance(topology, Dragonfly) else (hops[a] == least).all()


@pytest.mark.parametrize("topology", SMALL, ids=lambda topology: topology.spec)
def test_a_link_has_one_number_and_a_way_back(topology):
    """No two links join the same switches the same way, and each has its way back."""
    ends = [tuple(pair) for pair in topology.ends.tolist()]
    assert len(ends) == topology.links == len(topology.bandwidth) == len(set(ends))
    assert {(high, low) for low, high in ends} == set(ends)
    assert all(low != high for low, high in ends)


@pytest.mark.parametrize(
    "topology", [t for t in SMALL if not isinstance(t, Dragonfly)], ids=lambda topology: topology.spec
)
def test_triangle_inequality(topology):
    """Over a third node it is never shorter."""
    hops = matrix(topology)
    assert (hops[:, :, None] + hops[None] >= hops[:, None, :]).all()


def test_dragonfly_ways_over_a_third_group_may_be_shorter():
    """Router 1 of group 0 reaches router 1 of group 1 in 3 links, but over router 0 of group 3 in 2."""
    dragonfly = Dragonfly(groups=5, routers=2, hosts=1)
    assert dragonfly.hops(1, 3) == 3
    assert dragonfly.hops(1, 6) + dragonfly.hops(6, 3) == shortest(dragonfly, 1)[3] == 2


@given(topologies, st.data())
def test_sums_over_pairs_equal_the_matrix(topology, data):
    """The sum over all pairs is that of the matrix of hops, whatever the weights, and nodes may repeat."""
    nodes = np.array(data.draw(st.lists(st.integers(0, topology.nodes - 1), max_size=12)), dtype=np.int64)
    weights = np.array(data.draw(st.lists(st.integers(0, 9), min_size=len(nodes), max_size=len(nodes))), int)
    apart = topology.distances(nodes[:, None], nodes)
    assert 2 * topology.total_hops(nodes, weights) == weights @ apart @ weights


@given(topologies, st.data())
def test_diameters_equal_the_matrix(topology, data):
    """The diameter of some nodes is the largest of all hops between two of them."""
    nodes = np.array(data.draw(st.lists(st.integers(0, topology.nodes - 1), min_size=1, max_size=9)))
    assert topology.diameter(nodes) == topology.distances(nodes[:, None], nodes).max()


@given(topologies)
def test_places_name_nodes_or_switches(topology):
    """Every node has a place; coordinates are all different; nodes of one last switch are at distance 0."""
    place, hops = topology.place, matrix(topology)
    assert len(place) == len(topology.switch) == topology.nodes
    same = (place[:, None, -1] == place[None, :, -1]) if place.shape[1] else hops == 0
    if isinstance(topology, Mesh | Torus):
        assert len(np.unique(place, axis=0)) == topology.nodes
    else:
        assert ((hops == 0) == same).all()
        parent = [np.unique(place[:, : level + 1], axis=0) for level in range(place.shape[1])]
        assert [len(rows) for rows in parent] == [len(np.unique(column)) for column in place.T]


@given(topologies)
def test_specs_come_back(topology):
    """The canonical spec, read, are the topology."""
    assert topology_named(topology.spec) == topology


@pytest.mark.parametrize(
    ("topology", "nodes", "links", "farthest"),
    [
        (Star(), 2**24, 0, None),
        (Mesh((4, 4)), 16, 48, 6),
        (Torus((4, 4)), 16, 64, 4),
        (Torus((2, 2, 2)), 8, 24, 3),
        (Tree((2, 2, 2)), 8, 12, 4),
        (FatTree(8), 128, 512, 4),
        (Dragonfly(9, 4, 2), 72, 180, 3),
    ],
    ids=lambda value: getattr(value, "spec", value),
)
def test_counts(topology, nodes, links, farthest):
    """Nodes, directed links and the longest way are those of the structures by hand."""
    assert (topology.nodes, topology.links) == (nodes, links)
    if farthest is not None:
        assert matrix(topology).max() == farthest


def test_dimension_order_and_the_tie_of_a_ring():
    """A route goes along x before y; where both ways around are 2 long, it goes up."""
    mesh, torus = Mesh((3, 3)), Torus((4,))
    assert [mesh.ends[link, 1] for link in mesh.route(0, 8)] == [1, 2, 5, 8]
    assert [torus.ends[link, 1] for link in torus.route(1, 3)] == [2, 3]
    assert [torus.ends[link, 1] for link in torus.route(3, 1)] == [0, 1]
    assert [torus.ends[link, 1] for link in torus.route(0, 3)] == [3]


def test_fat_tree_routes_to_one_node_come_down_over_the_same_switches():
    """The destination names the way: from every other pod its last two links are the same."""
    tree = FatTree(6)
    for target in (0, 13, 53):
        last = {tree.route(a, target)[-2:] for a in range(54) if tree.hops(a, target) == 4}
        assert len(last) == 1
    ways = {tree.route(0, target)[:2] for target in range(9, 18)}
    assert len(ways) == 9


def test_links_towards_the_root_grow():
    """With growth 4 each level has 4 times the bandwidth of the level below."""
    tree = Tree((2, 4, 4), 4.0, link_bandwidth=10.0)
    assert tree.bandwidth.tolist() == [40.0] * 4 + [10.0] * 16
    assert Torus((3, 3), link_bandwidth=5.0).bandwidth.tolist() == [5.0] * 36


@pytest.mark.parametrize("bandwidth", [0, -1.0, math.nan, "fast", True])
def test_impossible_bandwidths_are_refused(bandwidth):
    """A bandwidth that is no number above 0 is refused with the topology's spec."""
    with pytest.raises(InputError, match="'torus:3x3': bandwidth of a link must be"):
        Torus((3, 3), link_bandwidth=bandwidth)


@pytest.mark.parametrize(
    "make",
    [
        lambda: Mesh(()),
        lambda: Mesh((3, 0)),
        lambda: Mesh((3, 2.5)),
        lambda: Torus((10**5, 10**5)),
        lambda: Tree((2, -1)),
        lambda: Tree((2,), math.inf),
        lambda: Tree((2,), 0.0),
        lambda: FatTree(3),
        lambda: FatTree(0),
        lambda: FatTree(10**4),
        lambda: Dragonfly(0, 1, 1),
        lambda: Dragonfly(10**5, 1, 1),
        lambda: Star(0),
    ],
)
def test_impossible_figures_are_refused(make):
    """Sizes that are no whole numbers from 1 on, odd k, and networks too large are refused in a sentence."""
    with pytest.raises(InputError, match=r"^topology "):
        make()
