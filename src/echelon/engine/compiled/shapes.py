"""Shapes: what of a tree of sites kernels know."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.engine.worlds import TreeOfSites

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.policies import Broker, Decentralized


def flat_rule(scenario: Scenario) -> Broker | Decentralized | None:
    """Return who decides at the root of sites of counted processors alone; None of any other shape.

    It is a broker that sends jobs on as they come and knows all as it is, or a protocol, above sites that all
    have the same policy. Whatever else there is, now or later, is no such rule.
    """
    if not isinstance(scenario.world, TreeOfSites) or scenario.instance.sites.is_nested:
        return None
    if scenario.policy.elsewhere:
        return None
    sites, root = scenario.instance.sites.sites, scenario.world.controllers[""]
    if not all(isinstance(site.resource, int | np.integer) for site in sites):
        return None
    from echelon.engine.controllers import Controller
    from echelon.policies import Broker, Decentralized

    if not isinstance(root, Controller) or root != Controller(root.broker, root.admissible):
        return None
    return root.broker if isinstance(root.broker, Broker | Decentralized) else None
