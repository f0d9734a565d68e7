"""Slack-based backfilling: a reservation may move back, but never beyond a limit set on arrival."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.errors import InputError
from echelon.policies.backfill.persistent_reservations import latest_start, renew_reservations, start_due
from echelon.policies.contract import Decision, Reserve, Start, Withdraw

if TYPE_CHECKING:
    from collections.abc import Iterator

    from echelon.model import Job
    from echelon.policies.contract import Profile, SystemView


@dataclass(frozen=True, slots=True)
class Slack:
    """Every job gets a reservation when it arrives; other jobs may delay it, but only within its slack.

    Let p be the first reserved start of a job and s its submit time: its expected wait is p - s and its
    latest start p + factor (p - s). One scheduling cycle: (1) to (3) as in `conservative`: after an early end
    every reservation moves forward if possible; new jobs get the earliest slot that delays no reservation;
    jobs whose reservation is due start. (4) Each waiting job that fits now is tried in queue order: all other
    reservations are planned again around it, in the order of their times (ties in queue order), each in the
    earliest slot left. If no reserved job gets later than its latest start, the tried job starts now, the
    reservations move to their new times, and those that are due start.

    Parameters
    ----------
    factor : float, default 1
        Slack as a factor of the job's expected wait, finite and >= 0. With 0 no job starts later than
        reserved on arrival, as under `conservative`.

    Raises
    ------
    InputError
        If `factor` is negative or not finite.

    Notes
    -----
    **Ties**: a job earlier in the queue is tried first. No job is tried twice in a cycle.
    **Cost**: O(queue x queue x segments of the profile) per cycle at worst; jobs too large for what is free
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
        """Yield the reservations and the starts of this scheduling cycle."""
        yield from renew_reservations(view)
        for job in view.queue:
            if not view.free:
                return
            # Due reservations start along the way, so the job may have left the queue.
            if job.position in view.reservations and view.fits(job):
                yield from self._push_reservations(job, view)

    def _push_reservations(self, job: Job, view: SystemView) -> Iterator[Decision]:
        """Yield the start of `job` and the reservations that it moves, or nothing if a slack is too small."""
        profile = view.availability()
        where = profile.hold(job, view.now)
        plan = self._plan_around(job, view, profile) if view.fits(job, where) else None
        if plan is None:
            return
        for other, _ in plan:
            yield Withdraw(other)
        yield Start(job, where=where)
        for other, _ in plan:
            # On nodes the plan may have chosen nodes that are no longer free; otherwise this is the planned
            # time.
            yield Reserve(other, view.earliest_start(other))
        yield from start_due(view)

    def _plan_around(self, job: Job, view: SystemView, profile: Profile) -> list[tuple[Job, float]] | None:
        """Return the times of all other reservations around `job`, or None if one would be too late."""
        reservations = view.reservations
        others = (other for other in view.queue
                  if other.position != job.position and other.position in reservations)  # fmt: skip
        plan = []
        for other in sorted(others, key=lambda other: reservations[other.position]):
            time = profile.earliest_for(other)
            if time > latest_start(other, view, self.factor):
                return None
            profile.hold(other, time)
            plan.append((other, time))
        return plan
