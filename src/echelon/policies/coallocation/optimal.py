"""The binary program without a limit on links."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from echelon.policies.coallocation.binary_program import Programmed


@dataclass(frozen=True, slots=True, kw_only=True)
class Optimal(Programmed):
    """The nodes with the least T^e = T^p SP + T^c SC, by binary program; links may saturate.

    Notes
    -----
    **Ties**: the solver's, the same in each run; in a cluster the most powerful nodes, of equals the first.
    **Cost**: exponential at worst, as of any program with binaries; measured in
    `docs/explanation/co-allocation.md`. **Source**: Lérida Monsó, UAB 2009, section 4.6, "Optimal".
    """

    name: ClassVar[str] = "optimal"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, section 4.6"
