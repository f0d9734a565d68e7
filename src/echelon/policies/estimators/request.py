"""The user's request, as it is."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from echelon.policies.estimators.rule import Memory, NoMemory


@dataclass(frozen=True, slots=True)
class Request:
    """Plan with what ``--estimates`` says: with ``raise`` the larger of request and run time.

    The default. Nothing is learned.

    Cost: O(1) a job. Source: baseline, no paper.
    """

    name: ClassVar[str] = "request"
    source: ClassVar[str] = "baseline, no paper"

    def memory(self) -> Memory:
        """Return a memory that never predicts."""
        return NoMemory()
