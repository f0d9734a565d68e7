"""What a network between nodes answers."""

from __future__ import annotations

from abc import abstractmethod
from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Topology(Protocol):
    """A network of links between nodes 0 to ``nodes - 1``, with one fixed route for each pair.

    A link is directed: the way there and the way back are two. A node's own link to the network is not among
    them: its bandwidth is the node's.
    """

    @property
    def spec(self) -> str:
        """Canonical spec, ``"torus:4x4x2"``, which `echelon.model.topology.topology_named` reads back."""

    @property
    @abstractmethod
    def nodes(self) -> int:
        """Number of nodes that it can join."""

    @property
    @abstractmethod
    def links(self) -> int:
        """Directed links between switches, numbered from 0."""

    @property
    def bandwidth(self) -> FloatColumn:
        """Bytes a second of each link, shape (links,)."""

    @property
    @abstractmethod
    def place(self) -> IntColumn:
        """Where each node is, shape (nodes, d): coordinates, or switch numbers from the root down."""

    @property
    @abstractmethod
    def switch(self) -> IntColumn:
        """Number of each node's switch, shape (nodes,)."""

    @property
    @abstractmethod
    def ends(self) -> IntColumn:
        """Switches that each link goes from and to, shape (links, 2)."""

    def hops(self, a: int, b: int) -> int:
        """Return the links between nodes `a` and `b`, their own links apart; 0 for a node and itself."""

    @abstractmethod
    def distances(self, a: IntColumn, b: IntColumn) -> IntColumn:
        """Return the hops between the nodes of two arrays, whose shapes are broadcast.

        ``distances(nodes[:, None], nodes)`` is the matrix of all pairs.
        """

    @abstractmethod
    def total_hops(self, nodes: IntColumn, weights: IntColumn) -> int:
        """Return the sum of weight x weight x hops over all pairs of these nodes, each pair once.

        With the tasks in each node as weights it is the hops between all pairs of tasks. No matrix of all
        pairs is made.
        """

    def diameter(self, nodes: IntColumn) -> int:
        """Return the maximum hops between any two of these nodes, at least one."""

    @abstractmethod
    def route(self, a: int, b: int) -> tuple[int, ...]:
        """Return the links from node `a` to node `b`, in order."""
