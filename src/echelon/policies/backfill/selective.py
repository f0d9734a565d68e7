"""Selective reservations: only jobs that have waited long for their length are promised a start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, Literal

from echelon.errors import InputError
from echelon.policies.backfill.promised import compress, promise, start_due
from echelon.policies.contract import Decision, Start

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.contract import SystemView


@dataclass(frozen=True, slots=True)
class Selective:
    """A job is promised a start once its expected slowdown reaches a threshold; the others overtake freely.

    The expected slowdown of a waiting job with planned time e is (wait + e) / e: 1 when it arrives, growing
    the faster the shorter it is. One pass: (1) as `conservative`, if some job ended before its planned
    end, each job with a promise takes the earliest slot from now on, once, in queue order; (2) each job
    without a promise whose expected slowdown is at least the threshold, in queue order, is promised the
    earliest slot that delays no promise already made, and keeps a promise from then on; (3) every job whose
    promise falls due starts, in queue order; (4) every other job that has no promise starts if it fits now
    without delaying a promise, in queue order.

    Parameters
    ----------
    threshold : float or "adaptive", default "adaptive"
        1 (or less) promises every job a start when it arrives, which is `conservative`; ``inf`` promises
        none, which is `first-fit`. ``adaptive`` is the mean bounded slowdown (with 10 s) of the jobs that
        have ended so far, 1 before the first; it changes from pass to pass.

    Raises
    ------
    InputError
        If `threshold` is not a number (``nan`` is none) or that word.

    Notes
    -----
    **Ties**: as always by queue order, then submit time, then position. Equal to the threshold is enough.
    **Cost**: O(queue x segments of the profile) a pass.
    **Source**: Srinivasan, Kettimuthu, Subramani and Sadayappan, "Selective reservation strategies for
    backfill job scheduling", JSSPP 2002. The paper also has thresholds of their own for classes of jobs.
    """

    threshold: float | Literal["adaptive"] = "adaptive"

    name: ClassVar[str] = "selective"
    source: ClassVar[str] = "Srinivasan, Kettimuthu, Subramani and Sadayappan, JSSPP 2002"

    def __post_init__(self) -> None:
        known = self.threshold == "adaptive" or isinstance(self.threshold, float | int)
        if not known or self.threshold != self.threshold:
            raise InputError(
                f"must be a number or adaptive, got {self.threshold!r}", field="selective, threshold"
            )

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the promises and the starts of this pass."""
        promised = view.reservations
        if view.ended_early:
            yield from compress(view)
        threshold = view.mean_slowdown if isinstance(self.threshold, str) else self.threshold
        yield from promise(view, lambda job: _expected_slowdown(job, view.now) >= threshold)
        yield from start_due(view)
        for job in view.queue:
            if not view.free:
                return
            if job.position not in promised and view.may_start(job):
                yield Start(job)


def _expected_slowdown(job: Job, now: float) -> float:
    return (now - job.submit_time + job.planned_time) / job.planned_time
