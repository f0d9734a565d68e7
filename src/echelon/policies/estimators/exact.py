"""Perfect knowledge: the run time itself."""

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
class Exact:
    """Plan with the time each job will really run: what perfect estimates would be worth.

    With ``--estimates raise`` the same as ``--estimates exact``. With ``--estimates kill`` jobs are still
    cut at their request, and the plan knows the time after the cut.

    Cost: O(1) a job. Source: baseline, no paper.
    """

    name: ClassVar[str] = "exact"
    source: ClassVar[str] = "baseline, no paper"
    learns_in_run: ClassVar[bool] = False
    knows_run_times: ClassVar[bool] = True

    def memory(self) -> Memory:
        """Return a memory that never predicts: the instance already plans with run times."""
        return NoMemory()

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return one that simulates the cluster's queue, each job running as if alone on dedicated nodes.

        How long jobs run on shared nodes is found by running them, so nobody can know it.
        """
        return SimulatingForecaster(lambda view: lambda job, mpl: 1.0)
