"""Twin: the core over simulated clusters, with a step at every event."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from echelon.engine.ledger.releases import Releases
from echelon.engine.live.core import Core
from echelon.engine.live.messages import Submitted
from echelon.engine.live.simulated_clusters import SimulatedClusters
from echelon.engine.tree.queues.membership import without_misplaced

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.model import Schedule


def replay(scenario: Scenario) -> Schedule:
    """Run the core over simulated clusters; the schedule is that of `echelon.simulate`.

    Parameters
    ----------
    scenario : Scenario
        See `Core`.
    """
    world: Any = scenario.world
    scenario = without_misplaced(scenario, world.controllers, world.rules)
    core, clusters = Core(scenario), SimulatedClusters(replace(scenario, observers=()))
    releases = Releases(scenario.instance)
    while (now := min(releases.next_time, core.next_time(), clusters.next_time())) < math.inf:
        observations = clusters.begin(now)
        if releases.next_time == now:
            observations += map(Submitted, releases.take(now))
        effects = core.step(now, observations)
        clusters.carry_out(effects)
        while core.waits:
            effects = core.step(now, clusters.decide())
            clusters.carry_out(effects)
        clusters.settle()
    return clusters.schedule()
