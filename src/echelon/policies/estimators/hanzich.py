"""Hanzich: dedicated time times the tasks that share a node."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.estimators.rule import Memory, NoMemory
from echelon.policies.estimators.simulation import SimulatingForecaster

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Experience
    from echelon.policies.estimators.forecast import Forecaster


@dataclass(frozen=True, slots=True)
class Hanzich:
    """Forecast T = T_ded x MPL, inside a simulation of the cluster's queue.

    MPL is the most parallel tasks in one of the job's nodes, itself included. Neither owners nor links nor
    unequal nodes count.

    Elsewhere it plans with the request: nothing shares a node there, or all share the cores of a time-shared
    machine, which plans simulate whatever the estimator.

    Notes
    -----
    **Cost**: one simulation of the queue a forecast.
    **Source**: Hanzich et al., CLUSTER 2006, as described by Lérida Monsó, UAB 2009, table 3.3.
    """

    name: ClassVar[str] = "hanzich"
    source: ClassVar[str] = "Hanzich et al., CLUSTER 2006; Lérida Monsó, UAB 2009, table 3.3"
    learns_in_run: ClassVar[bool] = False

    def memory(self) -> Memory:
        """Return a memory that never predicts."""
        return NoMemory()

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return a forecaster; it needs no past."""
        return SimulatingForecaster(lambda view: lambda job, mpl: float(mpl))
