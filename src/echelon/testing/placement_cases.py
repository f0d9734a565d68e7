"""Small machines partly in use, and jobs of every kind to place there."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.model import Cluster, Core, Demand, Hardware, Job, Node, Processor, TaskGroup
from echelon.model.topology import topology_named
from echelon.testing.rooms import FixedRoom

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

_GIGA = 1e9
_ROOMS = 6


@dataclass(frozen=True)
class PlacementCase:
    """One problem for a placement.

    Parameters
    ----------
    name : str
        The machine and the number of its room.
    job : Job
        The job to be placed.
    cores : int
        The number of cores that it needs.
    room : FixedRoom
        The free resources.
    """

    name: str
    job: Job
    cores: int
    room: FixedRoom


def placement_cases(seed: int = 0) -> list[PlacementCase]:
    """Return problems on every small machine: empty, and partly in use in several ways.

    Parameters
    ----------
    seed : int, default 0
        Seed of the cores in use; equal seeds give equal problems.
    """
    rng = np.random.default_rng(seed)
    return [
        PlacementCase(f"{hardware.name}, room {number}", job, job.processors, room)
        for hardware in small_machines()
        for number, room in enumerate(_rooms(hardware, rng))
        for job in _jobs()
    ]


def small_machines() -> list[Hardware]:
    """Return machines of one node, of equal nodes on several networks, and of unequal nodes."""
    node, fast = Node((_processor(4),), 16 * _GIGA), Node((_processor(2), _processor(2, 3.0)), 32 * _GIGA)
    big = Node((_processor(4), _processor(4)), 64 * _GIGA)
    return [
        _machine("one node", [fast], "star"),
        _machine("a row of equal nodes", [node] * 4, "mesh:4"),
        _machine("a mesh of equal nodes", [node] * 8, "mesh:4x2"),
        _machine("a tree of unequal nodes", [fast, node, big, fast], "tree:2x2"),
        _machine("a dragonfly of nodes with unequal processors", [fast] * 6, "dragonfly:a=1:h=2:p=2"),
    ]


def _processor(cores: int, clock: float = 2.0) -> Processor:
    core = Core(clock * _GIGA, 4.0, 5.0 * clock)
    return Processor((core,) * cores, memory_bandwidth=clock * 10 * _GIGA, static_power=6.0)


def _machine(name: str, nodes: Sequence[Node], topology: str) -> Hardware:
    return Hardware((Cluster(tuple(nodes)),), topology_named(topology), name)


def _rooms(hardware: Hardware, rng: np.random.Generator) -> Iterator[FixedRoom]:
    nodes = len(hardware.nodes)
    yield FixedRoom.of(hardware)
    for seed in range(1, _ROOMS):
        busy = np.flatnonzero(rng.random(hardware.cores) < seed / _ROOMS)
        room = FixedRoom.of(hardware, busy.tolist(), seed=seed)
        yield replace(
            room,
            memory=np.floor(hardware.node_memory * rng.random(nodes)),
            asleep=(rng.random(nodes) < 0.25) & (room.running == 0),
            # Some idle cores are reserved for other jobs.
            cores=np.maximum(room.cores - rng.integers(0, 2, nodes), 0),
        )


def _jobs() -> list[Job]:
    demands = [Demand((TaskGroup(tasks, _GIGA, _GIGA),), sequential=True) for tasks in (1, 3, 4)]
    demands += [Demand((TaskGroup(tasks, _GIGA, memory),)) for tasks, memory in ((1, 0.0), (6, _GIGA))]
    demands.append(Demand((TaskGroup(2, _GIGA, _GIGA), TaskGroup(3, 2 * _GIGA, 3 * _GIGA))))
    demands += [Demand((TaskGroup(5, _GIGA),), nodes=2), Demand((TaskGroup(5, _GIGA),), tasks_per_node=2)]
    return [
        Job(position, position + 1, 0.0, demand.tasks, 60.0 * (position + 1), demand=demand)
        for position, demand in enumerate(demands)
    ]
