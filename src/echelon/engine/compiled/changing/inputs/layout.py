"""Layout: the cores of nodes as processors with numbers: by their place in the resource order."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.worlds import NodeLevelMachine
from echelon.model.jobs.columns import ranges
from echelon.policies.placement import NodeSearch

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.model import Hardware
    from echelon.model.jobs.columns import IntColumn


class Layout(NamedTuple):
    """Where kernels have the cores of each node: next to each other.

    Attributes
    ----------
    core : IntColumn, shape (n_cores,)
        Number of the core in the hardware that each processor is.
    first, stop : IntColumn, shape (n_nodes,)
        The processors of node n are ``first[n]`` ... ``stop[n] - 1``.
    """

    core: IntColumn
    first: IntColumn
    stop: IntColumn

    @property
    def order(self) -> IntColumn:
        """The nodes in the resource order, shape (n_nodes,)."""
        return np.argsort(self.first)

    def processors_of(self, nodes: IntColumn) -> IntColumn:
        """Return the processors of some nodes, those of one node after those of the other."""
        return ranges(self.first[nodes], self.stop[nodes])

    def counts_of(self, nodes: IntColumn) -> IntColumn:
        """Return how many processors each of some nodes has."""
        return self.stop[nodes] - self.first[nodes]


def layout_of(scenario: Scenario) -> Layout | None:
    """Return the layout of the nodes of one machine; None if its processors are counted, or have none."""
    world = scenario.world
    if not isinstance(world, NodeLevelMachine) or type(world.rules.placement) is not NodeSearch:
        return None
    hardware = scenario.instance.node_level.hardware
    ranks = world.rules.placement.static_ranks(hardware)
    return None if ranks is None else _order_cores(hardware, ranks)


def _order_cores(hardware: Hardware, ranks: IntColumn) -> Layout | None:
    """Return the layout with cores in this order, None if that mixes the cores of several nodes."""
    core = np.argsort(ranks)
    node = hardware.node_of_core[core]
    begins = np.flatnonzero(np.diff(node, prepend=-1))
    if len(begins) != len(hardware.nodes):
        return None
    first = np.empty(len(begins), dtype=np.int64)
    first[node[begins]] = begins
    return Layout(core, first, first + hardware.node_cores)
