"""How near to each other the cores of jobs were: by hand, and against all pairs."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import echelon as ec
from echelon.errors import InputError
from echelon.metrics import measure
from echelon.metrics.schedule.allocation_metrics import ALLOCATION_METRICS
from echelon.metrics.schedule.allocation_quality import AllocationQuality
from echelon.model import (
    Cluster,
    Core,
    Demand,
    Demands,
    Hardware,
    Holdings,
    Instance,
    Node,
    Processor,
    Schedule,
    TaskGroup,
    Workload,
)
from echelon.model.topology import topology_named

NAMES = [metric.name for metric in ALLOCATION_METRICS]


def schedule_on(topology, *places, nodes=8, cores=4, **kind):
    """Return a schedule whose jobs, one after the other, have so many tasks in each of some nodes."""
    network = topology_named(topology) if topology else None
    machine = Hardware((Cluster((Node((Processor((Core(1.0),) * cores),)),) * nodes),), network)
    demands = [Demand((TaskGroup(sum(place.values()), 1.0),), **kind) for place in places]
    count = len(places)
    workload = Workload.from_columns(
        submit_time=[0] * count, run_time=[1] * count, processors=[demand.tasks for demand in demands]
    )
    instance = Instance.of(replace(workload, demands=Demands.of(demands)), machine)
    rows = [(job, node, tasks) for job, place in enumerate(places) for node, tasks in place.items()]
    job, node, tasks = (np.array(column) for column in zip(*rows, strict=True))
    start = job.astype(float)
    none, flat = np.zeros(len(rows), dtype=np.int64), np.zeros(len(rows))
    holdings = Holdings(
        job=job,
        group=none,
        processor=node,
        tasks=tasks,
        first_core=np.concatenate(([0], np.cumsum(tasks))),
        cores=np.concatenate([cores * n + np.arange(t) for n, t in zip(node, tasks, strict=True)]),
        start=start,
        begin=start.copy(),
        end=start + 1,
        release=start + 1,
        level=none.copy(),
        speed=flat + 1.0,
        bandwidth=flat,
    )
    return Schedule(instance, np.arange(count, dtype=float), end=np.arange(count) + 1.0, holdings=holdings)


def test_qualities_by_hand():
    """On a line of 8 nodes of 4 cores: a job in one node, one in three with a gap, one in two neighbors."""
    quality = AllocationQuality.of(schedule_on("mesh:8", {2: 3}, {0: 2, 1: 1, 6: 1}, {4: 4, 5: 2}))
    assert quality.nodes.tolist() == [1, 3, 2]
    assert quality.wide.tolist() == [False, True, True]
    assert quality.spread.tolist() == [1, 3, 1]
    assert quality.fragments.tolist() == [1, 2, 1]
    np.testing.assert_allclose(quality.same_node_share, [1, 1 / 6, 7 / 15])
    assert quality.pieces.tolist() == [1, 2, 1]
    np.testing.assert_allclose(quality.pairwise_hops, [np.nan, (1 + 6 + 5) / 3, 1])
    np.testing.assert_allclose(quality.diameter, [np.nan, 6, 1])


def test_means_are_over_jobs_in_several_nodes():
    """A job in one node counts among the nodes only."""
    found = measure(schedule_on("tree:2x4", {2: 3}, {0: 2, 1: 1, 6: 1}, {4: 4, 5: 2}))
    assert {name: found[name] for name in NAMES} == pytest.approx(
        {
            "multi_node_jobs": 2,
            "mean_nodes": 2,
            "mean_node_spread": 2,
            "mean_fragments": 1.5,
            "mean_same_node_share": (1 / 6 + 7 / 15) / 2,
            "mean_same_switch_share": (3 / 6 + 1) / 2,
            "mean_pieces": 1.5,
            "mean_pairwise_hops": (4 / 3 + 0) / 2,
            "mean_diameter": 1,
        }
    )


def test_metrics_are_there_where_what_they_speak_of_is():
    """Without a network no hops, without a job in several nodes no means, without nodes nothing."""
    blind = measure(schedule_on(None, {0: 1, 3: 1}))
    assert [name for name in NAMES if name in blind] == NAMES[:5]
    narrow = measure(schedule_on("mesh:8", {0: 1}, {3: 2}))
    assert [name for name in NAMES if name in narrow] == ["multi_node_jobs", "mean_nodes"]
    plain = ec.simulate("kth-sp2", policy="easy")
    assert not set(NAMES) & set(plain.metrics)
    with pytest.raises(InputError, match="needs a schedule on hardware"):
        AllocationQuality.of(plain.schedule)


def test_the_fewest_nodes_are_those_the_job_asked_for():
    """A job that wants four nodes, or one task a node, has no spread; memory limits what a node can take."""
    assert AllocationQuality.of(schedule_on(None, {0: 1, 1: 1, 2: 1, 3: 1}, nodes=8)).spread[0] == 4
    wants = {0: 1, 2: 1, 5: 1, 6: 1}
    assert AllocationQuality.of(schedule_on(None, wants, tasks_per_node=1)).spread[0] == 1
    assert AllocationQuality.of(schedule_on(None, {0: 2, 3: 2}, sequential=False)).spread[0] == 2


def test_pieces_are_joined_over_nodes_of_the_job_alone():
    """A ring closes over the border, corners do not touch, a group of a dragonfly is one piece."""
    whole = {0: 1, 1: 1, 6: 1, 7: 1}
    assert AllocationQuality.of(schedule_on("torus:8", whole)).pieces.tolist() == [1]
    assert AllocationQuality.of(schedule_on("mesh:8", whole, {3: 1, 5: 1, 4: 1})).pieces.tolist() == [2, 1]
    assert AllocationQuality.of(schedule_on("mesh:4x2", {0: 1, 5: 1, 2: 1, 7: 1})).pieces.tolist() == [4]
    assert AllocationQuality.of(schedule_on("tree:2x2x2", {0: 1, 1: 1, 2: 1, 7: 1})).pieces.tolist() == [3]
    assert AllocationQuality.of(schedule_on("star", {0: 1, 5: 1})).pieces.tolist() == [1]
    groups = schedule_on("dragonfly:groups=2:routers=2:nodes=2", {0: 1, 2: 1, 3: 1, 6: 1}, {0: 1, 4: 1})
    assert AllocationQuality.of(groups).pieces.tolist() == [2, 1]


@given(
    st.sampled_from(("mesh:4x2", "torus:8", "tree:2x2x2", "fat-tree:k=4", "dragonfly:a=2,h=1,p=2", "star")),
    st.lists(
        st.dictionaries(st.integers(0, 7), st.integers(1, 4), min_size=1, max_size=6), min_size=1, max_size=4
    ),
)
def test_qualities_equal_sums_over_all_pairs(topology, places):
    """Hops, diameters and shares are those of all pairs of nodes or tasks, one by one."""
    network = topology_named(topology)
    quality = AllocationQuality.of(schedule_on(topology, *places))
    for job, place in enumerate(places):
        hops = [network.hops(a, b) for a, b in combinations(place, 2)]
        assert quality.pairwise_hops[job] == pytest.approx(np.mean(hops) if hops else np.nan, nan_ok=True)
        assert quality.diameter[job] == pytest.approx(max(hops, default=np.nan), nan_ok=True)
        tasks = [node for node, count in place.items() for _ in range(count)]
        pairs = list(combinations(tasks, 2))
        for share, part in (
            (quality.same_node_share, np.arange(8)),
            (quality.same_switch_share, network.switch),
        ):
            together = [part[a] == part[b] for a, b in pairs]
            assert share[job] == pytest.approx(np.mean(together) if pairs else np.nan, nan_ok=True)
