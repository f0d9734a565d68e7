"""The binary program without an objective."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from echelon.policies.coallocation.binary_program import Programmed


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstFeasible(Programmed):
    """The first nodes found with SC <= 1, regardless of T^e: for large systems and short jobs.

    Notes
    -----
    **Ties**, **Cost**: as of `optimal`. **Source**: Lérida Monsó, UAB 2009, section 4.6, "Non-Optimal".
    """

    name: ClassVar[str] = "first-feasible"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 4.6"
    optimizes: ClassVar[bool] = False

    @property
    def limit(self) -> float:
        """Largest SC allowed."""
        return 1.0
