"""Placements: the choice of nodes and cores for a job."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "contract": "Allocator Placement Room",
        "node_order": "NodeOrder node_sequence",
        "node_search": "FITS NodeSearch",
        "own_order": "IdleCore OwnOrder placement",
        "own_placement": "OwnPlacement spread_violation",
        "registry": (
            "ALLOCATORS PLACEMENT RESOURCE_ORDERS SEARCHES names_placement placement_named placement_names "
            "placement_of format_placement"
        ),
        "resource_order": "ResourceOrder",
    },
    aliases={"misspread": "spread_violation", "placement_words": "format_placement"},
)
