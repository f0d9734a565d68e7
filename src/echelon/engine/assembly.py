"""Assembly: from a scenario to the system that its run drives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.controllers import Controller, ControllerKind
from echelon.engine.ledger import Ledger
from echelon.engine.machine import Machine
from echelon.engine.worlds import (
    BrokeredGrid,
    DecentralizedGrid,
    LeafRules,
    Multicluster,
    NodeLevelMachine,
    OneMachine,
    TimeSharedSites,
    TreeOfSites,
)
from echelon.policies.broker.admissible import Admissible

if TYPE_CHECKING:
    from collections.abc import Mapping

    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.site_view import QueuePredictor
    from echelon.engine.system import System


def system_of(scenario: Scenario) -> System:  # noqa: PLR0911  (one line a world)
    """Return the system of `scenario`, before its first event."""
    match scenario.world:
        case OneMachine():
            return Machine(Ledger(scenario), scenario.instance.processors)
        case NodeLevelMachine(rules):
            from echelon.engine.nodes.machine import NodeMachine

            return NodeMachine(Ledger(scenario), scenario.instance.node_level.hardware, rules)
        case BrokeredGrid(broker, admissible):
            return _tree(scenario, {"": Controller(broker, admissible)}, LeafRules())
        case TreeOfSites(controllers, rules):
            return _tree(scenario, controllers, rules)
        case DecentralizedGrid(protocol):
            return _tree(scenario, {"": Controller(protocol, Admissible())}, LeafRules())
        case TimeSharedSites(broker, rules, admissible):
            root = Controller(broker, admissible, rules.decision_time)
            return _tree(scenario, {"": root}, LeafRules(time_shared=rules))
        case Multicluster():
            from echelon.engine.multicluster.assembly import multicluster_of

            return multicluster_of(scenario, _predictor())


def _tree(scenario: Scenario, controllers: Mapping[str, ControllerKind], rules: LeafRules) -> System:
    """Return sites under brokers."""
    from echelon.engine.tree.assembly import tree_system

    predict_queue = None if rules.shared is None else _predictor()
    return tree_system(scenario, controllers, rules, predict_queue)


def _predictor() -> QueuePredictor:
    """Return what simulates queues of shared nodes in the reference engine."""
    from echelon.engine.multicluster.queue_prediction import predict_queue

    return predict_queue
