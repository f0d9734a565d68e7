"""Resource orders and node searches, by hand: which cores each takes of a given room."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from echelon.errors import UnknownNameError
from echelon.model import Cluster, Core, Demand, Hardware, Job, Node, Processor, TaskGroup
from echelon.policies import NodeSearch, placement_named
from echelon.testing.rooms import FixedRoom


def node(*processors, memory=64.0, **figures):
    """Return a node of these processors."""
    return Node(processors, memory=memory, **figures)


def processor(cores, *, clock=1.0, dynamic=1.0, **figures):
    """Return a processor of equal cores."""
    return Processor((Core(clock, dynamic_power=dynamic),) * cores, **figures)


def machine(*nodes):
    """Return a machine of one cluster."""
    return Hardware((Cluster(nodes),))


def job(tasks, *, memory=0.0, planned=10.0, **kind):
    """Return a job of equal tasks."""
    return Job(0, 1, 0.0, tasks, planned, demand=Demand((TaskGroup(tasks, 1.0, memory),), **kind))


def sequential(tasks, **kind):
    """Return a job whose tasks share a node."""
    return job(tasks, sequential=True, **kind)


def placed(spec, asked, room, cores=None):
    """Return the cores that a placement gives, or None."""
    given = placement_named(spec).place(asked, cores or asked.demand.tasks, room)
    return None if given is None else [int(core) for core in given]


THREE_NODES = machine(node(processor(4)), node(processor(4)), node(processor(4)))
FAST_SECOND = machine(
    node(processor(2), processor(2)), node(processor(2, clock=2.0), processor(2, clock=3.0))
)
FAST_HALVES = machine(*[node(processor(2), processor(2, clock=2.0))] * 3)


def test_the_first_node_that_holds_a_sequential_job_takes_it():
    """First-fit skips a node with too few idle cores, and takes the first cores of the next."""
    room = FixedRoom.of(THREE_NODES, busy=[1, 2, 5])
    assert placed("first-fit", sequential(2), room) == [0, 3]
    assert placed("first-fit", sequential(3), room) == [4, 6, 7]
    assert placed("first-fit", sequential(4), room) == [8, 9, 10, 11]


def test_a_sequential_job_never_straddles_nodes():
    """Enough idle cores in two nodes are not enough."""
    assert placed("first-fit", sequential(4), FixedRoom.of(THREE_NODES, busy=[0, 4, 8])) is None


def test_best_fit_takes_the_fullest_node_and_worst_fit_the_emptiest():
    """Of the nodes that hold the job, by their idle cores; ties by the order."""
    room = FixedRoom.of(THREE_NODES, busy=[0, 4, 5])
    assert placed("best-fit", sequential(2), room) == [6, 7]
    assert placed("best-fit", sequential(3), room) == [1, 2, 3]
    assert placed("worst-fit", sequential(2), room) == [8, 9]
    even = FixedRoom.of(THREE_NODES)
    assert placed("best-fit", sequential(2), even) == placed("worst-fit", sequential(2), even) == [0, 1]


def test_a_parallel_job_takes_the_first_cores_wherever_they_are():
    """First-fit fills what is idle in order; best-fit and worst-fit node by node."""
    room = FixedRoom.of(THREE_NODES, busy=[0, 4, 5])
    assert placed("first-fit", job(5), room) == [1, 2, 3, 6, 7]
    assert placed("best-fit", job(5), room) == [6, 7, 1, 2, 3]
    assert placed("worst-fit", job(5), room) == [8, 9, 10, 11, 1]
    assert placed("first-fit", job(10), room) is None


def test_first_fit_follows_the_resource_order_across_nodes():
    """The fast cores of all nodes come before the slow ones of any; one node is filled in the order only."""
    room = FixedRoom.of(FAST_HALVES, busy=[3])
    assert placed("high-gigaflops", job(7), room) == [2, 6, 7, 10, 11, 0, 1]
    assert placed("high-gigaflops", sequential(3), room) == [2, 0, 1]
    assert placed("high-gigaflops", sequential(4), room) == [6, 7, 4, 5]
    assert placed("worst-fit:high-gigaflops", job(5), room) == [6, 7, 4, 5, 10]


def test_the_node_of_a_sequential_job_is_that_of_the_first_core_in_the_order():
    """Where the first node has lost its fast cores its place is that of its slow ones."""
    room = FixedRoom.of(FAST_HALVES, busy=[2, 3])
    assert placed("high-gigaflops", sequential(2), room) == [6, 7]
    assert placed("best-fit:high-gigaflops", sequential(2), room) == [0, 1]


def test_memory_limits_what_a_node_gives():
    """Each task takes the memory of the largest one; a node gives no more tasks than that allows."""
    room = replace(FixedRoom.of(THREE_NODES), memory=np.array([10.0, 40.0, 64.0]))
    assert placed("first-fit", sequential(2, memory=10.0), room) == [4, 5]
    assert placed("first-fit", job(6, memory=10.0), room) == [0, 4, 5, 6, 7, 8]
    assert placed("first-fit", job(13), room) is None
    assert placed("first-fit", sequential(1, memory=65.0), room) is None


def test_a_job_that_limits_its_tasks_per_node_is_spread():
    """No node gives more than that, under any search."""
    asked = job(5, tasks_per_node=2)
    assert placed("first-fit", asked, FixedRoom.of(THREE_NODES)) == [0, 1, 4, 5, 8]
    assert placed("worst-fit", asked, FixedRoom.of(THREE_NODES, busy=[0])) == [4, 5, 8, 9, 1]
    assert placed("high-gigaflops", job(4, tasks_per_node=2), FixedRoom.of(FAST_HALVES)) == [2, 3, 6, 7]
    assert placed("first-fit", job(7, tasks_per_node=2), FixedRoom.of(THREE_NODES)) is None


def test_a_job_that_names_nodes_has_equal_shares():
    """The first nodes that can hold a share rounded up; the first of them have one task more."""
    room = FixedRoom.of(THREE_NODES, busy=[0, 1, 2])
    assert placed("first-fit", job(5, nodes=2), room) == [4, 5, 6, 8, 9]
    assert placed("first-fit", job(2, nodes=2), room) == [3, 4]
    assert placed("worst-fit", job(2, nodes=2), room) == [4, 8]
    assert placed("first-fit", job(5, nodes=3), room) is None


def test_fewer_cores_than_tasks_may_be_asked_for():
    """Where tasks share cores, so many cores are given as were asked for."""
    assert placed("first-fit", sequential(4), FixedRoom.of(THREE_NODES, busy=[0, 1]), 2) == [2, 3]
    assert placed("first-fit", job(12), FixedRoom.of(THREE_NODES), 5) == [0, 1, 2, 3, 4]


def test_nodes_that_sleep_come_last():
    """Under every search and order they are taken only after those that are on."""
    room = replace(FixedRoom.of(THREE_NODES), asleep=np.array([True, False, False]))
    for spec in ("first-fit", "best-fit", "worst-fit", "high-memory", "high-cores"):
        assert placed(spec, sequential(4), room) == [4, 5, 6, 7]
        assert placed(spec, job(9), room)[-1] == 0
        assert placed(spec, job(3, nodes=3), room) == [4, 8, 0]


def test_cores_of_a_later_time_count_as_many_as_the_room_gives():
    """A room that names more cores than it gives has no more taken of it, and the first of them."""
    room = replace(FixedRoom.of(THREE_NODES), cores=np.array([1, 4, 2]))
    assert placed("first-fit", sequential(2), room) == [4, 5]
    assert placed("first-fit", job(7), room) == [0, 4, 5, 6, 7, 8, 9]
    assert placed("best-fit", sequential(2), room) == [8, 9]


def test_high_gigaflops_takes_the_fastest():
    """Clock times operations per cycle, the highest first."""
    room = FixedRoom.of(FAST_SECOND)
    assert placed("high-gigaflops", job(5), room) == [6, 7, 4, 5, 0]
    assert placed("best-fit:high-gigaflops", sequential(1), room) == [6]


def test_high_and_low_cores_go_by_the_processors_idle_cores():
    """As they are before the job is placed; ties by core number."""
    room = FixedRoom.of(FAST_SECOND, busy=[0, 6])
    assert placed("high-cores", job(6), room) == [2, 3, 4, 5, 1, 7]
    assert placed("low-cores", job(6), room) == [1, 7, 2, 3, 4, 5]
    assert placed("high-cores", sequential(3), room) == [2, 3, 1]


def test_high_memory_goes_by_what_a_node_holds_at_most():
    """The capacity counts, not what is free of it; memory without limit is the most."""
    nodes = machine(node(processor(1)), node(processor(1), memory=128.0), node(processor(1), memory=np.inf))
    room = replace(FixedRoom.of(nodes), memory=np.array([64.0, 1.0, 2.0]))
    assert placed("high-memory", job(3), room) == [2, 1, 0]
    assert placed("high-memory", sequential(1, memory=4.0), FixedRoom.of(nodes)) == [2]


def test_high_memory_bandwidth_goes_by_the_processor():
    """The processor with the most bytes a second to memory first."""
    slow, fast = processor(1, memory_bandwidth=1e9), processor(1, memory_bandwidth=2e9)
    room = FixedRoom.of(machine(node(slow, fast), node(fast, slow)))
    assert placed("high-memory-bandwidth", job(4), room) == [1, 2, 0, 3]


def test_low_power_counts_a_core_and_its_share_of_the_processor():
    """A core of 3 W that shares 4 W among four is below one of 2.5 W with 4 W to itself."""
    shared, alone = processor(4, dynamic=3.0, static_power=4.0), processor(1, dynamic=2.5, static_power=4.0)
    assert placed("low-power", job(5), FixedRoom.of(machine(node(alone), node(shared)))) == [1, 2, 3, 4, 0]


def test_energy_is_the_estimate_of_the_energy_aware_manager():
    """The faster core takes less time, and a node in use shares its static power among more jobs."""
    slow = node(processor(2, clock=1.0, dynamic=1.0, static_power=4.0))
    fast = node(processor(2, clock=2.0, dynamic=3.0, static_power=4.0))
    hardware = machine(slow, fast)
    # One task of 10 s on the slowest: 10 (1 + 4) = 50 J there, 5 (3 + 4) = 35 J on the fast one.
    assert placed("energy", job(1), FixedRoom.of(hardware)) == [2]
    # With a job there already the slow node takes 10 (1 + 4 / 2) = 30 J.
    assert placed("energy", job(1), FixedRoom.of(hardware, busy=[0])) == [1]
    # In J s the fast one is still ahead: 30 x 10 against 35 x 5.
    assert placed("edp", job(1), FixedRoom.of(hardware, busy=[0])) == [2]


def test_random_belongs_to_the_job_and_the_seed():
    """The same job finds the same cores; seeds differ; the cores of a sequential job share a node."""
    draws = [tuple(placed("random", job(3), FixedRoom.of(THREE_NODES, seed=seed))) for seed in range(20)]
    assert draws[3] == tuple(placed("random", job(3), FixedRoom.of(THREE_NODES, seed=3)))
    assert len(set(draws)) > 10
    nodes = {placed("random", sequential(3), FixedRoom.of(THREE_NODES, seed=s))[0] // 4 for s in range(20)}
    assert nodes == {0, 1, 2}


def test_ranks_are_those_of_the_machine_alone():
    """An order by what a core is has ranks; one by what runs has none."""
    assert placement_named("high-gigaflops").static_ranks(FAST_SECOND).tolist() == [4, 5, 6, 7, 2, 3, 0, 1]
    assert placement_named("best-fit").static_ranks(THREE_NODES).tolist() == list(range(12))
    assert placement_named("high-cores").static_ranks(THREE_NODES) is None


def test_an_unknown_search_is_refused():
    """A search by another name says which there are."""
    with pytest.raises(UnknownNameError, match="no node search is named 'next-fit'"):
        NodeSearch("next-fit")
