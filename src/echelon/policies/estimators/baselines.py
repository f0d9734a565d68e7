"""Baseline estimators: the user's request, and the actual run time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.estimators.rule import Memory, NoMemory
from echelon.policies.estimators.simulation import SimulatingForecaster, slowdown_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.model import Experience
    from echelon.policies.estimators.forecast import Forecaster


@dataclass(frozen=True, slots=True)
class Request:
    """Plan with the times of ``--estimates``: with ``raise`` the larger of request and run time.

    The default. Nothing is learned.

    Cost: O(1) a job. Source: baseline, no paper.
    """

    name: ClassVar[str] = "request"
    source: ClassVar[str] = "baseline, no paper"
    predicts: ClassVar[bool] = False
    learns_in_run: ClassVar[bool] = False

    def memory(self) -> Memory:
        """Return a memory that never predicts."""
        return NoMemory()

    def forecaster(self, past: Sequence[Experience]) -> Forecaster:
        """Return one that simulates the cluster's queue, each job running for what is planned with."""
        return SimulatingForecaster(lambda view: slowdown_of(lambda job, mpl: job.planned_time, view))


@dataclass(frozen=True, slots=True)
class Exact:
    """Plan with the actual run time of each job, to measure the value of perfect estimates.

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

        Run times on shared nodes depend on the simulation itself, so they cannot be known before.
        """
        return SimulatingForecaster(lambda view: lambda job, mpl: 1.0)
