"""Placements: where in a machine a job goes, down to its cores."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.policies.placement.allocator import Allocator
    from echelon.policies.placement.contract import Placement, Room
    from echelon.policies.placement.node_order import NodeOrder
    from echelon.policies.placement.node_search import FITS, NodeSearch
    from echelon.policies.placement.node_sequence import node_sequence
    from echelon.policies.placement.own_order import IdleCore, OwnOrder, placement
    from echelon.policies.placement.own_placement import OwnPlacement, misspread
    from echelon.policies.placement.registry import (
        ALLOCATORS,
        PLACEMENT,
        RESOURCE_ORDERS,
        SEARCHES,
        names_placement,
        placement_named,
        placement_names,
        placement_of,
        placement_words,
    )
    from echelon.policies.placement.resource_order import ResourceOrder

__all__ = [
    "ALLOCATORS",
    "FITS",
    "PLACEMENT",
    "RESOURCE_ORDERS",
    "SEARCHES",
    "Allocator",
    "IdleCore",
    "NodeOrder",
    "NodeSearch",
    "OwnOrder",
    "OwnPlacement",
    "Placement",
    "ResourceOrder",
    "Room",
    "misspread",
    "names_placement",
    "node_sequence",
    "placement",
    "placement_named",
    "placement_names",
    "placement_of",
    "placement_words",
]

lazily(
    __name__,
    {
        "allocator": ("Allocator",),
        "contract": ("Placement", "Room"),
        "node_order": ("NodeOrder",),
        "node_search": ("FITS", "NodeSearch"),
        "node_sequence": ("node_sequence",),
        "own_order": ("IdleCore", "OwnOrder", "placement"),
        "own_placement": ("OwnPlacement", "misspread"),
        "registry": (
            "ALLOCATORS",
            "PLACEMENT",
            "RESOURCE_ORDERS",
            "SEARCHES",
            "names_placement",
            "placement_named",
            "placement_names",
            "placement_of",
            "placement_words",
        ),
        "resource_order": ("ResourceOrder",),
    },
)
