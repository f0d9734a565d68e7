"""Starting jobs around reservations of the present scheduling cycle: shared by `easy` and `plan`."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from echelon.policies.contract import Decision, Start

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.contract import Profile, SystemView


def reserve_first(
    view: SystemView, profile: Profile, limit: float
) -> Generator[Decision, None, Sequence[Job]]:
    """Give jobs their earliest slots in queue order until `limit` jobs must wait; yield those that start.

    Returns
    -------
    sequence of Job
        The jobs behind the last job that must wait, in queue order.
    """
    queue = view.queue
    waiting = 0
    for index, job in enumerate(queue):
        if not view.free:
            # No further job can start, and the slots planned here do not outlast the cycle.
            return ()
        start = profile.earliest_for(job)
        # One that is never known to start keeps nothing from others.
        where = profile.hold(job, start) if start < math.inf else None
        # Between two cycles of one instant, processors can be free in the plan but not yet in fact.
        if start <= view.now and view.fits(job, where):
            yield Start(job, where=where)
        else:
            waiting += 1
            if waiting >= limit:
                return queue[index + 1 :]
    return ()


def first_fits(view: SystemView, profile: Profile, candidates: Sequence[Job]) -> Iterator[Decision]:
    """Yield, in their order, the candidates that can start now beside the slots in `profile`."""
    for job in candidates:
        if not view.free:
            return
        if view.fits(job) and profile.earliest_for(job) <= view.now:
            where = profile.hold(job, view.now)
            if view.fits(job, where):
                yield Start(job, where=where)
