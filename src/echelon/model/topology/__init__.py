"""Topologies: how the nodes of a machine are joined, how far they are apart, over which links they talk."""

from echelon.lazy import lazily

lazily(
    __name__,
    {
        "contract": "Topology",
        "dragonfly": "Dragonfly",
        "fat_tree": "FatTree",
        "lattice": "Lattice",
        "mesh": "Mesh",
        "topology_spec": "FORMS topology_named",
        "network": "Network",
        "star": "Star",
        "torus": "Torus",
        "tree": "Tree",
    },
)
