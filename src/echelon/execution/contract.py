"""The contract of contention models: their inputs, and the factors by which tasks slow down."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Literal, NamedTuple, Protocol, runtime_checkable

from echelon.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from echelon.model import Hardware, Node, Processor


class Load(NamedTuple):
    """Equal tasks that run now in one processor, or in one node.

    Attributes
    ----------
    tasks : float
        Number of tasks, > 0; a task that shares its core counts by its share.
    bandwidth : float
        Memory traffic of each task without contention, in bytes a second, >= 0.
    """

    tasks: float
    bandwidth: float


@runtime_checkable
class MemoryModel(Protocol):
    """A model of memory contention: how tasks slow each other down at memory."""

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
            If it does; the message names the types of processors or nodes.
        """

    def factors(self, loads: Sequence[Load], part: Processor | Node) -> Sequence[float]:
        """Return for each load the factor of its tasks' speed, 0 < factor <= 1, all running in `part`."""


class Traffic(NamedTuple):
    """The traffic of one running MPI job with tasks in several nodes.

    Attributes
    ----------
    tasks : mapping of int to int
        Number of tasks in each of its nodes, by the node's number; at least two nodes.
    volume : float
        Bytes exchanged between each pair of its tasks in different nodes, >= 0.
    time : float
        Time of its longest task without contention, in seconds, over which the volume is spread.
    """

    tasks: Mapping[int, int]
    volume: float
    time: float


@runtime_checkable
class NetworkModel(Protocol):
    """A model of network contention: how jobs slow each other down at the network."""

    @property
    def name(self) -> str:
        """Name in messages and tables."""

    @property
    def local(self) -> bool:
        """Whether the factors in a node depend only on the jobs with tasks in that node."""

    def check(self, hardware: Hardware) -> None:
        """Refuse hardware that lacks what the model needs; raises InputError."""

    def factors(self, traffic: Sequence[Traffic], hardware: Hardware) -> Sequence[Mapping[int, float]]:
        """Return for each job the factor of its communication in each of its nodes, 0 < factor <= 1.

        If the model is local, factors are correct in the nodes all of whose jobs are in the list.
        """


def refuse_types(needed: str, types: Sequence[str]) -> None:
    """Refuse hardware with types that lack what a model needs, in a sentence without its end; name them."""
    if types:
        names = ", ".join(dict.fromkeys(repr(name) if name else "one without a name" for name in types))
        raise InputError(f"{needed}; not so: {names}", field="hardware")


def volume_by_node(
    traffic: Sequence[Traffic], rate: Callable[[Traffic], float], *, pairs: bool
) -> dict[int, float]:
    """Return what all tasks of each node send: `rate` of their job, to every remote sibling if `pairs`."""
    sent: dict[int, list[float]] = defaultdict(list)
    for job in traffic:
        each, total = rate(job), sum(job.tasks.values())
        for node, tasks in job.tasks.items():
            sent[node].append(each * tasks * (total - tasks if pairs else 1))
    # fsum: the sum does not depend on the order of jobs, so neither does what is above the bandwidth.
    return {node: math.fsum(volumes) for node, volumes in sent.items()}
