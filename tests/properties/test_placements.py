"""Placements: a job is placed if and only if it can be, as the slow definition says, and never beyond."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon.model import Cluster, Core, Demand, Hardware, Job, Node, Processor, TaskGroup
from echelon.model.machines.capacity import capacity, enough, per_node
from echelon.policies import FITS, RESOURCE_ORDERS, NodeSearch, placement
from echelon.testing.rooms import FixedRoom

CORES = st.builds(Core, st.sampled_from((1.0, 2.0)), st.just(1.0), st.sampled_from((1.0, 3.0)))
PROCESSORS = st.builds(
    Processor,
    st.lists(CORES, min_size=1, max_size=4).map(tuple),
    memory_bandwidth=st.sampled_from((1.0, 2.0)),
    static_power=st.sampled_from((0.0, 4.0)),
)
NODES = st.builds(
    Node,
    st.lists(PROCESSORS, min_size=1, max_size=2).map(tuple),
    memory=st.sampled_from((4.0, 8.0, np.inf)),
    power=st.sampled_from((0.0, 2.0)),
)


@st.composite
def machines(draw):
    """Return a strategy for machines: unequal nodes, or copies of one."""
    if draw(st.booleans()):
        return Hardware((Cluster((draw(NODES),) * draw(st.integers(1, 5))),))
    return Hardware((Cluster(tuple(draw(st.lists(NODES, min_size=1, max_size=5)))),))


@st.composite
def rooms(draw):
    """Return a strategy for rooms: cores held, some promised, memory taken, nodes asleep."""
    hardware = draw(machines())
    nodes = len(hardware.nodes)
    busy = draw(st.lists(st.integers(0, hardware.cores - 1), unique=True))
    room = FixedRoom.of(hardware, busy, seed=draw(st.integers(0, 3)))
    promised = draw(st.lists(st.integers(0, 2), min_size=nodes, max_size=nodes))
    return FixedRoom(
        hardware,
        room.idle_cores,
        np.maximum(room.cores - promised, 0),
        np.minimum(hardware.node_memory, draw(st.sampled_from((2.0, 8.0, np.inf)))),
        np.array(draw(st.lists(st.booleans(), min_size=nodes, max_size=nodes))),
        np.array(draw(st.lists(st.integers(0, 2), min_size=nodes, max_size=nodes))),
        room.seed,
    )


@st.composite
def jobs(draw):
    """Return a strategy for jobs of every kind."""
    groups = draw(
        st.lists(st.tuples(st.integers(1, 4), st.sampled_from((0.0, 1.0, 3.0))), min_size=1, max_size=2)
    )
    kind = draw(
        st.sampled_from(({}, {"sequential": True}, {"nodes": 1}, {"nodes": 2}, {"tasks_per_node": 2}))
    )
    demand = Demand(tuple(TaskGroup(tasks, 1.0, memory) for tasks, memory in groups), **kind)
    return Job(draw(st.integers(0, 5)), 1, 0.0, demand.tasks, 10.0, demand=demand)


@placement("by-number", source="none")
def by_number(core, job):
    """Odd cores first, those of crowded nodes before others."""
    return -(core.number % 2) - core.running / 8


@placement("by-room", source="none")
def by_room(core, job):
    """Cores of processors with many idle cores first."""
    return -core.idle_in_processor


ORDERS = [*(kind() for kind in RESOURCE_ORDERS), by_number, by_room]


def cores_of(ranking):
    """Return all cores of a ranking in turn."""
    runs = zip(ranking.first.tolist(), ranking.stop.tolist(), strict=True)
    return [core for first, stop in runs for core in range(first, stop)]


def by_definition(search, job, cores, room):
    """Return what `search` means, core by core."""
    demand, hardware = job.demand, room.hardware
    holds = capacity(room.cores, room.memory, demand)
    if not enough(holds, demand, cores):
        return None
    place = {core: rank for rank, core in enumerate(cores_of(search.order.ranking(job, room)))}
    idle = [core for node in range(len(hardware.nodes)) for core in room.idle(node)]
    node_of = {core: int(hardware.node_of_core[core]) for core in idle}
    in_order = sorted(
        (core for core in idle if holds[node_of[core]] > 0),
        key=lambda core: (room.asleep[node_of[core]], place[core]),
    )
    sign = {"first-fit": 0, "best-fit": 1, "worst-fit": -1}[search.fit]
    nodes = sorted(
        dict.fromkeys(node_of[core] for core in in_order),
        key=lambda node: (room.asleep[node], sign * room.cores[node]),
    )
    mine = {node: [core for core in in_order if node_of[core] == node] for node in nodes}
    if demand.sequential:
        return next(mine[node] for node in nodes if holds[node] >= cores)[:cores]
    if demand.nodes:
        chosen = [node for node in nodes if holds[node] >= per_node(demand, cores)][: demand.nodes]
        sizes = [cores // demand.nodes + (k < cores % demand.nodes) for k in range(demand.nodes)]
        return [core for node, size in zip(chosen, sizes, strict=True) for core in mine[node][:size]]
    most = {node: min(int(holds[node]), demand.tasks_per_node or cores) for node in nodes}
    if sign:
        return [core for node in nodes for core in mine[node][: most[node]]][:cores]
    taken = []
    for core in in_order:
        if most[node_of[core]] and len(taken) < cores:
            most[node_of[core]] -= 1
            taken.append(core)
    return taken


@pytest.mark.parametrize("order", ORDERS, ids=lambda order: order.name)
@examples(40)
@given(room=rooms(), job=jobs(), fit=st.sampled_from(FITS), part=st.floats(0.1, 1.0))
def test_the_search_by_nodes_is_the_one_by_cores(order, room, job, fit, part):
    """What is found node by node is what sorting every idle core would find, for any kind of job."""
    cores = max(1, int(part * job.demand.tasks))
    search = NodeSearch(fit, order)
    placed = search.place(job, cores, room)
    expected = by_definition(search, job, cores, room)
    assert (None if placed is None else [int(core) for core in placed]) == expected


@given(room=rooms(), job=jobs(), fit=st.sampled_from(FITS), order=st.sampled_from(ORDERS))
def test_a_job_is_placed_whenever_it_can_be_and_never_beyond(room, job, fit, order):
    """None exactly where the capacity is not enough; else idle cores, as many as asked, within each node."""
    demand, tasks = job.demand, job.demand.tasks
    holds = capacity(room.cores, room.memory, demand)
    placed = NodeSearch(fit, order).place(job, tasks, room)
    assert (placed is not None) == enough(holds, demand, tasks)
    if placed is None:
        return
    nodes = room.hardware.node_of_core[np.asarray(placed, dtype=np.int64)]
    assert len(set(placed)) == len(placed) == tasks
    assert all(core in room.idle(int(node)) for core, node in zip(placed, nodes, strict=True))
    used = np.bincount(nodes, minlength=len(room.cores))
    assert (used <= holds).all()
    if demand.sequential:
        assert np.count_nonzero(used) == 1
    if demand.nodes:
        assert used.max() - used[used > 0].min() <= 1
        assert np.count_nonzero(used) == min(demand.nodes, tasks)
    if demand.tasks_per_node:
        assert used.max() <= demand.tasks_per_node


@pytest.mark.parametrize("kind", RESOURCE_ORDERS, ids=lambda kind: kind.name)
@examples(20)
@given(room=rooms(), job=jobs())
def test_runs_and_ranks_are_those_of_every_core_alone(kind, room, job):
    """Keys of runs sorted, and ranks worked out once, are the keys of all cores sorted, ties by number."""
    order, every = kind(), np.arange(room.hardware.cores)
    expected = np.argsort(order.keys(job, room, every), kind="stable").tolist()
    idle = {core for node in np.flatnonzero(room.cores).tolist() for core in room.idle(node)}
    ranked = [core for core in cores_of(order.ranking(job, room)) if core in idle]
    assert ranked == [core for core in expected if core in idle]
    ranks = order.ranks(room.hardware)
    if ranks is not None:
        assert np.argsort(ranks).tolist() == expected
