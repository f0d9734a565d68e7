"""Several machines as one: their nodes one after another, each named after its site."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.model.machines.hardware import Cluster, Hardware

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from echelon.model.machines.node import Node


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
