"""A multicluster whose clusters decide in the reference engine, their queues being projected in kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.engine.clock.simulation import run
from echelon.engine.reference import system_of

if TYPE_CHECKING:
    from echelon.engine.contract import Progress, Scenario
    from echelon.model import Schedule


def simulate(scenario: Scenario, progress: Progress | None = None) -> Schedule:
    """Run `scenario`, of a multicluster, as the reference engine does, but for its projections.

    What estimators simulate of clusters' queues runs in kernels, to the last bit as in the reference engine.
    """
    # Here, so that no other run loads its kernels.
    from echelon.engine.compiled.multicluster.queue_prediction import predict_queue_compiled

    return run(system_of(scenario, predict_queue_compiled), progress)
