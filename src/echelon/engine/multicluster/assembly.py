"""Assembly: the multicluster of a scenario."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.engine.multicluster.admission import admitted
from echelon.engine.multicluster.parts import Parts
from echelon.engine.worlds import Multicluster

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.site_view import QueuePredictor
    from echelon.engine.tree.tree_system import TreeSystem


def multicluster_of(scenario: Scenario, predict_queue: QueuePredictor) -> TreeSystem:
    """Return the multicluster of `scenario`, without the jobs that can never run.

    Parameters
    ----------
    scenario : Scenario
        With `MulticlusterRules`, a broker, and a platform of shared nodes.
    predict_queue : QueuePredictor
        Simulates clusters' queues for estimators.
    """
    rules, platform = scenario.world_as(Multicluster).rules, scenario.instance.sites
    spanning = rules.co_allocation is not None
    instance = admitted(scenario.instance, platform, spanning=spanning, co_allocation=rules.co_allocation)
    return Parts(replace(scenario, instance=instance), predict_queue).system()
