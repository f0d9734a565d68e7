"""The placements by name: the lines to add a new one to."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from echelon.policies.placement.changing_orders import (
    Energy,
    EnergyDelay,
    HighCores,
    LowCores,
    Random,
)
from echelon.policies.placement.compact import Compact
from echelon.policies.placement.linear import Linear
from echelon.policies.placement.mbs import MultipleBuddies
from echelon.policies.placement.nearest import Nearest
from echelon.policies.placement.node_order import NodeOrder
from echelon.policies.placement.scatter import Scatter
from echelon.policies.placement.static_orders import (
    First,
    HighGigaflops,
    HighMemory,
    HighMemoryBandwidth,
    LowPower,
)

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

RESOURCE_ORDERS: tuple[type[ResourceOrder], ...] = (
    First,
    Random,
    HighGigaflops,
    HighCores,
    LowCores,
    HighMemory,
    HighMemoryBandwidth,
    LowPower,
    Energy,
    EnergyDelay,
)
"""In the order in which tables show them."""

ALLOCATORS: tuple[type[Allocator], ...] = (NodeOrder, Linear, Nearest, MultipleBuddies, Compact, Scatter)
"""Placements that choose whole nodes, most by the network between them, in the order of tables."""
