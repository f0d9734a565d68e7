"""Layout: cores of nodes as processors with numbers, by the resource order, and what jobs ask of nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.system_model import NodeLevelMachine
from echelon.model.jobs.columns import ranges
from echelon.policies.placement import NodeSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.contract import Scenario
    from echelon.model import Hardware
    from echelon.model.jobs.columns import IntColumn

_FITS = {"first-fit": "FIRST", "best-fit": "BEST", "worst-fit": "WORST"}


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
    model = scenario.system_model
    if not isinstance(model, NodeLevelMachine) or type(model.rules.placement) is not NodeSearch:
        return None
    hardware = scenario.instance.node_level.hardware
    ranks = model.rules.placement.static_ranks(hardware)
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


def needs_hosts(scenario: Scenario, layout: Layout | None, *, closes: bool) -> bool:
    """Return whether it matters to kernels which cores are of one node.

    Where nothing is ever closed it does not if all jobs take the first free cores. What a head leaves over
    beside closures is counted by node.
    """
    if layout is None:
        return False
    several = bool((layout.stop - layout.first > 1).any())
    return (closes and several) or not bool(asks_of(scenario)["lowest"].all())


def takes_memory(scenario: Scenario) -> bool:
    """Return whether some job sets memory of nodes aside."""
    return bool((scenario.instance.node_level.demands.memory > 0).any())


def fit_of(scenario: Scenario) -> int:
    """Return the node search, as a number."""
    from echelon.engine.compiled.dynamic_machine import state

    model = scenario.system_model
    if not isinstance(model, NodeLevelMachine) or not isinstance(model.rules.placement, NodeSearch):
        return state.FIRST
    fit: int = getattr(state, _FITS[model.rules.placement.fit])
    return fit


def asks_of(scenario: Scenario) -> dict[str, NDArray[Any]]:
    """Return what each job asks of its nodes, by position: fields of `BOND_TYPE`."""
    from echelon.engine.compiled.dynamic_machine.state import FIRST

    size, demands = scenario.instance.size, scenario.instance.node_level.demands
    sequential = demands.sequential
    # A sequential job is always in one node.
    nodes = np.where(sequential, 0, demands.nodes)
    share = -(-size // np.maximum(nodes, 1))
    most = np.where(sequential | (nodes > 0), share, demands.tasks_per_node)
    plain = (demands.largest == 0) & (most == 0)
    return {
        "memory": demands.largest,
        "hosts": nodes,
        "most": most,
        "need": np.select([sequential, nodes > 0], [1, nodes], size),
        "sequential": sequential,
        "plain": plain,
        "lowest": plain & (fit_of(scenario) == FIRST),
    }


def hosts_of(scenario: Scenario, layout: Layout) -> NDArray[Any]:
    """Return the nodes in the resource order."""
    from echelon.engine.compiled.dynamic_machine.state import HOST_TYPE

    order = layout.order
    hosts = np.zeros(len(order), dtype=HOST_TYPE)
    hosts["first"], hosts["stop"] = layout.first[order], layout.stop[order]
    hosts["memory"] = hosts["now"] = scenario.instance.node_level.hardware.node_memory[order]
    return hosts
