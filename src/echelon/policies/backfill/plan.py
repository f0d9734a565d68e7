"""Planning: the schedule of the whole queue is computed again in every scheduling cycle."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.backfill.cycle_reservations import reserve_first

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.contract import Decision, SystemView


@dataclass(frozen=True, slots=True)
class Plan:
    """Re-plan the whole queue in queue order in every scheduling cycle, from the running jobs alone.

    Each waiting job gets the earliest slot that delays no job planned before it; jobs whose slot is now
    start. No reservation lasts from cycle to cycle: this is `easy` with as many reservations as jobs.

    Cost: O(queue x segments) per cycle. Source: Hovestadt, Kao, Keller and Streit, "Scheduling in HPC
    resource management systems: queuing vs. planning", JSSPP 2003.
    """

    name: ClassVar[str] = "plan"
    predictable: ClassVar[bool] = True
    source: ClassVar[str] = "Hovestadt, Kao, Keller and Streit, JSSPP 2003"

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the starts of this pass."""
        yield from reserve_first(view, view.availability(), math.inf)
