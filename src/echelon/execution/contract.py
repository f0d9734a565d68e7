"""What models of contention are told, and what they answer: factors by which tasks slow down."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from echelon.model import Hardware, Node, Processor


class Load(NamedTuple):
    """Equal tasks that run now in one processor, or in one node.

    Attributes
    ----------
    tasks : float
        How many, > 0; a task that shares its core counts by its share.
    bandwidth : float
        Bytes a second that each would move to and from memory if nothing slowed it down, >= 0.
    """

    tasks: float
    bandwidth: float


@runtime_checkable
class MemoryModel(Protocol):
    """How tasks slow each other down at the way to memory."""

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    @property
    def scope(self) -> Literal["processor", "node"]:
        """The scope of contention: whose tasks slow each other down."""

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that lacks what the model needs.

        Raises
        ------
        InputError
            If it does: the message names the types of processors or nodes.
        """

    def factors(self, loads: Sequence[Load], part: Processor | Node) -> Sequence[float]:
        """Return for each load the factor of its tasks' speed, 0 < factor <= 1, all running in `part`."""


class Traffic(NamedTuple):
    """What one running MPI job with tasks in several nodes sends.

    Attributes
    ----------
    tasks : mapping of int to int
        Tasks in each node that has some, by the node's number; at least two nodes.
    volume : float
        Bytes exchanged between each pair of its tasks in different nodes, > 0.
    time : float
        That its longest task takes if nothing slows it down, in seconds: the volume is spread over it.
    """

    tasks: Mapping[int, int]
    volume: float
    time: float


@runtime_checkable
class NetworkModel(Protocol):
    """How jobs slow each other down at the network."""

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    @property
    def local(self) -> bool:
        """Whether the factors in a node depend on nothing but the jobs with tasks in that very node."""

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that lacks what the model needs; raises InputError."""

    def factors(self, traffic: Sequence[Traffic], hardware: Hardware) -> Sequence[Mapping[int, float]]:
        """Return for each job the factor of its communication in each of its nodes, 0 < factor <= 1.

        If the model is local, factors are right in the nodes whose every job is among those given.
        """
