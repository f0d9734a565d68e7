"""NodeAllocator: an allocator that chooses nodes by their position in the network."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.topology import Dragonfly, FatTree, Star, Tree
from echelon.policies.placement.contract import Allocator
from echelon.policies.placement.shares import Shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Hardware, Job
    from echelon.model.jobs.columns import IntColumn
    from echelon.policies.placement.contract import Room


HIERARCHIES: tuple[type, ...] = (Star, Tree, FatTree, Dragonfly)
"""The topologies in which several nodes are below one switch."""


def hierarchy(hardware: Hardware) -> tuple[IntColumn, ...]:
    """Return the switch above each node at each level, from the root down, and at last the node itself."""
    assert isinstance(hardware.topology, Star | Tree | FatTree | Dragonfly)
    count = len(hardware.nodes)
    return (*hardware.topology.place[:count].T, np.arange(count))


@dataclass(frozen=True, slots=True)
class NodeAllocator(Allocator):
    """The base of all allocators by topology.

    They never reject a job that the free nodes could hold in some way: there is no fragmentation. Several
    jobs may share a node, so nodes have weights, see `Shares`; where all nodes are given whole, the rules are
    those of the papers. Cores in a node are taken lowest first.
    """

    def place(self, job: Job, cores: int, room: Room) -> Sequence[int] | None:
        """See `echelon.policies.placement.Placement`."""
        self.check(room.hardware)
        shares = Shares.of(job, cores, room)
        return None if shares is None else shares.deal_cores(self.nodes(shares, job, room), room)

    def nodes(self, shares: Shares, job: Job, room: Room) -> IntColumn:
        """Return different nodes that satisfy `shares`, in the order in which they take tasks."""
        raise NotImplementedError

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware without a network that the allocator knows.

        Raises
        ------
        InputError
            If it has none; the message names the required and the present topology.
        """

    def _needs(self, kinds: tuple[type, ...], expected: str, hardware: Hardware) -> None:
        if not isinstance(hardware.topology, kinds):
            there = "no topology" if hardware.topology is None else f"the topology {hardware.topology.spec}"
            raise InputError(
                f"needs {expected}, but machine {hardware.name!r} has {there}", field=f"placement {self.name}"
            )
