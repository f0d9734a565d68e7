"""Asks: what jobs ask of nodes, and what these have, as arrays for kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.engine.worlds import NodeLevelMachine
from echelon.policies.placement import NodeSearch

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.compiled.changing.layout import Layout
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
    found: int = getattr(state, _FITS[world.rules.placement.fit])
    return found


def asks_of(scenario: Scenario) -> NDArray[Any]:
    """Return what each job asks of its nodes, by position."""
    from echelon.engine.compiled.changing.state import ASK_TYPE, FIRST

    instance, demands = scenario.instance, scenario.instance.node_level.demands
    asks = np.zeros(len(instance), dtype=ASK_TYPE)
    asks["memory"], asks["sequential"] = demands.largest, demands.sequential
    # A sequential job is always in one node.
    asks["nodes"] = nodes = np.where(demands.sequential, 0, demands.nodes)
    share = -(-instance.size // np.maximum(nodes, 1))
    asks["most"] = np.where(demands.sequential | (nodes > 0), share, demands.tasks_per_node)
    asks["need"] = np.select([demands.sequential, nodes > 0], [1, nodes], instance.size)
    asks["plain"] = (asks["memory"] == 0) & (asks["most"] == 0)
    asks["lowest"] = asks["plain"] & (fit_of(scenario) == FIRST)
    return asks


def hosts_of(scenario: Scenario, layout: Layout) -> NDArray[Any]:
    """Return the nodes in the resource order."""
    from echelon.engine.compiled.changing.state import HOST_TYPE

    order = layout.order
    hosts = np.zeros(len(order), dtype=HOST_TYPE)
    hosts["first"], hosts["stop"] = layout.first[order], layout.stop[order]
    hosts["memory"] = scenario.instance.node_level.hardware.node_memory[order]
    return hosts
