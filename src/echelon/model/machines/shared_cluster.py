"""SharedCluster: a cluster of workstations that have owners, and what the owners allow."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import read_only
from echelon.model.machines.hardware import Cluster, Hardware
from echelon.model.machines.node import Core, Node, Processor
from echelon.quantities import is_number, is_whole

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


def _is_between(value: object, least: float, most: float, *, above: bool = False) -> bool:
    if not is_number(value):
        return False
    number = float(value)
    return (least < number if above else least <= number) and number <= most


def _is_whole(value: object) -> bool:
    return is_whole(value) and int(value) >= 1


@dataclass(frozen=True, slots=True)
class Workstation:
    """One node that may have an owner.

    Parameters
    ----------
    power : float, default 1
        Relative power P: its compute power over that of the most powerful node, 0 < P <= 1.
    processors : int, default 1
        That tasks and the owner share, >= 1. A task uses at most one.
    memory : float, default infinity
        In bytes, > 0.
    bandwidth : float, default infinity
        Of its link to the cluster's switch, in bytes a second, > 0.
    name : str, default ``""``
        Of its type.

    Raises
    ------
    InputError
        If a number is out of range.
    """

    power: float = 1.0
    processors: int = 1
    memory: float = math.inf
    bandwidth: float = math.inf
    name: str = ""

    def __post_init__(self) -> None:
        where = f"node {self.name!r}" if self.name else "node"
        if not _is_between(self.power, 0, 1, above=True):
            raise InputError(f"must be above 0 and at most 1, got {self.power!r}", field=f"{where}, power")
        if not _is_whole(self.processors):
            raise InputError(
                f"must be a whole number >= 1, got {self.processors!r}", field=f"{where}, processors"
            )
        for name in ("memory", "bandwidth"):
            if not _is_between(value := getattr(self, name), 0, math.inf, above=True):
                raise InputError(f"must be above 0, got {value!r}", field=f"{where}, {name}")


@dataclass(frozen=True, slots=True)
class SocialContract:
    """Limits on the use of each node of a cluster by parallel tasks; the rest is kept for its owner.

    Parameters
    ----------
    mpl : int, default 1
        Multiprogramming level: most parallel tasks in a node at once, >= 1. 1: nodes are not shared.
    memory : float, default 1
        Most of the node's memory that parallel tasks may hold together, as a share, above 0 to 1.
    bandwidth : float, default infinity
        Most of the node's link that parallel tasks may ask for together, as a share, > 0; infinity: no one
        looks, so that links may saturate.
    cpu : float, default 1
        Most of the node's processors that parallel tasks get while its owner is active, as a share, above 0
        to 1. Without the owner they may have all.

    Raises
    ------
    InputError
        If a number is out of range.

    Notes
    -----
    **Source**: M-CISNE thesis, section 2.5.2, after Arpaci et al. (the social contract).
    """

    mpl: int = 1
    memory: float = 1.0
    bandwidth: float = math.inf
    cpu: float = 1.0

    def __post_init__(self) -> None:
        if not _is_whole(self.mpl):
            raise InputError(f"must be a whole number >= 1, got {self.mpl!r}", field="contract, mpl")
        for name, most in (("memory", 1.0), ("bandwidth", math.inf), ("cpu", 1.0)):
            if not _is_between(value := getattr(self, name), 0, most, above=True):
                upto = f" and at most {most:g}" if math.isfinite(most) else ""
                raise InputError(f"must be above 0{upto}, got {value!r}", field=f"contract, {name}")


@dataclass(frozen=True)
class SharedCluster:
    """Nodes under one contract, joined by a switch, with one dedicated link to the other clusters.

    Parameters
    ----------
    nodes : tuple of Workstation
        At least one; equal nodes may be one object many times.
    contract : SocialContract, default one task a node
        What parallel tasks may use.
    link : float, default infinity
        Capacity of the link from its switch to the central switch, in bytes a second, > 0.
    link_traffic : float, default 0
        Local traffic on that link, in bytes a second, 0 to below the capacity.
    software : frozenset of str, default ``mpi`` and ``pvm``
        What jobs may require: message-passing libraries, operating systems ...

    Raises
    ------
    InputError
        If there is no node, or a number is out of range.
    """

    nodes: tuple[Workstation, ...]
    contract: SocialContract = SocialContract()
    link: float = math.inf
    link_traffic: float = 0.0
    software: frozenset[str] = frozenset({"mpi", "pvm"})

    def __post_init__(self) -> None:
        if not self.nodes:
            raise InputError("needs at least one node, got none", field="shared cluster")
        if not _is_between(self.link, 0, math.inf, above=True):
            raise InputError(f"must be above 0, got {self.link!r}", field="shared cluster, link")
        if not (_is_between(self.link_traffic, 0, math.inf) and self.link_traffic < self.link):
            raise InputError(
                f"must be at least 0 and below the capacity of the link, got {self.link_traffic!r}",
                field="shared cluster, link_traffic",
            )

    def __len__(self) -> int:
        """Return the number of nodes."""
        return len(self.nodes)

    @property
    def slots(self) -> int:
        """Parallel tasks that may run at once: nodes times the multiprogramming level."""
        return len(self.nodes) * self.contract.mpl

    @property
    def largest_job(self) -> int:
        """Largest job it can hold, in processors: one task in each node."""
        return len(self.nodes)

    @cached_property
    def power(self) -> FloatColumn:
        """Relative power of each node, shape (n_nodes,)."""
        return _freeze([node.power for node in self.nodes])

    @cached_property
    def processors(self) -> IntColumn:
        """Processors of each node, shape (n_nodes,)."""
        return read_only(np.array([node.processors for node in self.nodes], dtype=np.int64))

    @cached_property
    def memory(self) -> FloatColumn:
        """Memory of each node, in bytes, shape (n_nodes,)."""
        return _freeze([node.memory for node in self.nodes])

    @cached_property
    def bandwidth(self) -> FloatColumn:
        """Capacity of each node's link, in bytes a second, shape (n_nodes,)."""
        return _freeze([node.bandwidth for node in self.nodes])

    @cached_property
    def slot_hardware(self) -> Hardware:
        """The same cluster with a core for each task a node may hold, and the memory tasks may hold there.

        Local schedulers see this: a job takes one core in each of its nodes.
        """
        node_of: dict[Workstation, Node] = {}
        for node in self.nodes:
            if node not in node_of:
                cores = (Core(1e9),) * self.contract.mpl
                node_of[node] = Node((Processor(cores),), memory=node.memory * self.contract.memory)
        return Hardware((Cluster(tuple(node_of[node] for node in self.nodes)),))


def _freeze(values: list[float]) -> FloatColumn:
    return read_only(np.array(values, dtype=np.float64))
