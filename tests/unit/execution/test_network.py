"""Network models on cases worked out by hand."""

from __future__ import annotations

import numpy as np
import pytest

from echelon.execution import Constant, Proportional, Traffic
from echelon.model import Cluster, Core, Hardware, Node, Processor

ETHERNET = 125e6


def machine(*bandwidths, topology=None):
    """Return nodes of these network bandwidths."""
    cores = (Processor((Core(2e9),) * 8),)
    return Hardware((Cluster(tuple(Node(cores, network_bandwidth=b) for b in bandwidths)),), topology)


TWO = machine(ETHERNET, ETHERNET)


def test_constant_in_the_published_experiment():
    """Two tasks in each of two nodes, 200 MB a task: 400 MB are above 125 MB, so all four slow down."""
    assert Constant().factors([Traffic({0: 2, 1: 2}, 200e6, 1.0)], TWO) == [{0: 0.8, 1: 0.8}]


def test_constant_only_where_it_is_too_much():
    """Nine tasks of one job: the node of eight has a wide link, that of one has not."""
    wide = machine(1e12, ETHERNET)
    assert Constant().factors([Traffic({0: 8, 1: 1}, 126e6, 1.0)], wide) == [{0: 1.0, 1: 0.8}]


def test_constant_is_strictly_above():
    """At the bandwidth itself there is no contention; the least above it is one."""
    assert Constant().factors([Traffic({0: 1, 1: 1}, ETHERNET, 1.0)], TWO) == [{0: 1.0, 1: 1.0}]
    above = np.nextafter(ETHERNET, 1e9)
    assert Constant().factors([Traffic({0: 1, 1: 1}, above, 1.0)], TWO) == [{0: 0.8, 1: 0.8}]


def test_constant_adds_up_jobs():
    """Jobs that fit one by one are too much together, in the node they share and only there."""
    jobs = [Traffic({0: 1, 1: 1}, 100e6, 1.0), Traffic({1: 1, 2: 1}, 100e6, 1.0)]
    found = Constant(factor=0.5).factors(jobs, machine(ETHERNET, ETHERNET, ETHERNET))
    assert found == [{0: 1.0, 1: 0.5}, {1: 0.5, 2: 1.0}]


def test_constant_per_pair_and_over_time():
    """A task counts once for each remote sibling, or its volume is spread over its job's time."""
    job = [Traffic({0: 1, 1: 3}, 50e6, 2.0)]
    assert Constant().factors(job, TWO) == [{0: 1.0, 1: 0.8}]
    assert Constant(per="pair").factors(job, TWO) == [{0: 0.8, 1: 0.8}]
    assert Constant(per="pair", over="time").factors(job, TWO) == [{0: 1.0, 1: 1.0}]
    assert Constant(over=0.2).factors(job, TWO) == [{0: 0.8, 1: 0.8}]


def test_proportional_with_one_bottleneck():
    """One link too narrow: exactly bandwidth over demand; wide enough: no slowing down."""
    job = Traffic({0: 2, 1: 2}, 200e6, 1.0)
    assert Proportional().factors([job], TWO) == [{0: ETHERNET / 800e6, 1: ETHERNET / 800e6}]
    assert Proportional().factors([job], machine(800e6, 800e6)) == [{0: 1.0, 1: 1.0}]
    assert Proportional().factors([], TWO) == []


def test_proportional_flows_rise_on():
    """A job whose link is not full yet rises on when the other that crosses it is held up elsewhere."""
    jobs = [
        Traffic({0: 1, 1: 1}, 60.0, 1.0),
        Traffic({1: 1, 2: 1}, 90.0, 1.0),
        Traffic({2: 1, 3: 1}, 90.0, 1.0),
    ]
    found = Proportional().factors(jobs, machine(1e3, 100.0, 100.0, 1e3))
    # Node 2 is full first, at 100 / 180; what is then free in node 1 lets the first job rise to the end.
    assert found[1] == {1: pytest.approx(5 / 9), 2: pytest.approx(5 / 9)}
    assert found[2] == {2: pytest.approx(5 / 9), 3: pytest.approx(5 / 9)}
    assert found[0] == {0: pytest.approx(50 / 60), 1: pytest.approx(50 / 60)}


def test_equal_weights_spare_small_flows():
    """Max-min fairness gives the small flow all it asks for and the large one the rest."""
    jobs = [Traffic({0: 1, 1: 1}, 10.0, 1.0), Traffic({1: 1, 2: 1}, 190.0, 1.0)]
    nodes = machine(1e3, 100.0, 1e3)
    assert Proportional().factors(jobs, nodes) == [{0: 0.5, 1: 0.5}, {1: 0.5, 2: 0.5}]
    assert Proportional("equal").factors(jobs, nodes) == [{0: 1.0, 1: 1.0}, {1: 90 / 190, 2: 90 / 190}]


class Line:
    """Nodes in a row, a link each way between neighbors, all as wide."""

    def __init__(self, nodes, width):
        self.spec, self.nodes, self.links = f"line:{nodes}", nodes, 2 * (nodes - 1)
        self.bandwidth = np.full(self.links, width)
        self.place = np.arange(nodes)[:, None]

    def hops(self, a, b):
        return abs(a - b)

    def route(self, a, b):
        if a <= b:
            return tuple(range(a, b))
        return tuple(self.nodes - 1 + k for k in range(b, a))


def test_links_of_the_topology_are_shared():
    """Jobs of different nodes slow each other down where their routes meet, and nowhere else."""
    nodes = machine(1e3, 1e3, 1e3, 1e3, topology=Line(4, 100.0))
    far, near = Traffic({0: 1, 3: 1}, 80.0, 1.0), Traffic({1: 1, 2: 1}, 120.0, 1.0)
    aside = Traffic({2: 1, 3: 1}, 20.0, 1.0)
    found = Proportional().factors([far, near, aside], nodes)
    assert found == [{0: 0.5, 3: 0.5}, {1: 0.5, 2: 0.5}, {2: 1.0, 3: 1.0}]
    assert Proportional().factors([far], nodes) == [{0: 1.0, 3: 1.0}]


class Triangle(Line):
    """Three nodes, each joined to both others."""

    def __init__(self, widths):
        super().__init__(3, 0.0)
        self.links, self.bandwidth = 3, np.array(widths)

    def route(self, a, b):
        return (a + b - 1,)


def test_a_node_waits_for_its_own_flows_only():
    """Where two nodes of a job are badly joined, the third, well joined to both, is not slowed down."""
    job = Traffic({0: 1, 1: 1, 2: 1}, 60.0, 1.0)
    nodes = machine(1e3, 1e3, 1e3, topology=Triangle([30.0, 1e3, 1e3]))
    assert Proportional().factors([job], nodes) == [{0: 0.5, 1: 0.5, 2: 1.0}]


def test_a_row_of_nodes_is_one_bottleneck():
    """In a row every node has a flow over the narrow link, so all of the job have its share."""
    across, other = Traffic({0: 1, 1: 1, 3: 4}, 20.0, 1.0), Traffic({1: 1, 2: 1}, 100.0, 1.0)
    nodes = machine(1e3, 1e3, 1e3, 1e3, topology=Line(4, 100.0))
    # From 1 to 2: 80 of 0 and 3, 80 of 1 and 3, 100 of the other job.
    found = Proportional().factors([across, other], nodes)
    assert found == [dict.fromkeys((0, 1, 3), 100 / 260), {1: 100 / 260, 2: 100 / 260}]
    third = pytest.approx(100 / 3 / 80)
    equal = Proportional("equal").factors([across, other], nodes)
    assert equal == [dict.fromkeys((0, 1, 3), third), dict.fromkeys((1, 2), pytest.approx(1 / 3))]


@pytest.mark.parametrize("weights", ["demand", "equal"])
@pytest.mark.parametrize("links", ["all", "own"])
def test_a_job_that_sends_nothing_is_not_slowed(weights, links):
    """No bytes take no time, also beside a job that fills the link; the other job is slowed as alone."""
    silent, full = Traffic({0: 1, 1: 1}, 0.0, 1.0), Traffic({0: 1, 1: 1}, 2 * ETHERNET, 1.0)
    model = Proportional(weights, links)
    assert model.factors([silent, full, silent], TWO) == [{0: 1, 1: 1}, {0: 0.5, 1: 0.5}, {0: 1, 1: 1}]
    assert model.factors([silent], TWO) == [{0: 1, 1: 1}]
    assert model.factors([], TWO) == []
