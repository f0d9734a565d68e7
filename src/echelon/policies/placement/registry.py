"""The placements by name: the lines to add a new one to."""

from __future__ import annotations

from typing import TYPE_CHECKING

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

ALLOCATORS: tuple[type[Allocator], ...] = (Linear, Nearest, MultipleBuddies, Compact, Scatter)
"""Placements that look at the network between the nodes, in the order in which tables show them."""
