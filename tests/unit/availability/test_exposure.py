"""How often failures hit a job, by the number of its nodes."""

from __future__ import annotations

import math

import numpy as np
import pytest

from echelon.availability import FailureProcess, MachineNodes, draw_failures, law_named
from echelon.availability.exposure import UNEXPOSED, Exposure, Hits, exposure_to_process, measure_exposure
from echelon.model.machines.outages import OutageKind, Outages

TREE = MachineNodes((4, 6), ("spain/uab", "upc"), ("spain",))


def failures(*rows):
    """Return failures (time, nodes)."""
    return Outages.of([(t, t + 1, nodes, OutageKind.FAIL, -math.inf, 0) for t, nodes in rows])


def test_a_failure_hits_as_many_jobs_as_it_is_wide():
    """Of one node in proportion to the job's nodes, of all nodes every job, of neighbors in between."""
    one, all_of_them, two = (Exposure((Hits(0.5, together, 10),)) for together in (1, 10, 2))
    assert [one.rate(nodes) for nodes in (1, 5, 10)] == [0.05, 0.25, 0.5]
    assert [all_of_them.rate(nodes) for nodes in (1, 5, 10)] == [0.5, 0.5, 0.5]
    assert [two.rate(nodes) for nodes in (1, 5, 10)] == [0.1, 0.3, 0.5]
    assert (one + two).rate(1) == pytest.approx(0.15)
    assert UNEXPOSED.rate(3) == 0


@pytest.mark.parametrize(
    ("spec", "of_one", "of_four"),
    [
        ("exponential:mean=100", 1 / 100, 4 / 100),
        ("exponential:mean=100,burst=3", 3 / 100, 6 / 100),
        ("exponential:mean=100,of=machine", 2 / 1000, 8 / 1000),
        ("exponential:mean=100,of=site", 1 / 100, 1 / 100),
        # Four of ten nodes are below two links, six below one.
        ("exponential:mean=100,of=link", 1.4 / 100, 1.4 / 100),
    ],
)
def test_the_exposure_to_a_law(spec, of_one, of_four):
    """Nodes and bursts count by the nodes of the job; a site's failures, and its links', hit all its jobs."""
    found = exposure_to_process(FailureProcess.of_spec(spec), TREE)
    assert found.rate(1) == pytest.approx(of_one)
    assert found.rate(4) == pytest.approx(of_four)


@pytest.mark.slow
@pytest.mark.parametrize("spec", ["of=node", "of=machine", "of=site", "of=node,burst=2"])
def test_the_exposure_is_that_of_drawn_failures(spec):
    """Failures that are drawn hit the first four of ten nodes as often as said, within 4 %."""
    process = FailureProcess.of_spec(f"exponential:mean=1000,{spec}")
    machine, horizon = MachineNodes((10,)), 1e7
    drawn = draw_failures(process, law_named("constant:0"), machine, horizon=horizon, seed=3)
    times = np.repeat(drawn.start, np.diff(drawn.first))
    hits = len(np.unique(times[(drawn.node >= 3) & (drawn.node < 7)]))
    # Bursts end at the last node and begin at any before: three nodes are before these four.
    inside = exposure_to_process(process, machine).rate(4) * horizon
    assert hits == pytest.approx(inside, rel=0.04)


def test_a_trace_is_measured_by_its_incidents():
    """What fails at one instant is one failure; the first begins the measurement; drains do not count."""
    drain = Outages.of([(50, 60, (3,), OutageKind.DRAIN, -math.inf, 0)])
    found = measure_exposure(failures((0, (0, 1)), (50, (2,)), (100, (2,)), (100, (4, 5))), 10)
    assert sorted(found.hits) == [Hits(1 / 100, 1, 10), Hits(1 / 100, 3, 10)]
    assert measure_exposure(drain, 10) == measure_exposure(failures((5, (0, 1))), 10) == UNEXPOSED
