"""The shared nodes of a multicluster as tables: the contract and link of each cluster, and its nodes."""

import math
from collections.abc import Iterator
from itertools import count, groupby
from typing import TYPE_CHECKING

from echelon.cli.terminal import grid
from echelon.quantities import figure

if TYPE_CHECKING:
    from rich.table import Table

    from echelon.model import Platform, SharedCluster, Workstation

_CONTRACTS = (
    "cluster",
    "nodes",
    "tasks\na node",
    "memory\n%",
    "network\n%",
    "CPU\n%",
    "link\nMB/s",
    "its own traffic\nMB/s",
    "software",
)
_NODES = ("cluster", "nodes", "count", "type", "power", "processors", "memory\nGB", "network\nMB/s")


def contract_table(platform: "Platform") -> "str | Table":
    """Return what parallel tasks may use of each cluster's nodes, and its link to the other clusters."""
    rows = [(name, *_contract(cluster)) for name, cluster in _clusters(platform)]
    return grid(_CONTRACTS, rows, numbers=range(1, 8))


def workstation_table(platform: "Platform") -> "str | Table":
    """Return the nodes of each cluster; equal neighboring nodes share a row."""
    rows = [row for name, cluster in _clusters(platform) for row in _nodes(name, cluster)]
    return grid(_NODES, rows, numbers=(2, 4, 5, 6, 7))


def _clusters(platform: "Platform") -> "Iterator[tuple[str, SharedCluster]]":
    """Yield the name and the shared nodes of each site that has some."""
    from echelon.model import SharedCluster

    for site in platform.sites:
        if isinstance(site.resource, SharedCluster):
            yield site.name, site.resource


def _contract(cluster: "SharedCluster") -> tuple[str, ...]:
    contract = cluster.contract
    shares = (contract.memory, contract.bandwidth, contract.cpu)
    return (
        f"{len(cluster):,}",
        f"{contract.mpl:,}",
        *(_figure(share * 100) for share in shares),
        _figure(cluster.link / 1e6),
        _figure(cluster.link_traffic / 1e6),
        ", ".join(sorted(cluster.software)) or "none",
    )


def _nodes(name: str, cluster: "SharedCluster") -> Iterator[tuple[str, ...]]:
    first = count()
    for node, same in groupby(cluster.nodes):
        numbers = [next(first) for _ in same]
        last = f"-{numbers[-1]}" if len(numbers) > 1 else ""
        yield (name, f"{numbers[0]}{last}", f"{len(numbers):,}", *_figures(node))


def _figures(node: "Workstation") -> tuple[str, ...]:
    return (
        node.name or "–",
        _figure(node.power),
        f"{node.processors:,}",
        _figure(node.memory / 1e9),
        _figure(node.bandwidth / 1e6),
    )


def _figure(value: float) -> str:
    return figure(value, 3) if math.isfinite(value) else "–"
