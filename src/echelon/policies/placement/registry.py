"""The placements by name: the lines to add a new one to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.lazy import Rules

if TYPE_CHECKING:
    from echelon.policies.placement.allocator import Allocator
    from echelon.policies.placement.resource_order import ResourceOrder


class Search(NamedTuple):
    """One of the node searches of `NodeSearch`: its word, what it does, and who says so."""

    name: str
    summary: str
    source: str


SEARCHES: tuple[Search, ...] = (
    Search(
        "first-fit",
        "The first node, in the resource order, that holds the job.",
        "Cuevas Cuesta, Universidad de Cantabria 2022, 3.4.1",
    ),
    Search(
        "best-fit",
        "Of the nodes that hold the job the one with the fewest cores to give.",
        "Cuevas Cuesta, Universidad de Cantabria 2022, 5.2 (as work to come)",
    ),
    Search(
        "worst-fit",
        "Of the nodes that hold the job the one with the most cores to give.",
        "no paper: worst-fit of bin packing, over nodes",
    ),
)
"""Every node search of `echelon.policies.placement.node_search`."""

RESOURCE_ORDERS: Rules[type[ResourceOrder]] = Rules(
    __package__,
    {
        "first": "static_orders.First",
        "random": "changing_orders.Random",
        "high-gigaflops": "static_orders.HighGigaflops",
        "high-cores": "changing_orders.HighCores",
        "low-cores": "changing_orders.LowCores",
        "high-memory": "static_orders.HighMemory",
        "high-memory-bandwidth": "static_orders.HighMemoryBandwidth",
        "low-power": "static_orders.LowPower",
        "energy": "changing_orders.Energy",
        "edp": "changing_orders.EnergyDelay",
    },
    {
        "fiarr": "first",
        "randm": "random",
        "hicom": "high-gigaflops",
        "high-gflops": "high-gigaflops",
        "hicor": "high-cores",
        "himem": "high-memory",
        "high-mem": "high-memory",
        "himbw": "high-memory-bandwidth",
        "high-mem-bw": "high-memory-bandwidth",
        "lpowr": "low-power",
        "energy-aware": "energy",
        "energy-delay-product": "edp",
    },
)
"""In the order in which tables show them."""

ALLOCATORS: Rules[type[Allocator]] = Rules(
    __package__,
    {
        "node-order": "node_order.NodeOrder",
        "linear": "linear.Linear",
        "nearest": "nearest.Nearest",
        "mbs": "mbs.MultipleBuddies",
        "compact": "compact.Compact",
        "scatter": "scatter.Scatter",
    },
    {
        "tree-compact": "compact",
        "dragonfly-compact": "compact",
    },
)
"""Placements that choose whole nodes, most by the network between them, in the order of tables."""
