"""Tasks that take turns, in as many nodes as their job asks for."""

from __future__ import annotations

from dataclasses import replace

import pytest

import echelon as ec
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Node, Processor, TaskGroup, Workload

MACHINE = Hardware((Cluster((Node((Processor((Core(1e9), Core(1e9))),)),) * 3),))
PLATFORM = ec.Platform((ec.Site("lab", MACHINE),))
HALF = Demand((TaskGroup(3, 10e9),), nodes=3)
SPREAD = Demand((TaskGroup(4, 1e9),), nodes=3)


@pytest.mark.parametrize("sharing", ["fair", "round-robin:quantum=1"])
def test_fewer_cores_are_still_in_as_many_nodes(sharing):
    """Four tasks find one free core in each of three nodes: two of them take turns, in one node."""
    table = Workload.from_columns(submit_time=[0, 1], run_time=[10, 1], processors=[3, 4])
    table = replace(table, demands=Demands.of([HALF, SPREAD]))
    result = ec.simulate(table, platform=PLATFORM, sharing=sharing)
    assert result.jobs["start_time"].to_list() == [0, 1]
    assert result.jobs["end_time"].to_list() == [10, 3]
    assert result.jobs["nodes"].to_list() == ["0-2", "0-2"]
    assert sorted(result.holdings.filter(row=1)["tasks"]) == [1, 1, 2]


def test_turns_shorter_than_the_clock_can_tell_end():
    """At second 1e15 times are an eighth of a second apart: shorter turns last longer, and tasks go on."""
    late = 1e15
    table = Workload.from_columns(submit_time=[late, late], run_time=[64, 8], processors=[3, 4])
    long = Demand((TaskGroup(3, 64e9),), nodes=3)
    table = replace(table, demands=Demands.of([long, SPREAD._replace(groups=(TaskGroup(4, 16e9),))]))
    result = ec.simulate(table, platform=PLATFORM, sharing="round-robin:quantum=1e-6")
    assert result.jobs["end_time"].to_list() == pytest.approx([late + 64, late + 32], abs=2)


@pytest.mark.parametrize("sharing", ["fair", "round-robin:quantum=0.5"])
def test_a_job_counts_as_the_cores_it_held(sharing):
    """Two tasks hold two cores for 4 s, four of 2 s take turns on the other two: no core is ever idle."""
    node = Node((Processor((Core(1e9),) * 4),))
    full, turns = (Demand((TaskGroup(n, ops),), sequential=True) for n, ops in ((2, 4e9), (4, 2e9)))
    table = Workload.from_columns(submit_time=[0, 0], run_time=[4, 2], processors=[2, 4])
    table = replace(table, demands=Demands.of([full, turns]))
    result = ec.simulate(table, platform=Hardware((Cluster((node,)),)), sharing=sharing)
    assert result.jobs["processors"].to_list() == [2, 2]
    assert result.jobs["end_time"].to_list() == [4, 4]
    for name in ("utilization", "core_utilization", "grid_utilization", "competitive_ratio"):
        assert result.metrics[name] == 1
    assert result.metrics["lower_bound"] == 4
