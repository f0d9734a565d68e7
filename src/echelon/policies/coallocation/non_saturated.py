"""The binary program in which no link saturates."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from echelon.policies.coallocation.binary_program import Programmed


@dataclass(frozen=True, slots=True, kw_only=True)
class NonSaturated(Programmed):
    """The nodes with the least T^e among those with SC <= 1, by binary program: no link saturates.

    Notes
    -----
    **Ties**, **Cost**: as of `optimal`. **Source**: Lérida Monsó, UAB 2009, section 4.6, "Non-saturated".
    """

    name: ClassVar[str] = "non-saturated"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 4.6"

    @property
    def limit(self) -> float:
        """Largest SC allowed."""
        return 1.0
