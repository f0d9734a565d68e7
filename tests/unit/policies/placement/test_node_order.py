"""Whole nodes in an order, tasks dealt to them in turn: cases worked by hand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import echelon as ec
from echelon.errors import InputError, UnknownNameError
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Job, Node, Processor, TaskGroup
from echelon.policies import placement_named
from echelon.policies.placement import format_placement, node_sequence
from echelon.testing.rooms import FixedRoom


def node(cores, clock=1.0, static=0.0, dynamic=0.0, **others):
    return Node((Processor((Core(clock, dynamic_power=dynamic),) * cores, static_power=static),), **others)


def job(tasks, memory=0.0, **demand):
    made = Demand((TaskGroup(tasks, 1.0, memory),), **demand)
    return Job(0, 1, 0.0, tasks, 1.0, 1.0, 0, 0, 0, 0, 0, -1.0, made, None)


def placed(spec, hardware, asked, busy=()):
    return placement_named(spec).place(asked, asked.processors, FixedRoom.of(hardware, busy))


FOUR_TWO_FOUR = Hardware((Cluster((node(4), node(2), node(4))),))


def test_tasks_are_dealt_in_turn():
    """Five tasks in two nodes: the first node has the first, third and fifth; a share of three must fit."""
    assert placed("node-order", FOUR_TWO_FOUR, job(5, nodes=2)) == [0, 6, 1, 7, 2]


def test_a_job_waits_for_nodes_that_each_hold_its_larger_share():
    """With two cores of the third node busy only one node holds three tasks, so five in two nodes wait."""
    assert placed("node-order", FOUR_TWO_FOUR, job(5, nodes=2), busy=[6, 7]) is None
    assert placed("node-order", FOUR_TWO_FOUR, job(4, nodes=2), busy=[6, 7]) == [0, 4, 1, 5]


def test_a_sequential_job_is_in_one_node():
    """The first node with enough idle cores takes all of it, lowest cores first."""
    assert placed("node-order", FOUR_TWO_FOUR, job(3, sequential=True), busy=[1, 2]) == [6, 7, 8]
    assert placed("node-order", FOUR_TWO_FOUR, job(5, sequential=True)) is None


def test_a_job_that_names_no_nodes_has_one_task_in_each():
    """As the public program completes a job that says its tasks alone; a setting says how many instead."""
    assert placed("node-order", FOUR_TWO_FOUR, job(3)) == [0, 4, 6]
    assert placed("node-order", FOUR_TWO_FOUR, job(4)) is None
    assert placed("node-order:tasks-per-node=3", FOUR_TWO_FOUR, job(6)) == [0, 6, 1, 7, 2, 8]
    assert placed("node-order", FOUR_TWO_FOUR, job(6, tasks_per_node=3)) == [0, 6, 1, 7, 2, 8]


@pytest.mark.parametrize(
    ("order", "nodes"),
    [
        ("first", [0, 1, 2, 3]),
        # 2, 3, 4 and 1 Hz
        ("high-gigaflops", [2, 1, 0, 3]),
        # idle: 4, 1, 3 and 3 cores
        ("high-cores", [0, 2, 3, 1]),
        ("low-cores", [1, 2, 3, 0]),
        # held: 0, 200, 100 and 300 bytes
        ("high-memory", [3, 1, 2, 0]),
        # 5 + 4 x 1, 2 + 2 x 5, 1 + 4 x 2 and 3 + 4 x 3 W, the first and third equal
        ("low-power", [0, 2, 1, 3]),
    ],
)
def test_orders_of_nodes(order, nodes):
    """Each order ranks the nodes by its own quantity, equal ones as the platform lists them."""
    hardware = Hardware(
        (
            Cluster(
                (
                    node(4, 2.0, 5.0, 1.0, memory=1000.0),
                    node(2, 3.0, 2.0, 5.0, memory=1000.0),
                    node(4, 4.0, 1.0, 2.0, memory=1000.0),
                    node(4, 1.0, 3.0, 3.0, memory=1000.0),
                )
            ),
        )
    )
    still = FixedRoom.of(hardware, busy=[5, 6, 13])
    room = FixedRoom(
        hardware,
        still.idle_cores,
        still.cores,
        np.array([1000.0, 800, 900, 700]),
        still.asleep,
        still.running,
    )
    rule = placement_named(f"node-order:by={order}")
    assert rule.nodes(job(1), room).tolist() == nodes
    assert node_sequence(rule, job(1), room).tolist() == nodes


def run(asked, cores, policy):
    """Return a run of jobs of 10 s, one a second, on two nodes of so many cores."""
    seconds = [10.0] * len(asked)
    table = ec.Workload.from_columns(
        submit_time=range(len(asked)),
        run_time=seconds,
        requested_time=seconds,
        processors=[demand.tasks for demand in asked],
    )
    return ec.simulate(
        replace(table, demands=Demands.of(asked)),
        platform=Hardware((Cluster((node(cores), node(cores))),)),
        policy=policy,
        place="node-order:tasks-per-node=2",
    )


@pytest.mark.parametrize("policy", ["easy", "conservative", "plan", "easy:reservations=2"])
def test_jobs_start_in_nodes_that_were_promised(policy):
    """Five tasks in two nodes take three and two cores, as was planned when all cores were busy."""
    asked = [Demand((TaskGroup(tasks, 10.0),), nodes=2) for tasks in (8, 5)]
    found = run(asked, 4, policy)
    assert found.jobs["start_time"].to_list() == [0, 10]
    assert found.jobs["cores"].to_list() == ["0-7", "0-2 4-5"]


def test_a_rule_that_keeps_jobs_in_one_node_decides_how_they_are_spread():
    """Under node-backfill an MPI job is in one node, whatever the placement would give it."""
    asked = [Demand((TaskGroup(tasks, 10.0),)) for tasks in (8, 5, 2)]
    assert run(asked, 8, "node-backfill").jobs["cores"].to_list() == ["0-7", "8-12", "13-14"]


def test_memory_limits_a_share():
    """A node whose memory holds one task of a share of two is passed over."""
    hardware = Hardware((Cluster((node(4, memory=150.0), node(4, memory=400.0), node(4, memory=400.0))),))
    assert placed("node-order", hardware, job(4, memory=100.0, nodes=2)) == [4, 8, 5, 9]


def test_random_nodes_are_those_of_the_seed():
    """The order is drawn a job: all nodes come, the same whenever it is asked for."""
    hardware = Hardware((Cluster((node(1),) * 20),))
    rule, room = placement_named("node-order:by=random"), FixedRoom.of(hardware)
    order = rule.nodes(job(1), room).tolist()
    assert sorted(order) == list(range(20))
    assert order != sorted(order)
    assert rule.nodes(job(1), room).tolist() == order


def test_specs():
    """Settings are typed after the name and said again, a default not."""
    assert format_placement(placement_named("node_order:by=low-power")) == "node-order:by=low-power"
    assert format_placement(placement_named("node-order:tasks-per-node=1")) == "node-order"
    with pytest.raises(InputError, match="node-order, tasks-per-node: must be at least 1, got 0"):
        placement_named("node-order:tasks-per-node=0")
    with pytest.raises((InputError, UnknownNameError), match="by"):
        placement_named("node-order:by=fastest")


def test_other_placements_say_in_which_order_they_take_nodes():
    """A node search by its search and resource order, those without an idle core last; others by number."""
    hardware = Hardware((Cluster((node(2, 1.0), node(2, 3.0), node(2, 2.0))),))
    room = FixedRoom.of(hardware, busy=[2, 3, 4])
    assert node_sequence(placement_named("high-gigaflops"), job(1), room).tolist() == [2, 0, 1]
    assert node_sequence(placement_named("worst-fit"), job(1), room).tolist() == [0, 2, 1]
    assert node_sequence(placement_named("nearest"), job(1), room).tolist() == [0, 1, 2]


def test_all_cores_of_a_node_or_the_idle_ones():
    """With three of its four cores busy the first node is still first by all its cores, not by idle ones."""
    busy = [0, 1, 2]
    assert placed("node-order:by=total-cores", FOUR_TWO_FOUR, job(1), busy=busy) == [3]
    assert placed("node-order:by=high-cores", FOUR_TWO_FOUR, job(1), busy=busy) == [6]
