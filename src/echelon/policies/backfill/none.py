"""No backfilling: only the head may start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.contract import Decision, Start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.contract import SystemView


@dataclass(frozen=True, slots=True)
class NoBackfill:
    """Start the head while it fits; the first job that does not fit blocks the rest.

    Cost: O(jobs started) per cycle. Source: the priority queue of SST's scheduler (PQScheduler).
    """

    name: ClassVar[str] = "none"
    overtakes: ClassVar[bool] = False
    looks_ahead: ClassVar[bool] = False
    plans: ClassVar[bool] = False
    foreseeable: ClassVar[bool] = True
    source: ClassVar[str] = "SST scheduler, PQScheduler"

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the starts of this pass."""
        for job in view.queue:
            if not view.fits(job):
                return
            yield Start(job)
