"""Supported: which controllers can be driven step by step; one sentence for what cannot."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.controllers import Controller
from echelon.engine.worlds import TreeOfSites
from echelon.policies import Broker

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario


def why_not_live(scenario: Scenario) -> str | None:
    """Return why the controllers of `scenario` cannot be driven step by step; None if they can."""
    world = scenario.world
    if not isinstance(world, TreeOfSites):
        return "one machine has no controller above it; describe a platform of several clusters"
    return _why_not_sites(scenario, world) or _why_not_times(scenario)


def _why_not_sites(scenario: Scenario, world: TreeOfSites) -> str | None:
    for site in scenario.instance.sites.sites:
        if not isinstance(site.resource, int | np.integer):
            return f"site {site.name!r} is no cluster of counted processors"
    for path, controller in world.controllers.items():
        if type(controller) is not Controller or not isinstance(controller.broker, Broker):
            where = f"inner site {path!r}" if path else "the root"
            return (
                f"{where} has {controller.broker.name!r}, but only brokers and global queues decide in steps"
            )
    return None


def _why_not_times(scenario: Scenario) -> str | None:
    if scenario.learns:
        return f"the estimator {scenario.estimator.name!r} learns during the run"
    if scenario.instance.estimates == "request":
        return "run times beyond their requests are for simulations only"
    if scenario.machine_changes:
        return "changes of machines are reported, not planned"
    return None if scenario.passes == "instant" else f"cycles are once an instant, got {scenario.passes!r}"
