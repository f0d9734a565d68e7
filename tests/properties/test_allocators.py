"""What holds for every allocator by topology, whatever the network and the room."""

from __future__ import annotations

from dataclasses import replace
from itertools import combinations, product

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from budgets import examples
from echelon import simulate
from echelon.model import Cluster, Core, Demand, Demands, Hardware, Job, Node, Processor, TaskGroup, Workload
from echelon.model.machines.capacity import capacity, enough, per_node
from echelon.model.topology import Dragonfly, FatTree, Lattice, Mesh, Star, Torus, Tree
from echelon.policies import placement_named
from echelon.policies.placement.network.linear import shortest_stretch
from echelon.policies.placement.network.mbs import in_blocks
from echelon.testing.rooms import FixedRoom

sizes = st.lists(st.integers(1, 4), min_size=1, max_size=3).map(tuple)
lattices = st.one_of(st.builds(Mesh, sizes), st.builds(Torus, sizes))
hierarchies = st.one_of(
    st.builds(Star, st.integers(1, 9)),
    st.builds(Tree, sizes),
    st.just(FatTree(4)),
    st.builds(Dragonfly, st.integers(1, 5), st.integers(1, 3), st.integers(1, 2)),
)
FITS = ("first", "best", "sum-of-squares", "free-list")
ON_LATTICES = [f"linear:curve={c}:fit={f}" for c, f in product(("row-major", "snake", "hilbert"), FITS)]
ON_LATTICES += ["nearest:rule=mm", "nearest:rule=gen-alg", "nearest:rule=mc1x1", "mbs", "scatter:by=node"]
ON_HIERARCHIES = [f"scatter:by={part}" for part in ("node", "switch", "group")]
ON_HIERARCHIES += ["compact", "nearest:rule=gen-alg", "linear:curve=row-major"]


@st.composite
def rooms(draw):
    """Return a room of a machine in some topology, with nodes missing, unequal, half full or asleep."""
    topology = draw(lattices | hierarchies)
    count = draw(st.integers(max(1, topology.nodes - 3), topology.nodes))
    cores = draw(st.lists(st.integers(1, 4), min_size=count, max_size=count))
    nodes = tuple(Node((Processor((Core(1.0),) * n),), memory=float(2 * n)) for n in cores)
    hardware = Hardware((Cluster(nodes),), topology)
    busy = draw(st.lists(st.integers(0, hardware.cores - 1), max_size=hardware.cores, unique=True))
    room = FixedRoom.of(hardware, busy, seed=draw(st.integers(0, 3)))
    asleep = np.array(draw(st.lists(st.booleans(), min_size=count, max_size=count)))
    return FixedRoom(
        hardware, room.idle_cores, room.cores, room.memory, asleep & (room.running == 0), room.running
    )


@st.composite
def jobs(draw):
    """Return a job of any kind."""
    tasks = draw(st.integers(1, 12))
    memory = draw(st.sampled_from((0.0, 1.0, 3.0)))
    kind = draw(st.sampled_from(("mpi", "sequential", "nodes", "tasks_per_node")))
    demand = Demand(
        (TaskGroup(tasks, 1.0, memory),),
        sequential=kind == "sequential",
        nodes=draw(st.integers(1, tasks)) if kind == "nodes" else 0,
        tasks_per_node=draw(st.integers(1, 3)) if kind == "tasks_per_node" else 0,
    )
    return Job(0, 1, 0.0, tasks, 10.0, demand=demand)


@given(rooms(), jobs(), st.data())
def test_a_job_is_placed_when_it_can_be_and_as_it_must_be(room, job, data):
    """No allocator refuses a job that the room holds somehow, or takes what the room does not give."""
    on_lattice = isinstance(room.hardware.topology, Lattice)
    spec = data.draw(st.sampled_from(ON_LATTICES if on_lattice else ON_HIERARCHIES))
    demand, tasks = job.demand, job.demand.tasks
    holds = capacity(room.cores, room.memory, demand)
    given_cores = placement_named(spec).place(job, tasks, room)
    assert (given_cores is not None) == enough(holds, demand, tasks)
    if given_cores is None:
        return
    assert len(set(given_cores)) == len(given_cores) == tasks
    in_node = np.bincount(room.hardware.node_of_core[list(given_cores)], minlength=len(holds))
    assert (in_node <= holds).all()
    assert all(core in room.idle(room.hardware.node_of_core[core]) for core in given_cores)
    used = in_node[in_node > 0]
    if demand.sequential:
        assert len(used) == 1
    if demand.nodes:
        assert len(used) == demand.nodes
        assert used.max() == per_node(demand, tasks)
        assert used.max() - used.min() <= 1
    if demand.tasks_per_node:
        assert used.max() <= demand.tasks_per_node
    awake = np.where(room.asleep, 0, holds)
    if enough(awake, demand, tasks):
        assert not in_node[room.asleep].any()


@given(st.lists(st.tuples(st.integers(1, 4), st.integers(1, 3)), min_size=1, max_size=9), st.data())
def test_the_shortest_stretch_is_the_shortest(steps, data):
    """No stretch of the line whose nodes are enough is shorter, and none as short begins earlier."""
    position = np.cumsum([gap for gap, _ in steps])
    weights = np.array([weight for _, weight in steps])
    need = data.draw(st.integers(1, int(weights.sum())))
    spans = {
        first: min(
            position[last] - position[first]
            for last in range(first, len(steps))
            if weights[first : last + 1].sum() >= need
        )
        for first in range(len(steps))
        if weights[first:].sum() >= need
    }
    assert shortest_stretch(position, weights, need) == min(spans, key=lambda first: (spans[first], first))


@given(lattices, st.data())
def test_nearest_is_as_good_as_its_definition(lattice, data):
    """The sum of hops is the least over all centers, each asked for its nearest nodes."""
    free = sorted(data.draw(st.sets(st.integers(0, lattice.nodes - 1), min_size=1)))
    size = data.draw(st.integers(1, len(free)))
    room = _room_of(lattice, free)
    for rule in ("mm", "gen-alg"):
        centers = free
        if rule == "mm":
            columns = [sorted({int(value) for value in column}) for column in lattice.place[free].T]
            centers = [int(np.dot(point[::-1], lattice.strides)) for point in product(*reversed(columns))]
        best = min(_total(lattice, _around(lattice, center, free)[:size]) for center in centers)
        chosen = placement_named(f"nearest:rule={rule}").place(_whole_nodes(size), size, room)
        assert _total(lattice, chosen) == best


@given(st.sampled_from((Mesh((7,)), Mesh((3, 3)), Mesh((2, 2, 2)))), st.data())
def test_bounds_of_nearest(mesh, data):
    """On whole nodes of a mesh mm is at most 2 - 1/2d times the best choice of all, gen-alg twice."""
    free = sorted(data.draw(st.sets(st.integers(0, mesh.nodes - 1), min_size=3)))
    size = data.draw(st.integers(2, len(free)))
    best = min(_total(mesh, chosen) for chosen in combinations(free, size))
    for rule, bound in (("mm", 2 - 1 / (2 * len(mesh.shape))), ("gen-alg", 2)):
        chosen = placement_named(f"nearest:rule={rule}").place(_whole_nodes(size), size, _room_of(mesh, free))
        assert best <= _total(mesh, chosen) <= bound * best


def _around(lattice, center, free):
    return sorted(free, key=lambda node: (lattice.hops(center, node), node))


def _total(lattice, nodes):
    return sum(lattice.hops(a, b) for a, b in combinations(nodes, 2))


def _room_of(lattice, free):
    hardware = Hardware((Cluster((Node((Processor((Core(1.0),)),)),) * lattice.nodes),), lattice)
    return FixedRoom.of(hardware, [node for node in range(lattice.nodes) if node not in free])


def _whole_nodes(size):
    return Job(0, 1, 0.0, size, 10.0, demand=Demand((TaskGroup(size, 1.0),)))


@given(lattices, st.data())
def test_buddies_are_as_many_and_as_free_as_asked(lattice, data):
    """So many different free nodes are taken; a request of a whole free aligned block takes one block."""
    free = sorted(data.draw(st.sets(st.integers(0, lattice.nodes - 1), min_size=1)))
    count = data.draw(st.integers(1, len(free)))
    chosen = in_blocks(lattice, np.array(free), count)
    assert len(set(chosen)) == len(chosen) == count
    assert set(chosen) <= set(free)


@given(st.sampled_from(((4, 4), (8, 8), (4, 4, 4), (6, 5), (8,))), st.data())
def test_a_free_block_of_the_size_asked_for_is_taken_whole(shape, data):
    """Where a block of 2^i a side is free, a request for so many nodes is one such block."""
    mesh = Mesh(shape)
    order = data.draw(st.integers(0, min(shape).bit_length() - 1))
    side = 2**order
    corner = [data.draw(st.integers(0, size // side - 1)) * side for size in shape]
    block = [
        int(np.dot(np.add(corner, steps), mesh.strides)) for steps in product(range(side), repeat=len(shape))
    ]
    others = data.draw(st.sets(st.integers(0, mesh.nodes - 1)))
    chosen = np.array(in_blocks(mesh, np.array(sorted({*block, *others})), side ** len(shape)))
    place = mesh.place[chosen]
    assert (place.min(axis=0) % side == 0).all()
    assert (np.ptp(place, axis=0) == side - 1).all()


@st.composite
def demands(draw, cores):
    """Return the demands of some jobs that an empty machine of 8 nodes with so many cores holds."""
    tasks = draw(st.integers(1, 8))
    kind = draw(st.sampled_from(("mpi", "sequential", "nodes"))) if tasks <= cores else "mpi"
    return Demand((TaskGroup(tasks, 10.0),), sequential=kind == "sequential", nodes=int(kind == "nodes"))


@examples(20)
@given(
    st.sampled_from((Mesh((4, 2)), Torus((2, 2, 2)), Tree((2, 4)), Dragonfly(2, 2, 2))),
    st.lists(demands(3), min_size=1, max_size=12),
    st.sampled_from(("easy", "conservative", "first-fit")),
    st.data(),
)
def test_runs_with_allocators_end(topology, asked, policy, data):
    """Under every backfilling the engine takes what an allocator answers, and all jobs run."""
    spec = data.draw(st.sampled_from(ON_LATTICES if isinstance(topology, Lattice) else ON_HIERARCHIES))
    result = simulate(_jobs(asked), platform=_machine(topology, 3), policy=policy, place=spec)
    assert len(result.jobs) == len(asked)
    assert "mean_nodes" in result.metrics


@examples(20)
@given(st.lists(st.integers(1, 8), min_size=1, max_size=12), st.sampled_from(("fcfs", "first-fit", "easy")))
def test_on_whole_equal_nodes_the_allocator_changes_no_start(sizes, policy):
    """With one core a node, no contention and no promise of nodes, only where jobs are differs."""
    jobs = _jobs([Demand((TaskGroup(size, 10.0),)) for size in sizes])
    starts = [
        simulate(jobs, platform=_machine(Torus((4, 2)), 1), policy=policy, place=spec).jobs["start_time"]
        for spec in ("first-fit", "linear", "nearest", "mbs", "scatter:by=node")
    ]
    assert all(found.to_list() == starts[0].to_list() for found in starts)


def _jobs(asked):
    count = len(asked)
    workload = Workload.from_columns(
        submit_time=[3 * k for k in range(count)],
        run_time=[10] * count,
        requested_time=[15] * count,
        processors=[demand.tasks for demand in asked],
    )
    return replace(workload, demands=Demands.of(asked))


def _machine(topology, cores):
    return Hardware((Cluster((Node((Processor((Core(1.0),) * cores),)),) * 8),), topology)
