"""The reference engine: readable Python, every feature, the definition the compiled engine must equal."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.clock.simulation import run
from echelon.engine.ledger.attempt_lengths import AttemptLengths, needs_lengths, with_checkpoints
from echelon.engine.ledger.ledger import Ledger
from echelon.engine.machine import Machine
from echelon.engine.system_model import NodeLevelMachine, OneMachine, TreeOfSites

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.engine.multicluster.forecasting.site_view import QueuePredictor
    from echelon.engine.system import System
    from echelon.model import Schedule


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario` in the reference engine.

    Parameters
    ----------
    scenario : Scenario
        The run; any policy is supported.
    progress : callable, optional
        Called with (jobs ended, jobs in all).

    Returns
    -------
    Schedule
        One start a job. Its counts: ``events``, ``passes``, ``decisions``, and with an estimator that
        learns ``corrections``.

    Raises
    ------
    PolicyError
        If a decision of the policy breaks the rules.
    DeadlockError
        If some jobs can never start because the policy starts none.

    Notes
    -----
    Cost: O(log n) per event, in addition to the policy's own.
    """
    return run(system_of(scenario), progress)


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
    match scenario.system_model:
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
