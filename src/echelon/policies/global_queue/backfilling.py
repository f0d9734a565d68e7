"""Backfilling in the global queue: later jobs are sent if this does not delay the head's forecast start."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from echelon.policies.global_queue.contract import Deliver, Handing, Spread

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from echelon.model import Job
    from echelon.policies.global_queue.contract import GlobalQueueView


@dataclass(frozen=True, slots=True)
class GlobalBackfilling:
    """Send the head as FCFS does; when no cluster takes it, send later jobs that do not delay it.

    The head is expected to start in the cluster of its least forecast wait, S seconds from now. A later job
    is handed to another cluster that takes it, or to that one if it is forecast to be through there, wait and
    run, within S. A head too large for every cluster has no forecast start: then any job is sent.

    Notes
    -----
    **Ties**: of equal waits the lowest cluster. **Cost**: a forecast a cluster for the head, one more a job.
    **Source**: M-CISNE thesis, section 2.5.1 (named, not defined for bounded queues); the rule is ours.
    """

    name: ClassVar[str] = "backfilling"
    source: ClassVar[str] = "Lérida Monsó, UAB 2009, 2.5.1"

    def dispatch(self, view: GlobalQueueView) -> Iterator[Handing]:
        """Yield the dispatches of this scheduling cycle."""
        queue = view.queue
        for place, head in enumerate(queue):
            if not view.able(head):
                yield Spread(head)
                if head in view.queue:
                    yield from self._send_behind(queue[place + 1 :], view, -1, 0.0)
                    return
                continue
            takers = [site for site in view.able(head) if view.accepts(head, site)]
            if not takers:
                waits = {site: view.forecast(head, site).wait for site in view.able(head)}
                best = min(waits, key=waits.__getitem__)
                yield from self._send_behind(queue[place + 1 :], view, best, waits[best])
                return
            yield Deliver(head, view.choose(head, takers))

    def _send_behind(
        self, queue: Sequence[Job], view: GlobalQueueView, kept: int, within: float
    ) -> Iterator[Handing]:
        """Yield the jobs behind a blocked head that leave cluster `kept` free for it by then."""
        for job in queue:
            takers = [
                site
                for site in view.able(job)
                if view.accepts(job, site) and (site != kept or view.forecast(job, site).turnaround <= within)
            ]
            if takers:
                yield Deliver(job, view.choose(job, takers))
