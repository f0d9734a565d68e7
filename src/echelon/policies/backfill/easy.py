"""EASY backfilling: overtake the head, but never delay it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError
from echelon.policies.backfill.cycle_reservations import first_fits, reserve_first
from echelon.policies.backfill.none import start_from_head

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.contract import Decision, SystemView
    from echelon.policies.order.rule import Order


@dataclass(frozen=True, slots=True)
class Easy:
    """Jobs may overtake the blocked head if they are not planned to delay it.

    One scheduling cycle at time t: start jobs from the head while they fit; the first that does not fit is
    the head. Its shadow time S is the earliest time at which enough processors are planned to be free; X is
    the number of processors then left over. Any later job starts now if it fits and either ends by S (t +
    planned time <= S) or takes at most X processors, which reduces X.

    Parameters
    ----------
    reservations : int, default 1
        Number of blocked jobs, from the head on, that hold a reservation, >= 1. 1 is EASY.
    candidates : Order, optional
        The order in which the jobs behind the head are tried. Default: queue order. ``shortest-first`` is
        shortest-job backfilled first (SJBF) of Tsafrir, Etsion and Feitelson, IEEE TPDS 2007.
    fit : {"first-fit", "best-fit"}, default "first-fit"
        ``best-fit`` repeatedly starts the largest candidate that may start; ties in candidate order.

    Raises
    ------
    InputError
        If `reservations` < 1 or `fit` is neither of these.

    Notes
    -----
    **Cost**: O(queue + running) per cycle with one reservation; O(queue x segments) with more.
    **Source**: Lifka, "The ANL/IBM SP scheduling system", JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS 2001.
    """

    reservations: int = 1
    candidates: Order | None = None
    fit: Literal["first-fit", "best-fit"] = "first-fit"

    name: ClassVar[str] = "easy"
    predictable: ClassVar[bool] = True
    source: ClassVar[str] = "Lifka, JSSPP 1995; Mu'alem and Feitelson, IEEE TPDS 12(6), 2001"

    @property
    def plans(self) -> bool:
        """Whether it plans jobs over time: with one reservation it looks no further than the head."""
        return self.reservations > 1

    def __post_init__(self) -> None:
        if self.reservations < 1:
            raise InputError(f"must be at least 1, got {self.reservations}", field="easy, reservations")
        if self.fit not in ("first-fit", "best-fit"):
            raise InputError(f"must be first-fit or best-fit, got {self.fit!r}", field="easy, fit")

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the starts of this pass."""
        if self.reservations == 1:
            yield from self._one_reservation(view)
        else:
            yield from self._more_reservations(view)

    def _one_reservation(self, view: SystemView) -> Iterator[Decision]:
        queue = view.queue
        blocked = yield from start_from_head(view)
        if blocked + 1 >= len(queue) or not view.free:
            return
        shadow = view.head_start(queue[blocked])
        for job in self._order_candidates(queue[blocked + 1 :], view):
            if view.fits(job) and (start := shadow.admits(job)) is not None:
                yield start
                shadow.take(job)
                if not view.free:
                    return

    def _more_reservations(self, view: SystemView) -> Iterator[Decision]:
        profile = view.availability()
        rest = yield from reserve_first(view, profile, self.reservations)
        yield from first_fits(view, profile, self._order_candidates(rest, view))

    def _order_candidates(self, jobs: Sequence[Job], view: SystemView) -> Sequence[Job]:
        if self.candidates is not None:
            jobs = sorted(jobs, key=view.rank(self.candidates))  # type: ignore[arg-type]
        if self.fit == "best-fit":
            # To start the largest job repeatedly takes one walk by size: a start only reduces what is free
            # and left over, so a refused job stays refused. The sort is stable: ties stay in candidate order.
            jobs = sorted(jobs, key=lambda job: -job.processors)
        return jobs
