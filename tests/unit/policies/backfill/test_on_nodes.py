"""Backfillings on unequal nodes with memory, worked by hand."""

from __future__ import annotations

from dataclasses import replace

import pytest

import echelon as ec
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Node, Processor, TaskGroup, Workload

GB = 1e9
MACHINE = Hardware(
    (
        Cluster(
            (
                Node((Processor((Core(1e9),) * 4),), memory=8 * GB),
                Node((Processor((Core(1e9),) * 2),), memory=2 * GB),
            )
        ),
    )
)
"""A large node of 4 cores and 8 GB, a small one of 2 cores and 2 GB."""

JOBS = (
    # submit, cores, seconds, GB a task
    (0, 2, 10, 3.0),  # takes half the cores of the large node, and 6 GB
    (1, 4, 5, 1.0),  # the head: needs all cores of the large node, at 10
    (2, 1, 20, 1.5),  # long: may run in the small node alone, or it delays the head to 22
    (3, 2, 6, 0.5),  # ends before 10: beside the first job
    (4, 1, 1, 2.5),  # too much memory for the small node, and for what the large one has left
    (5, 1, 1, 0.4),  # what is left in the small node: one core and 0.5 GB
)


def run(spec):
    """Return start times and node sets of the jobs."""
    submit, cores, seconds, memory = zip(*JOBS, strict=True)
    demands = [
        Demand((TaskGroup(k, length * 1e9, memory=each * GB),), sequential=True)
        for k, length, each in zip(cores, seconds, memory, strict=True)
    ]
    table = Workload.from_columns(
        submit_time=submit, run_time=seconds, processors=cores, requested_time=seconds
    )
    platform = ec.Platform((ec.Site("lab", MACHINE),))
    result = ec.simulate(replace(table, demands=Demands.of(demands)), platform=platform, policy=spec)
    return result.jobs["start_time"].to_list(), result.jobs["nodes"].to_list()


def test_without_backfilling_the_large_job_blocks_all():
    """Nobody starts before the head has."""
    assert run("fcfs")[0] == [0, 10, 10, 15, 15, 15]


@pytest.mark.parametrize(
    "spec",
    [
        "easy",
        "easy:reservations=2",
        "conservative",
        "plan",
        "selective:threshold=1",
        "slack:factor=0",
        "relaxed",
        "relaxed:factor=0",
    ],
)
def test_a_large_job_no_longer_blocks_the_queue(spec):
    """Who fits beside the head, or ends before it starts, overtakes it; the head starts as without them."""
    starts, nodes = run(spec)
    assert starts == [0, 10, 2, 3, 15, 5]
    assert nodes == ["0", "0", "1", "0", "0", "1"]


def test_without_promises_the_large_job_waits_for_those_that_overtake():
    """First-fit puts the long job into the large node, whose cores are all free only at 22."""
    starts, nodes = run("first-fit")
    assert starts == [0, 22, 2, 3, 10, 5]
    assert nodes == ["0", "0", "0", "1", "0", "0"]
