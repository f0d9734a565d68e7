"""HeadFirst: the base of rules under which no job overtakes the head."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.policies.global_queue.contract import Handing, Spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.global_queue.contract import GlobalQueueView


class HeadFirst:
    """A rule of the global queue that dispatches only the head.

    A job too large for every cluster may get nodes of several; if they are not free, all jobs wait.
    """

    __slots__ = ()

    def dispatch(self, view: GlobalQueueView) -> Iterator[Handing]:
        """Yield the dispatches of this scheduling cycle."""
        for job in self.order_jobs(view):
            handing = self.hand(job, view) if view.able(job) else Spread(job)
            if handing is None:
                return
            yield handing
            if job in view.queue:
                return

    def order_jobs(self, view: GlobalQueueView) -> Sequence[Job]:
        """Return the waiting jobs, the head first: by arrival."""
        return view.queue

    def hand(self, job: Job, view: GlobalQueueView) -> Handing | None:
        """Return the dispatch of the head `job` now; None if it waits."""
        raise NotImplementedError
