"""Topologies: how the nodes of a machine are joined, how far they are apart, over which links they talk."""

from echelon.model.topology.contract import Topology

__all__ = ["Topology"]
