"""Slack-based backfilling: a promise may be moved back, but never beyond a limit known on arrival."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.backfill.promised import compress, latest_start, promise, start_due
from echelon.policies.contract import Decision, Reserve, Start, Withdraw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.contract import Profile, SystemView


@dataclass(frozen=True, slots=True)
class Slack:
    """Every job is promised a start when it arrives; others may start now if they push it within its slack.

    With p the start first promised to a job and s its submit time, its expected wait is p - s and its latest
    start p + factor (p - s). One pass: (1) to (3) as `conservative`: after an early end every promise is
    moved forward where it can be; jobs that arrived get the earliest slot that delays no promise; those
    whose promise falls due start. (4) Each waiting job that fits now, in queue order, is tried: all other
    promises are laid out again around it, in the order of their times (ties in queue order), each in the
    earliest slot that is left. If none comes later than that job's latest start, the job starts now, the
    promises are moved to their new times, and those that fall due start.

    Parameters
    ----------
    factor : float, default 1
        How many times its expected wait a job may be delayed beyond it, finite and >= 0. With 0 no job
        starts later than promised on arrival, as with `conservative`.

    Raises
    ------
    InputError
        If `factor` is negative or not finite.

    Notes
    -----
    **Ties**: a job that came first in the queue is tried first. Nobody is tried twice in a pass.
    **Cost**: O(queue x queue x segments of the profile) a pass at worst; jobs too large for what is free
    cost nothing.
    **Source**: Talby and Feitelson, "Supporting priorities and improving utilization of the IBM SP scheduler
    using slack-based backfilling", IPPS 1999, simplified: there the slack also depends on the job's
    priority and on the average wait, and of all plans that keep every slack the cheapest is sought; here it
    depends on the job's own expected wait, and only a job that can start now pushes others.
    """

    factor: float = 1.0

    name: ClassVar[str] = "slack"
    source: ClassVar[str] = "Talby and Feitelson, IPPS 1999 (simplified)"

    def __post_init__(self) -> None:
        if not 0 <= self.factor < math.inf:
            raise InputError(f"must be finite and at least 0, got {self.factor}", field="slack, factor")

    def decide(self, view: SystemView) -> Iterator[Decision]:
        """Yield the promises and the starts of this pass."""
        if view.ended_early:
            yield from compress(view)
        yield from promise(view)
        yield from start_due(view)
        for job in view.queue:
            if not view.free:
                return
            # Promises that fall due start on the way, so the queue may have lost the job.
            if job.position in view.reservations and view.fits(job):
                yield from self._pushed(job, view)

    def _pushed(self, job: Job, view: SystemView) -> Iterator[Decision]:
        """Yield the start of `job` and the promises it moves, or nothing if a slack would not do."""
        profile = view.availability()
        where = profile.hold(job, view.now)
        plan = self._plan_around(job, view, profile) if view.fits(job, where) else None
        if plan is None:
            return
        for other, _ in plan:
            yield Withdraw(other)
        yield Start(job, where=where)
        for other, _ in plan:
            # On nodes the plan may have chosen others than are left now; elsewhere it is the time planned.
            yield Reserve(other, view.earliest_start(other))
        yield from start_due(view)

    def _plan_around(self, job: Job, view: SystemView, profile: Profile) -> list[tuple[Job, float]] | None:
        """Return the times of all other promises around `job`, or None if one would come too late."""
        promised = view.reservations
        others = (other for other in view.queue if other.position != job.position)
        plan = []
        for other in sorted(others, key=lambda other: promised[other.position]):
            time = profile.earliest_for(other)
            if time > latest_start(other, view, self.factor):
                return None
            profile.hold(other, time)
            plan.append((other, time))
        return plan
