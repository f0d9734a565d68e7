"""Assembly: from a scenario to the system that its run drives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.ledger.attempt_lengths import AttemptLengths, needs_lengths, with_checkpoints
from echelon.engine.ledger.ledger import Ledger
from echelon.engine.machine import Machine
from echelon.engine.worlds import NodeLevelMachine, OneMachine, TreeOfSites

if TYPE_CHECKING:
    from echelon.engine.contract import Scenario
    from echelon.engine.multicluster.forecasting.site_view import QueuePredictor
    from echelon.engine.system import System


def system_of(scenario: Scenario, predict_queue: QueuePredictor | None = None) -> System:
    """Return the system of `scenario`, before its first event.

    Parameters
    ----------
    scenario : Scenario
        The run.
    predict_queue : QueuePredictor, optional
        Simulates queues of shared nodes for estimators; default: in the reference engine.
    """
    system = _system_of(with_checkpoints(scenario), predict_queue)
    if system.ledger.course is not None and needs_lengths(scenario):
        dispatches = system.ledger.dispatches
        dispatches.lengths, dispatches.interrupted = AttemptLengths(scenario), True
    return system


def _system_of(scenario: Scenario, predict_queue: QueuePredictor | None) -> System:
    match scenario.world:
        case OneMachine():
            return Machine(Ledger(scenario), scenario.instance.processors)
        case NodeLevelMachine(rules):
            from echelon.engine.nodes.machine import NodeMachine

            return NodeMachine(Ledger(scenario), scenario.instance.node_level.hardware, rules)
        case TreeOfSites(controllers, rules):
            from echelon.engine.tree.assembly import tree_system

            if predict_queue is None and rules.shared is not None:
                from echelon.engine.multicluster.forecasting.queue_prediction import predict_queue
            return tree_system(scenario, controllers, rules, predict_queue)
