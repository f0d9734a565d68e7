"""Steps of backfillings that keep reservations from cycle to cycle: `conservative` and related rules."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.policies.contract import Decision, Reserve, Start

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from echelon.model import Job
    from echelon.policies.contract import SystemView


def renew_reservations(
    view: SystemView, deserves: Callable[[Job], bool] = lambda _: True
) -> Iterator[Decision]:
    """Compress, if a job ended early; then reserve for eligible jobs, and start those whose slot is due.

    Compressing moves every reservation, in queue order, once, to the earliest slot from now on: it is never
    later, since the old slot is free for the job itself. Then eligible jobs without a reservation get the
    earliest slots, in queue order; a job that is never known to start gets none.
    """
    reservations = view.reservations
    if view.ended_early:
        for job in view.queue:
            if job.position in reservations:
                yield Reserve(job, view.earliest_start(job))
    for job in view.queue:
        wants = job.position not in reservations and deserves(job)
        if wants and (start := view.earliest_start(job)) < math.inf:
            yield Reserve(job, start)
    yield from start_due(view)


def start_due(view: SystemView) -> Iterator[Decision]:
    """Start every job whose reservation is due, in queue order."""
    reservations = view.reservations
    for job in view.queue:
        # Between two cycles of one instant, processors can be free in the plan but not yet in fact.
        due = reservations.get(job.position)
        if due is not None and due <= view.now and view.fits(job):
            yield Start(job)


def latest_start(job: Job, view: SystemView, factor: float) -> float:
    """Return p + factor (p - submit time), with the first reserved start p, or the reserved start if later.

    A reservation is later than that only if predictions were too short and it was made again.
    """
    first = view.first_reservations[job.position]
    return max(first + factor * (first - job.submit_time), view.reservations[job.position])
