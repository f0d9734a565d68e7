"""Perfect knowledge: the run time itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from echelon.policies.estimators.rule import Memory, NoMemory


@dataclass(frozen=True, slots=True)
class Exact:
    """Plan with the time each job will really run: what perfect estimates would be worth.

    With ``--estimates raise`` the same as ``--estimates exact``. With ``--estimates kill`` jobs are still
    cut at their request, and the plan knows the time after the cut.

    Cost: O(1) a job. Source: baseline, no paper.
    """

    name: ClassVar[str] = "exact"
    source: ClassVar[str] = "baseline, no paper"

    def memory(self) -> Memory:
        """Return a memory that never predicts: the instance already plans with run times."""
        return NoMemory()
