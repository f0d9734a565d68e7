"""Asks: what jobs ask of nodes, and what these have, as arrays for kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.worlds import NodeLevelMachine
from echelon.policies.placement import NodeSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.changing.inputs.layout import Layout
    from echelon.engine.contract import Scenario

_FITS = {"first-fit": "FIRST", "best-fit": "BEST", "worst-fit": "WORST"}


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
    from echelon.engine.compiled.changing import state

    world = scenario.world
    if not isinstance(world, NodeLevelMachine) or not isinstance(world.rules.placement, NodeSearch):
        return state.FIRST
    fit: int = getattr(state, _FITS[world.rules.placement.fit])
    return fit


def asks_of(scenario: Scenario) -> dict[str, NDArray[Any]]:
    """Return what each job asks of its nodes, by position: fields of `BOND_TYPE`."""
    from echelon.engine.compiled.changing.state import FIRST

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
    from echelon.engine.compiled.changing.state import HOST_TYPE

    order = layout.order
    hosts = np.zeros(len(order), dtype=HOST_TYPE)
    hosts["first"], hosts["stop"] = layout.first[order], layout.stop[order]
    hosts["memory"] = hosts["now"] = scenario.instance.node_level.hardware.node_memory[order]
    return hosts
