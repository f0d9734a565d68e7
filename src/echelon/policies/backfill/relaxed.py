"""Relaxed backfilling: the head may be delayed by at most a factor of its expected wait."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.backfill.none import start_from_head
from echelon.policies.backfill.persistent_reservations import latest_start
from echelon.policies.contract import Decision, Reserve, Start, Withdraw

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.contract import SystemView


@dataclass(frozen=True, slots=True)
class Relaxed:
    """EASY whose head may be delayed beyond its shadow time, within limits.

    One scheduling cycle: start jobs from the head while they fit; the first that does not fit is the head.
    Let p be the head's shadow time when it first became the head, and s its submit time. Its latest start is
    p + factor (p - s), or its present shadow time if that is later. Any later job, in queue order, starts now
    if it fits and does not move the head's shadow time beyond the head's latest start. The delays by several
    jobs do not accumulate beyond that time, since p is fixed. On nodes, a job whose placement would delay the
    head too long is tried in nodes in which it does not delay the head.

    Parameters
    ----------
    factor : float, default 0.5
        Accepted delay as a factor of the head's expected wait, finite and >= 0. With 0, exact estimates and
        FCFS, this is `easy`; if estimates are too long, `easy` also keeps the gain of early ends.

    Raises
    ------
    InputError
        If `factor` is negative or not finite.

    Notes
    -----
    **Ties**: by queue order.
    **Cost**: O(queue x running) per cycle at worst.
    **Source**: Ward, Mahood and West, "Scheduling jobs on parallel systems using a relaxed backfill
    strategy", JSSPP 2002, whose factor multiplies the wait of the highest priority job. That the expected
    wait is fixed when the job first becomes the head is our interpretation.
    """

    factor: float = 0.5

    name: ClassVar[str] = "relaxed"
    source: ClassVar[str] = "Ward, Mahood and West, JSSPP 2002"

    def __post_init__(self) -> None:
        if not 0 <= self.factor < math.inf:
            raise InputError(f"must be finite and at least 0, got {self.factor}", field="relaxed, factor")

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the starts of this cycle, and the reservation for the head."""
        queue = view.queue
        for job in queue[1:]:
            if job.position in view.reservations:
                # It was the head until another job was placed before it.
                yield Withdraw(job)
        blocked = yield from start_from_head(view)
        if blocked < len(queue):
            head, rest = queue[blocked], queue[blocked + 1 :]
            if (shadow := view.head_start(head).time) < math.inf:
                yield Reserve(head, shadow)
            if shadow < math.inf and head.position in view.reservations:
                yield from self._overtake(head, rest, view)
            else:
                # No job delays a head that is never known to start, or waits for a machine to come back.
                yield from (Start(job) for job in rest if view.fits(job))

    def _overtake(self, head: Job, rest: Sequence[Job], view: SystemView) -> Iterator[Decision]:
        latest = latest_start(head, view, self.factor)
        for job in rest:
            if not view.free:
                return
            if not view.fits(job):
                continue
            shadow, where = view.reservations[head.position], None
            if view.now + job.planned_time > shadow:
                profile = view.availability()
                where = profile.hold(job, view.now)
                shadow = profile.earliest_for(head)
            if shadow <= latest and view.fits(job, where):
                yield Withdraw(head)
                yield Start(job, where=where)
                yield Reserve(head, shadow)
            elif (beside := view.head_start(head).admits(job)) is not None:
                yield Withdraw(head)
                yield beside
                yield Reserve(head, view.earliest_start(head))
