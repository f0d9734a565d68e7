"""Network contention by max-min fairness: nothing above capacity, nothing left that anybody could use."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.execution import Constant, Proportional, Traffic
from echelon.execution.flows import flows_of
from echelon.execution.max_min import max_min_shares
from echelon.model import Cluster, Core, Hardware, Node, Processor
from echelon.model.topology import topology_named

check = examples(200)
NODES = 6
SPECS = ("star:6", "mesh:2x3", "torus:2x3", "tree:3x2", "fat-tree:k=4", "dragonfly:a=2:h=1:p=1")


class Ring:
    """Nodes in a circle, each with a link to either neighbor; routes go upwards only."""

    def __init__(self, bandwidth):
        self.spec, self.nodes, self.links = "ring", NODES, NODES
        self.bandwidth = np.array(bandwidth)
        self.place = np.arange(NODES)[:, None]

    def hops(self, a, b):
        return (b - a) % NODES

    def route(self, a, b):
        return tuple((a + k) % NODES for k in range(self.hops(a, b)))


widths = st.lists(st.floats(1.0, 1e3), min_size=NODES, max_size=NODES)
jobs = st.builds(
    Traffic,
    st.dictionaries(st.integers(0, NODES - 1), st.integers(1, 5), min_size=2),
    st.floats(0.1, 1e3),
    st.floats(0.1, 1e3),
)


@st.composite
def machines(draw):
    """Return nodes of drawn bandwidths, on a network of links or not."""
    cores = (Processor((Core(1e9),) * 8),)
    nodes = tuple(Node(cores, network_bandwidth=width) for width in draw(widths))
    spec = draw(st.sampled_from([None, "ring", *SPECS]))
    if spec is None:
        return Hardware((Cluster(nodes),))
    if spec == "ring":
        return Hardware((Cluster(nodes),), Ring(draw(widths)))
    return Hardware((Cluster(nodes),), topology_named(spec, bandwidth=draw(st.floats(1.0, 1e3))))


@check
@given(machines(), st.lists(jobs, min_size=1, max_size=6), st.booleans())
def test_links_are_full_but_not_overfull(hardware, traffic, equal):
    """No link is above its capacity, and every flow below its demand crosses a full one."""
    flows = flows_of(traffic, hardware)
    weight = np.ones_like(flows.demand) if equal else flows.demand
    share = max_min_shares(flows, weight)
    assert ((share > 0) & (share <= 1)).all()
    load = np.bincount(flows.crossing_link, (share * flows.demand)[flows.crossing_flow], len(flows.capacity))
    assert (load <= flows.capacity * (1 + 1e-9)).all()
    full = load >= flows.capacity * (1 - 1e-9)
    held = np.zeros(len(share), dtype=bool)
    held[flows.crossing_flow[full[flows.crossing_link]]] = True
    assert held[share < 1].all()


@check
@given(machines(), st.lists(jobs, min_size=1, max_size=6), st.booleans())
def test_nobody_is_held_up_by_one_that_has_less(hardware, traffic, equal):
    """Each flow below its demand crosses a full link on which none has risen higher: max-min fairness."""
    flows = flows_of(traffic, hardware)
    weight = np.ones_like(flows.demand) if equal else flows.demand
    share = max_min_shares(flows, weight)
    rate, level = share * flows.demand, share * flows.demand / weight
    load = np.bincount(flows.crossing_link, rate[flows.crossing_flow], len(flows.capacity))
    for flow in np.flatnonzero(share < 1):
        links = flows.crossing_link[flows.crossing_flow == flow]
        assert any(
            load[link] >= flows.capacity[link] * (1 - 1e-9)
            and level[flows.crossing_flow[flows.crossing_link == link]].max() <= level[flow] * (1 + 1e-9)
            for link in links
        )


@check
@given(machines(), st.lists(jobs, max_size=6), st.randoms(), st.sampled_from(["demand", "equal"]))
def test_factors_do_not_depend_on_the_order_of_jobs(hardware, traffic, random, weights):
    """Shuffled jobs have the same factors in both models, one for each of their nodes, in (0, 1]."""
    order = list(range(len(traffic)))
    random.shuffle(order)
    shuffled = [traffic[k] for k in order]
    for model in (Proportional(weights), Constant(), Constant(per="pair", over="time")):
        found, again = model.factors(traffic, hardware), model.factors(shuffled, hardware)
        for place, k in enumerate(order):
            assert set(found[k]) == set(traffic[k].tasks)
            assert all(0 < factor <= 1 for factor in found[k].values())
            assert again[place] == pytest.approx(found[k], rel=1e-9)


@check
@given(st.lists(st.tuples(st.integers(1, 5), st.floats(0.1, 1e3)), min_size=1, max_size=5), st.floats(1, 1e4))
def test_one_bottleneck_is_shared_by_demand(jobs, width):
    """Where one node's link alone is narrow, every factor is the least of 1 and bandwidth over demand."""
    cores = (Processor((Core(1e9),) * 8),)
    widths = (width, *(1e12,) * len(jobs))
    hardware = Hardware((Cluster(tuple(Node(cores, network_bandwidth=each) for each in widths)),))
    traffic = [Traffic({0: 1, k + 1: tasks}, volume, 2.0) for k, (tasks, volume) in enumerate(jobs)]
    demand = sum(tasks * volume / 2.0 for tasks, volume in jobs)
    for found in Proportional().factors(traffic, hardware):
        assert list(found.values()) == pytest.approx([min(1.0, width / demand)] * 2)
