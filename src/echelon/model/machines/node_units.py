"""NodeUnits: the parts of nodes that jobs hold, numbered through all sites."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.columns import ranges, starts_of

if TYPE_CHECKING:
    from echelon.model.instance import Instance
    from echelon.model.jobs.columns import FloatColumn, IntColumn
    from echelon.model.machines.platform import Platform


@dataclass(frozen=True, slots=True, eq=False)
class NodeUnits:
    """Units of nodes: processors where these are counted, cores of nodes, shared nodes as a whole.

    Sites are in the platform's order, their nodes in theirs; on one machine of counted processors each is a
    node and a unit.

    Parameters
    ----------
    first_node : IntColumn, shape (n_sites + 1,)
        Where each site's nodes begin, and their number at last.
    first_unit : IntColumn, shape (n_nodes + 1,)
        Where each node's units begin, and their number at last.
    weight : FloatColumn, shape (n_units,)
        Processors that each counts for; of time-shared machines times their speed.
    """

    first_node: IntColumn
    first_unit: IntColumn
    weight: FloatColumn

    @classmethod
    def of(cls, instance: Instance) -> NodeUnits:
        """Return the units of an instance's machine or sites. Cost: O(units)."""
        platform = instance.platform
        if platform is not None:
            parts = [_site(platform, place) for place in range(len(platform))]
        elif instance.hardware is not None:
            cores = instance.hardware.node_cores
            parts = [(cores, np.ones(int(cores.sum())))]
        else:
            parts = [(np.ones(instance.processors, dtype=np.int64), np.ones(instance.processors))]
        sizes, weights = (np.concatenate(column) for column in zip(*parts, strict=True))
        return cls(starts_of([len(size) for size, _ in parts]), starts_of(sizes), weights)

    def nodes(self, site: IntColumn, node: IntColumn) -> IntColumn:
        """Return the numbers through all sites of nodes of these sites."""
        return self.first_node[site] + node

    def of_nodes(self, nodes: IntColumn) -> tuple[IntColumn, IntColumn]:
        """Return the units of some nodes, numbered through all sites, and the place in `nodes` of each."""
        counts = np.diff(self.first_unit)[nodes]
        place = np.repeat(np.arange(len(nodes)), counts)
        return ranges(self.first_unit[nodes], self.first_unit[nodes + 1]), place

    def node_of_units(self, units: IntColumn) -> IntColumn:
        """Return the node of each of some units, numbered through all sites."""
        return np.searchsorted(self.first_unit, units, side="right") - 1

    def weights(self, nodes: IntColumn) -> FloatColumn:
        """Return the processors that each of some nodes counts for."""
        total = np.concatenate(([0.0], np.cumsum(self.weight)))
        return total[self.first_unit[nodes + 1]] - total[self.first_unit[nodes]]


def unit_of_core(units: NodeUnits, platform: Platform | None) -> IntColumn:
    """Return the unit of each core of all nodes that are modeled core by core."""
    if platform is None:
        return np.arange(len(units.weight))
    begins = units.first_unit[units.first_node[:-1]]
    return ranges(begins, begins + np.diff(platform.first_core))


def _site(platform: Platform, place: int) -> tuple[IntColumn, FloatColumn]:
    """Return the units of each node of a site, and the weight of each unit."""
    from echelon.model.machines.hardware import Hardware
    from echelon.model.machines.shared_cluster import SharedCluster

    site = platform.sites[place]
    if isinstance(site.resource, Hardware):
        cores = site.resource.node_cores
        return cores, np.ones(int(cores.sum()))
    if isinstance(site.resource, SharedCluster):
        nodes = len(site.resource)
        return np.ones(nodes, dtype=np.int64), np.full(nodes, float(site.resource.contract.mpl))
    return np.ones(site.processors, dtype=np.int64), np.full(site.processors, site.speed)
