"""Starting jobs around promises made in this very pass: shared by `easy` and `plan`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.policies.contract import Decision, Start

if TYPE_CHECKING:
    from collections.abc import Generator, Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.contract import Profile, SystemView


def reserve_first(
    view: SystemView, profile: Profile, limit: float
) -> Generator[Decision, None, Sequence[Job]]:
    """Give jobs their earliest slots in queue order until `limit` had to wait; yield those that start.

    Returns
    -------
    sequence of Job
        The jobs behind the last one that had to wait, in queue order.
    """
    queue = view.queue
    waiting = 0
    for index, job in enumerate(queue):
        if not view.free:
            # Nobody can start any more, and what is laid out here does not outlive the pass.
            return ()
        start = profile.earliest_for(job)
        where = profile.hold(job, start)
        # Between two passes of one instant, processors can be free by plan but not yet in fact.
        if start <= view.now and view.fits(job, where):
            yield Start(job, where=where)
        else:
            waiting += 1
            if waiting >= limit:
                return queue[index + 1 :]
    return ()


def first_fits(view: SystemView, profile: Profile, candidates: Sequence[Job]) -> Iterator[Decision]:
    """Yield, in their order, the candidates that can start now without touching what `profile` holds."""
    for job in candidates:
        if not view.free:
            return
        if view.fits(job) and profile.earliest_for(job) <= view.now:
            where = profile.hold(job, view.now)
            if view.fits(job, where):
                yield Start(job, where=where)
