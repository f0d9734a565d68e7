"""Backfilling node by node: cases worked by hand from IRMASim's manager Backfill."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.errors import InfeasibleJobError
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Node, Processor, TaskGroup


def machine(*cores):
    return Hardware((Cluster(tuple(Node((Processor((Core(1.0),) * count),)) for count in cores)),))


def run(hardware, *rows, policy="node-backfill", **options):
    """Return the starts of jobs, each (submission, tasks, requested time, run time)."""
    submit, tasks, requested, seconds = zip(*rows, strict=True)
    demands = [
        Demand((TaskGroup(n, float(s)),), sequential=True) for n, s in zip(tasks, seconds, strict=True)
    ]
    table = ec.Workload.from_columns(
        submit_time=submit, run_time=seconds, requested_time=requested, processors=tasks
    )
    given = {"platform": hardware} if isinstance(hardware, Hardware) else {"processors": hardware}
    workload = replace(table, demands=Demands.of(demands))
    return ec.simulate(workload, policy=policy, **given, **options)


JOBS = ((0, 3, 10, 10), (0, 2, 20, 20), (1, 4, 5, 5), (2, 1, 12, 12), (3, 1, 5, 5), (4, 1, 99, 99))


def test_each_node_has_its_own_start_of_the_head():
    """The head could start at 10 s in node 0, at 20 s in node 1: who ends by then in that node overtakes."""
    found = run(machine(4, 4), *JOBS)
    assert found.jobs["start_time"].to_list() == [0, 0, 10, 2, 3, 10]
    assert found.jobs["nodes"].to_list() == ["0", "1", "0", "1", "0", "1"]


def test_easy_lets_through_who_leaves_enough_cores():
    """The job of 99 s does not delay the head in node 1, so EASY starts it at once; node by node it waits."""
    assert run(machine(4, 4), *JOBS, policy="easy").jobs["start_time"].to_list()[5] == 4


def test_ends_are_the_requested_ones_where_a_job_runs_on():
    """A's 5 s are over at 6 s, so nobody overtakes the head that waits for it; EASY plans A again."""
    jobs = ((0, 1, 5, 20), (1, 2, 3, 3), (1, 1, 4, 4), (6, 1, 2, 2))
    found = run(machine(2), *jobs, estimates="request")
    assert found.jobs["start_time"].to_list() == [0, 20, 1, 23]
    easy = run(machine(2), *jobs, policy="easy", estimates="request")
    assert easy.jobs["start_time"].to_list() == [0, 20, 1, 6]


def test_nodes_in_the_order_of_the_placement():
    """The head takes the node with most idle cores first; without a word for it the first of the platform."""
    jobs = ((0, 1, 9, 9), (0, 1, 9, 9))
    assert run(machine(2, 4), *jobs).jobs["nodes"].to_list() == ["0", "0"]
    found = run(machine(2, 4), *jobs, place="node-order:by=high-cores")
    assert found.jobs["nodes"].to_list() == ["1", "1"]


def test_the_whole_machine_is_one_node_where_nodes_are_not_told_apart():
    """On 4 processors it is one node of 4 cores: the job of 10 s may not overtake, that of 4 s may."""
    jobs = ((0, 3, 5, 5), (1, 4, 5, 5), (1, 1, 10, 10), (1, 1, 4, 4))
    table = ec.Workload.from_columns(
        submit_time=[row[0] for row in jobs],
        processors=[row[1] for row in jobs],
        requested_time=[row[2] for row in jobs],
        run_time=[row[3] for row in jobs],
    )
    flat = ec.simulate(table, processors=4, policy="node-backfill")
    assert flat.jobs["start_time"].to_list() == [0, 5, 10, 1]
    assert run(machine(4), *jobs).jobs["start_time"].to_list() == [0, 5, 10, 1]


def test_the_order_of_the_queue_is_free():
    """With the smallest job first the head is another one."""
    jobs = ((0, 4, 5, 5), (1, 4, 5, 5), (2, 1, 50, 50))
    assert run(machine(4), *jobs, policy="node-backfill:smallest-first").jobs["start_time"].to_list() == [
        0,
        55,
        5,
    ]


@pytest.mark.parametrize(
    ("nodes", "told"),
    [(2, "job 1 asks for 2 nodes, and no"), (0, "job 1 needs 6 cores, and no node alone can")],
)
def test_a_job_of_several_nodes_never_starts(nodes, told):
    """It fits in no single node, so it can never start, and the run says so, and why."""
    demand = Demand((TaskGroup(4 if nodes else 6, 1.0),), nodes=nodes)
    table = ec.Workload.from_columns(submit_time=[0], run_time=[1], processors=[demand.tasks])
    workload = replace(table, demands=Demands.of([demand]))
    with pytest.raises(InfeasibleJobError, match=told):
        ec.simulate(workload, platform=machine(4, 4), policy="node-backfill")


def test_memory_decides_in_which_node_the_head_can_start():
    """The head's memory fits node 1 alone, which is free for it at 8 s; node 0 is no place to wait for."""
    cores = (Core(1.0),) * 2
    hardware = Hardware(
        (Cluster((Node((Processor(cores),), memory=100.0), Node((Processor(cores),), memory=300.0))),)
    )
    demands = [
        Demand((TaskGroup(1, 8.0, 250.0),), sequential=True),
        Demand((TaskGroup(1, 5.0, 200.0),), sequential=True),
        Demand((TaskGroup(1, 20.0, 10.0),), sequential=True),
        Demand((TaskGroup(1, 6.0, 10.0),), sequential=True),
    ]
    seconds = [8.0, 5.0, 20.0, 6.0]
    table = ec.Workload.from_columns(
        submit_time=[0, 1, 1, 1], run_time=seconds, requested_time=seconds, processors=np.ones(4, dtype=int)
    )
    found = ec.simulate(
        replace(table, demands=Demands.of(demands)), platform=hardware, policy="node-backfill"
    )
    assert found.jobs["start_time"].to_list() == [0, 8, 8, 1]
    assert found.jobs["nodes"].to_list() == ["1", "1", "0", "1"]


def test_extra_cores_let_long_jobs_through():
    """With `extra` jobs of 1 core take the core that a head of 3 leaves in each node of 4; else they wait.

    Node 0 is free for the head at 10 s, node 1 at 20 s, each with 4 - 3 = 1 core to spare.
    """
    jobs = ((0, 3, 10, 10), (0, 2, 20, 20), (1, 3, 5, 5), (2, 1, 99, 99), (3, 1, 50, 50))
    found = run(machine(4, 4), *jobs, policy="node-backfill:extra=yes")
    assert found.jobs["start_time"].to_list() == [0, 0, 10, 2, 3]
    assert found.jobs["nodes"].to_list() == ["0", "1", "0", "0", "1"]
    assert run(machine(4, 4), *jobs).jobs["start_time"].to_list() == [0, 0, 10, 10, 10]


def test_extra_cores_are_less_those_of_jobs_that_end_later():
    """Of 6 cores the head needs 4 and B holds 2 beyond its start at 5 s: none is to spare, so a job waits."""
    jobs = ((0, 2, 5, 5), (0, 2, 30, 30), (1, 4, 10, 10), (2, 1, 99, 99))
    found = run(machine(6), *jobs, policy="node-backfill:extra=yes")
    assert found.jobs["start_time"].to_list() == [0, 0, 5, 15]


def test_with_extra_nodes_too_small_for_the_head_are_used():
    """A head of 4 waits for node 1; with `extra` a job of 2 takes idle node 0, which has 2 cores."""
    jobs = ((0, 3, 10, 10), (1, 4, 5, 5), (2, 2, 99, 99))
    later = run(machine(2, 4), *jobs, policy="node-backfill:extra=yes")
    assert later.jobs["start_time"].to_list() == [0, 10, 2]
    assert run(machine(2, 4), *jobs).jobs["start_time"].to_list() == [0, 10, 10]


def test_extra_on_a_machine_that_is_one_node():
    """On 6 processors as one node the same holds as on a node of 6 cores."""
    rows = ((0, 2, 5), (0, 2, 30), (1, 3, 10), (2, 1, 99), (3, 1, 99))
    table = ec.Workload.from_columns(
        submit_time=[row[0] for row in rows],
        processors=[row[1] for row in rows],
        requested_time=[row[2] for row in rows],
        run_time=[row[2] for row in rows],
    )
    flat = ec.simulate(table, processors=6, policy="node-backfill:extra=yes")
    # The head of 3 starts at 5 s and leaves 6 - 3 - 2 = 1 core: one of the two long jobs overtakes.
    assert flat.jobs["start_time"].to_list()[:4] == [0, 0, 5, 2]
    nodes = run(machine(6), *((s, n, r, r) for s, n, r in rows), policy="node-backfill:extra=yes")
    assert nodes.jobs["start_time"].to_list() == flat.jobs["start_time"].to_list()
