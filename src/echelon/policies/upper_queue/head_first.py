"""HeadFirst: what rules share that let nobody overtake."""

from __future__ import annotations

from typing import TYPE_CHECKING

from echelon.policies.upper_queue.contract import Handing, Spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.upper_queue.contract import UpperView


class HeadFirst:
    """A rule of the upper queue that hands out the head, or nothing.

    A job too large for every cluster is offered nodes of several; if there are none, all wait.
    """

    __slots__ = ()

    def dispatch(self, view: UpperView) -> Iterator[Handing]:
        """Yield what is handed out in this pass."""
        for job in self.ordered(view):
            handing = self.hand(job, view) if view.able(job) else Spread(job)
            if handing is None:
                return
            yield handing
            if job in view.queue:
                return

    def ordered(self, view: UpperView) -> Sequence[Job]:
        """Return the waiting jobs, the head first: by arrival."""
        return view.queue

    def hand(self, job: Job, view: UpperView) -> Handing | None:
        """Return where `job`, the head, goes now; None if it waits."""
        raise NotImplementedError
