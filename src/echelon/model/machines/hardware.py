"""Hardware: the nodes of one machine, numbered through its clusters, and their network."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import TYPE_CHECKING
from weakref import ref

import numpy as np

from echelon.errors import InputError
from echelon.model.jobs.columns import read_only, starts_of
from echelon.quantities import tally

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.machines.node import Node, Processor
    from echelon.model.topology import Topology


MOST_CORES = 2**24
"""The largest number of cores of a node-level model."""


@dataclass(frozen=True, slots=True)
class Cluster:
    """One cluster: nodes, equal or not.

    Parameters
    ----------
    nodes : tuple of Node
        At least one; equal nodes may be one object many times.
    name : str, default ``"cluster"``
        For messages.

    Raises
    ------
    InputError
        If there is no node.
    """

    nodes: tuple[Node, ...]
    name: str = "cluster"

    def __post_init__(self) -> None:
        if not self.nodes:
            raise InputError("needs at least one node, got none", field=f"cluster {self.name!r}")


@dataclass(frozen=True, eq=False)
class Hardware:
    """All nodes of one machine, numbered through its clusters, and their network.

    Nodes, processors and cores are numbered from 0 in the order given: every core of node 0 comes before
    those of node 1. Columns are read-only and computed when first asked for.

    Parameters
    ----------
    clusters : tuple of Cluster
        At least one.
    topology : Topology, optional
        The network between the nodes; default: only the nodes' own links.
    name : str, default ``"machine"``
        Name for titles and messages.
    source : str, default ``""``
        Where its figures come from.

    Raises
    ------
    InputError
        If there is no cluster, there are more than `MOST_CORES` cores, or the topology joins fewer nodes.
    """

    clusters: tuple[Cluster, ...]
    topology: Topology | None = None
    name: str = "machine"
    source: str = ""
    nodes: tuple[Node, ...] = field(init=False, repr=False)

    def __repr__(self) -> str:
        """Return its name and sizes: a machine has too many parts to show each."""
        sizes = (len(self.nodes), "node"), (len(self.processors), "processor"), (self.cores, "core")
        return f"Hardware({self.name!r}, {', '.join(tally(*size) for size in sizes)})"

    def __eq__(self, other: object) -> bool:
        """Return whether both have the same clusters and network, whatever their names."""
        if not isinstance(other, Hardware):
            return NotImplemented
        # What is computed once a machine is looked up at every placement: by the machine itself, or again
        # and again by an equal one that was read again.
        twin = self.__dict__.get("_twin")
        if self is other or (twin is not None and twin() is other):
            return True
        equal = self.clusters == other.clusters and self.topology == other.topology
        if equal:
            self.__dict__["_twin"] = ref(other)
        return equal

    def __hash__(self) -> int:
        """Return a cheap hash, the same for equal machines."""
        return hash((len(self.clusters), len(self.nodes), self.cores))

    def __post_init__(self) -> None:
        object.__setattr__(self, "nodes", tuple(node for c in self.clusters for node in c.nodes))
        where = f"machine {self.name!r}"
        if not self.clusters:
            raise InputError("needs at least one cluster, got none", field=where)
        if self.cores > MOST_CORES:
            raise InputError(f"has {self.cores} cores, expected at most {MOST_CORES}", field=where)
        if self.topology is not None and self.topology.nodes < len(self.nodes):
            raise InputError(
                f"joins {self.topology.nodes} nodes, but there are {len(self.nodes)}",
                field=f"{where}, topology",
            )

    @cached_property
    def processors(self) -> tuple[Processor, ...]:
        """Every processor, in order."""
        return tuple(processor for node in self.nodes for processor in node.processors)

    @cached_property
    def cores(self) -> int:
        """Number of cores."""
        return sum(len(processor.cores) for node in self.nodes for processor in node.processors)

    @property
    def slots(self) -> int:
        """Processors that its scheduler counts: its cores."""
        return self.cores

    @property
    def largest_job(self) -> int:
        """Largest job it can hold, in processors: one that takes every core."""
        return self.cores

    @cached_property
    def node_of_processor(self) -> IntColumn:
        """Node of each processor, shape (n_processors,)."""
        return read_only(np.repeat(np.arange(len(self.nodes)), [len(node.processors) for node in self.nodes]))

    @cached_property
    def first_processor(self) -> IntColumn:
        """First processor of each node, and their number at last, shape (n_nodes + 1,)."""
        return read_only(starts_of([len(node.processors) for node in self.nodes]))

    @cached_property
    def first_core(self) -> IntColumn:
        """First core of each node, and their number at last, shape (n_nodes + 1,)."""
        return read_only(starts_of([node.cores for node in self.nodes]))

    @cached_property
    def first_core_of_processor(self) -> IntColumn:
        """First core of each processor, and their number at last, shape (n_processors + 1,)."""
        return read_only(starts_of([len(processor.cores) for processor in self.processors]))

    @cached_property
    def processor_of_core(self) -> IntColumn:
        """Processor of each core, shape (n_cores,)."""
        return read_only(np.repeat(np.arange(len(self.processors)), np.diff(self.first_core_of_processor)))

    @cached_property
    def node_of_core(self) -> IntColumn:
        """Node of each core, shape (n_cores,)."""
        return read_only(self.node_of_processor[self.processor_of_core])

    @cached_property
    def node_cores(self) -> IntColumn:
        """Cores of each node, shape (n_nodes,)."""
        return read_only(np.diff(self.first_core))

    @cached_property
    def node_memory(self) -> FloatColumn:
        """Memory of each node, in bytes, shape (n_nodes,)."""
        return read_only(np.array([node.memory for node in self.nodes], dtype=np.float64))

    @cached_property
    def node_bandwidth(self) -> FloatColumn:
        """Network bandwidth of each node, in bytes a second, shape (n_nodes,)."""
        return read_only(np.array([node.network_bandwidth for node in self.nodes], dtype=np.float64))

    @cached_property
    def core_speed(self) -> FloatColumn:
        """Operations a second of each core at the full clock, shape (n_cores,)."""
        speeds = [core.speed for processor in self.processors for core in processor.cores]
        return read_only(np.array(speeds, dtype=np.float64))

    @cached_property
    def core_power(self) -> FloatColumn:
        """Dynamic power of each core at the full clock, in W, shape (n_cores,)."""
        draws = [core.dynamic_power for processor in self.processors for core in processor.cores]
        return read_only(np.array(draws, dtype=np.float64))

    @cached_property
    def static_power(self) -> FloatColumn:
        """Power of each node without its cores while all its processors work, in W, shape (n_nodes,)."""
        draws = [node.power + sum(part.static_power for part in node.processors) for node in self.nodes]
        return read_only(np.array(draws, dtype=np.float64))

    @cached_property
    def slowest(self) -> float:
        """Operations a second of the slowest core at the full clock."""
        return float(self.core_speed.min())

    @cached_property
    def mean_speed(self) -> float:
        """Mean of the cores' operations a second at the full clock."""
        # The mean of equal cores is their speed to the last bit, which a sum may not give.
        fastest = float(self.core_speed.max())
        return fastest if fastest == self.slowest else float(self.core_speed.mean())


def join_machines(machines: Mapping[str, Hardware], name: str, source: str = "") -> Hardware:
    """Return the nodes of these machines, in order, as one machine without a network.

    Parameters
    ----------
    machines : mapping of str to Hardware
        By the path of their site, which the names of their clusters and named nodes then begin with.
    name, source : str
        Of the whole.

    Raises
    ------
    InputError
        If there is no machine, or there are more than `MOST_CORES` cores.

    Notes
    -----
    Equal nodes of a machine that are one object stay one. Cost: O(nodes).
    """
    clusters = (cluster for site, machine in machines.items() for cluster in _within(site, machine))
    return Hardware(tuple(clusters), name=name, source=source)


def _within(site: str, machine: Hardware) -> Iterator[Cluster]:
    """Yield the clusters of a machine with names that begin with its site's."""
    named: dict[int, Node] = {}
    for node in machine.nodes:
        if id(node) not in named:
            named[id(node)] = replace(node, name=f"{site}/{node.name}") if node.name else node
    for cluster in machine.clusters:
        yield Cluster(tuple(named[id(node)] for node in cluster.nodes), f"{site}/{cluster.name}")
