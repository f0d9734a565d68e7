"""SDPN: slowdowns of computing and of communicating, inside a simulation of the queue."""

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
class SlowdownModel:
    """Forecast T = T^p x SP + T^c x SC, inside a simulation of the cluster's queue.

    SP is how much slower the slowest of the job's nodes computes, SC how far the fullest of its links is
    overbooked, both from what owners and simulated tasks take at each moment of the simulation.

    Elsewhere it plans with the request: nothing shares a node there, or all share the cores of a time-shared
    machine, which plans simulate whatever the estimator.

    Notes
    -----
    **Cost**: one simulation of the queue a forecast, O(waiting x running).
    **Source**: Lérida et al., Euro-Par 2008; Lérida Monsó, UAB 2009, sections 3.3.2.1 and 3.4.2.
    """

    name: ClassVar[str] = "sdpn"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 3.3.2.1"
    learns_in_run: ClassVar[bool] = False

    def memory(self) -> Memory:
        """Return a memory that never predicts."""
        return NoMemory()

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return a forecaster; it needs no past."""
        return SimulatingForecaster()
