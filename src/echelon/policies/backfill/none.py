"""No backfilling: only the head may start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.contract import Decision, Start

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator

    from echelon.policies.contract import SystemView


def start_from_head(view: SystemView) -> Generator[Decision, None, int]:
    """Yield the starts of jobs from the head while they fit; return how many there are."""
    for place, job in enumerate(queue := view.queue):
        if not view.fits(job):
            return place
        yield Start(job)
    return len(queue)


@dataclass(frozen=True, slots=True)
class NoBackfill:
    """Start the head while it fits; the first job that does not fit blocks the rest.

    Cost: O(jobs started) per cycle. Source: the priority queue of SST's scheduler (PQScheduler).
    """

    name: ClassVar[str] = "none"
    overtakes: ClassVar[bool] = False
    looks_ahead: ClassVar[bool] = False
    plans: ClassVar[bool] = False
    predictable: ClassVar[bool] = True
    source: ClassVar[str] = "SST scheduler, PQScheduler"

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the starts of this pass."""
        yield from start_from_head(view)
