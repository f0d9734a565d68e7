"""Assembly: the multicluster of a scenario, a tree whose root has a global queue."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from echelon.engine.controllers import Controller, QueueRules
from echelon.engine.multicluster.admission import admitted
from echelon.engine.tree.assembly import tree_system
from echelon.engine.worlds import LeafRules, Multicluster
from echelon.policies import Admissible

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
    (broker, rules), platform = scenario.world_as(Multicluster), scenario.instance.sites
    spanning = rules.co_allocation is not None
    instance = admitted(scenario.instance, platform, spanning=spanning, co_allocation=rules.co_allocation)
    queue = QueueRules(rules.upper_queue, rules.limit, rules.longest_stay, rules.two_phase)
    root = Controller(broker, Admissible(), rules.decision_time, queue)
    alone = replace(scenario, instance=instance)
    return tree_system(alone, {"": root}, LeafRules(shared=rules), predict_queue)
