"""Topologies: how the nodes of a machine are joined, how far they are apart, over which links they talk."""

from typing import TYPE_CHECKING

from echelon.lazy import lazily

if TYPE_CHECKING:
    from echelon.model.topology.contract import Topology
    from echelon.model.topology.dragonfly import Dragonfly
    from echelon.model.topology.fat_tree import FatTree
    from echelon.model.topology.lattice import Lattice
    from echelon.model.topology.mesh import Mesh
    from echelon.model.topology.named import FORMS, topology_named
    from echelon.model.topology.network import Network
    from echelon.model.topology.star import Star
    from echelon.model.topology.torus import Torus
    from echelon.model.topology.tree import Tree

__all__ = [
    "FORMS",
    "Dragonfly",
    "FatTree",
    "Lattice",
    "Mesh",
    "Network",
    "Star",
    "Topology",
    "Torus",
    "Tree",
    "topology_named",
]

lazily(
    __name__,
    {
        "contract": ("Topology",),
        "dragonfly": ("Dragonfly",),
        "fat_tree": ("FatTree",),
        "lattice": ("Lattice",),
        "mesh": ("Mesh",),
        "named": ("FORMS", "topology_named"),
        "network": ("Network",),
        "star": ("Star",),
        "torus": ("Torus",),
        "tree": ("Tree",),
    },
)
