"""Selective backfilling: only jobs that have waited long for their length get a reservation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError
from echelon.policies.backfill.persistent_reservations import renew_reservations
from echelon.policies.contract import Decision, Start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.contract import SystemView


@dataclass(frozen=True, slots=True)
class Selective:
    """A job gets a reservation once its expected slowdown reaches a threshold; other jobs overtake freely.

    The expected slowdown of a waiting job with planned time e is (wait + e) / e: it is 1 at arrival and grows
    faster for shorter jobs. One scheduling cycle: (1) as in `conservative`, if some job ended before its
    planned end, each reservation moves once, in queue order, to the earliest slot from now on; (2) each job
    without a reservation whose expected slowdown is at least the threshold, in queue order, gets one for the
    earliest slot that delays no existing reservation, and keeps a reservation from then on; (3) every job
    whose reservation is due starts, in queue order; (4) every job without a reservation, in queue order,
    starts if it fits now without delaying a reservation.

    Parameters
    ----------
    threshold : float or "adaptive", default "adaptive"
        1 (or less) gives every job a reservation when it arrives, which is `conservative`; ``inf`` gives
        none, which is `first-fit`. ``adaptive`` is the mean bounded slowdown (with 10 s) of the jobs that
        have ended so far, and 1 before the first end; it changes from cycle to cycle.

    Raises
    ------
    InputError
        If `threshold` is neither a number (``nan`` is not one) nor ``adaptive``.

    Notes
    -----
    **Ties**: by queue order, then submit time, then position. A slowdown equal to the threshold suffices.
    **Cost**: O(queue x segments of the profile) per cycle.
    **Source**: Srinivasan, Kettimuthu, Subramani and Sadayappan, "Selective reservation strategies for
    backfill job scheduling", JSSPP 2002. The paper also describes separate thresholds for classes of jobs.
    """

    threshold: float | Literal["adaptive"] = "adaptive"

    name: ClassVar[str] = "selective"
    source: ClassVar[str] = "Srinivasan, Kettimuthu, Subramani and Sadayappan, JSSPP 2002"

    def __post_init__(self) -> None:
        is_threshold = self.threshold == "adaptive" or isinstance(self.threshold, float | int)
        if not is_threshold or self.threshold != self.threshold:
            raise InputError(
                f"must be a number or adaptive, got {self.threshold!r}", field="selective, threshold"
            )

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the reservations and the starts of this scheduling cycle."""
        reservations = view.reservations
        threshold = view.mean_slowdown if isinstance(self.threshold, str) else self.threshold
        yield from renew_reservations(view, lambda job: _expected_slowdown(job, view.now) >= threshold)
        for job in view.queue:
            if not view.free:
                return
            if job.position not in reservations and view.may_start(job):
                yield Start(job)


def _expected_slowdown(job: Job, now: float) -> float:
    return (now - job.submit_time + job.planned_time) / job.planned_time
