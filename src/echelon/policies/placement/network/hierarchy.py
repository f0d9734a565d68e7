"""Hierarchy: the switches above each node, where a network has levels of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.model.topology import Dragonfly, FatTree, Star, Tree

if TYPE_CHECKING:
    from echelon.model import Hardware
    from echelon.model.jobs.columns import IntColumn

HIERARCHIES: tuple[type, ...] = (Star, Tree, FatTree, Dragonfly)
"""The topologies in which several nodes are below one switch."""


def hierarchy(hardware: Hardware) -> tuple[IntColumn, ...]:
    """Return the switch above each node at each level, from the root down, and at last the node itself."""
    assert isinstance(hardware.topology, Star | Tree | FatTree | Dragonfly)
    count = len(hardware.nodes)
    return (*hardware.topology.place[:count].T, np.arange(count))
