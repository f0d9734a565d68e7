"""Steps of a pass that keeps promises from pass to pass: shared by `conservative` and its relatives."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.policies.contract import Decision, Reserve, Start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from echelon.model import Job
    from echelon.policies.contract import SystemView


def compress(view: SystemView) -> Iterator[Decision]:
    """Let every job with a promise, in queue order, once, give it up for the earliest slot from now on.

    It is never later: the old slot is free for the job itself.
    """
    promised = view.reservations
    for job in view.queue:
        if job.position in promised:
            yield Reserve(job, view.earliest_start(job))


def promise(view: SystemView, deserves: Callable[[Job], bool] = lambda _: True) -> Iterator[Decision]:
    """Promise the jobs without a promise that deserve one, in queue order, their earliest slots."""
    promised = view.reservations
    for job in view.queue:
        if job.position not in promised and deserves(job):
            yield Reserve(job, view.earliest_start(job))


def start_due(view: SystemView) -> Iterator[Decision]:
    """Start every job whose promise falls due, in queue order."""
    promised = view.reservations
    for job in view.queue:
        # Between two passes of one instant, processors can be free by plan but not yet in fact.
        due = promised.get(job.position)
        if due is not None and due <= view.now and view.fits(job):
            yield Start(job)


def latest_start(job: Job, view: SystemView, factor: float) -> float:
    """Return p + factor (p - submit time), p being the start first promised, or its promise if that is later.

    A promise comes to be later than that only when predictions proved too short and it was made again.
    """
    first = view.first_promises[job.position]
    return max(first + factor * (first - job.submit_time), view.reservations[job.position])
