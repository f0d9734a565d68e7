"""Conservative backfilling: no job is ever delayed."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.backfill.persistent_reservations import renew_reservations

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.policies.contract import Decision, SystemView


@dataclass(frozen=True, slots=True)
class Conservative:
    """Every job gets a reservation when it arrives, and no reservation is ever broken.

    One scheduling cycle: (1) if some job ended before its planned end since the last cycle, *compress*: each
    job with a reservation, in queue order, exchanges it once for the earliest slot from now on (never later);
    (2) each job that arrived since then, in queue order, gets a reservation for the earliest slot that delays
    no existing reservation; (3) every job whose reservation is due starts, in queue order.

    Cost: O(queue x segments of the profile) when a job ends early, O(segments) otherwise.
    Source: Mu'alem and Feitelson, IEEE TPDS 12(6), 2001; Feitelson and Weil, IPPS 1998.
    """

    name: ClassVar[str] = "conservative"
    predictable: ClassVar[bool] = True
    source: ClassVar[str] = "Feitelson and Weil, IPPS 1998; Mu'alem and Feitelson, IEEE TPDS 12(6), 2001"

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the reservations and the starts of this scheduling cycle."""
        yield from renew_reservations(view)
