"""Star: one switch that joins all nodes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar

import numpy as np

from echelon.model.machines.hardware import MOST_CORES
from echelon.model.topology.network import SPELLED, Network, check_counts

if TYPE_CHECKING:
    from echelon.model.jobs.columns import IntColumn


@dataclass(frozen=True)
class Star(Network):
    """Nodes on one switch that is never a bottleneck: only the nodes' own links are shared.

    Parameters
    ----------
    ports : int, default `MOST_CORES`
        Nodes that the switch can join, >= 1.
    link_bandwidth : float, default infinity
        Not used: there is no link between switches.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    ports: int = field(default=MOST_CORES, metadata=SPELLED)

    name: ClassVar[str] = "star"
    formula: ClassVar[str] = "star or star:NODES"

    def __post_init__(self) -> None:
        check_counts("star", {"nodes": self.ports})
        super().__post_init__()

    @property
    def spelled(self) -> str:
        """``"star"``, with the number of nodes if it is limited: ``"star:16"``."""
        return "star" if self.ports == MOST_CORES else f"star:{self.ports}"

    @property
    def nodes(self) -> int:
        """Number of nodes that it can join."""
        return self.ports

    @property
    def links(self) -> int:
        """None: there is one switch."""
        return 0

    @property
    def place(self) -> IntColumn:
        """The one switch for each node, shape (nodes, 1)."""
        return np.broadcast_to(np.int64(0), (self.ports, 1))

    @property
    def switch(self) -> IntColumn:
        """The one switch for each node, shape (nodes,)."""
        return np.broadcast_to(np.int64(0), (self.ports,))

    @property
    def ends(self) -> IntColumn:
        """Of no link, shape (0, 2)."""
        return np.zeros((0, 2), dtype=np.int64)

    def distances(self, a: IntColumn, b: IntColumn) -> IntColumn:
        """Return 0 for each pair of nodes of two arrays, whose shapes are broadcast."""
        return np.zeros(np.broadcast_shapes(np.shape(a), np.shape(b)), dtype=np.int64)

    def total_hops(self, nodes: IntColumn, weights: IntColumn) -> int:
        """Return 0."""
        return 0

    def diameter(self, nodes: IntColumn) -> int:
        """Return 0."""
        return 0

    def route(self, a: int, b: int) -> tuple[int, ...]:
        """Return no link."""
        return ()
