"""First-fit backfilling: every job that fits starts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.contract import Decision, Start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.contract import SystemView


@dataclass(frozen=True, slots=True)
class FirstFit:
    """Start every waiting job that fits now, in queue order, without reservations.

    Also called FPFS (first processors, first served) and, in some papers, aggressive backfilling. Large
    jobs can starve. Cost: O(queue) per cycle. Source: Aida, Kasahara and Narita, JSSPP 1998.
    """

    name: ClassVar[str] = "first-fit"
    starts_all_that_fit: ClassVar[bool] = True
    looks_ahead: ClassVar[bool] = False
    plans: ClassVar[bool] = False
    predictable: ClassVar[bool] = True
    source: ClassVar[str] = "Aida, Kasahara and Narita, JSSPP 1998 (FPFS)"

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the starts of this pass."""
        for job in view.queue:
            if view.fits(job):
                yield Start(job)
            elif not view.free:
                return
