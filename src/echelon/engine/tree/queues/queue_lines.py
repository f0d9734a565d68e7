"""QueueLines: the queues of one inner site, each with its jobs and its rule, and which is served first."""

from __future__ import annotations

from itertools import count
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from echelon.engine.tree.queues.global_queue_view import TreeQueueView
    from echelon.model import Job
    from echelon.policies.global_queue.contract import GlobalQueueRule


class QueueLine(NamedTuple):
    """One queue.

    Attributes
    ----------
    rule : GlobalQueueRule
        Dispatches its jobs.
    view : TreeQueueView
        What the rule sees; it holds the waiting jobs.
    takes : callable (Job) -> bool
        Whether a job may join.
    """

    rule: GlobalQueueRule
    view: TreeQueueView
    takes: Callable[[Job], bool]


class QueueLines:
    """All queues of one inner site. A job waits in the first that takes it.

    Parameters
    ----------
    lines : sequence of QueueLine
        At least one.
    order : str, default "listed"
        One of `echelon.policies.global_queue.several.SERVING_ORDERS`.

    Attributes
    ----------
    jobs : dict of int to Job
        The waiting jobs of all queues by position, in the order of their arrival.

    Notes
    -----
    **Ties**: a job that several queues take joins the first. No two queues are alike in an order: two heads
    have not arrived at once, since jobs of one instant join one after another. **Cost**: O(queues)
    per arrival and per scheduling cycle.
    """

    def __init__(self, lines: Sequence[QueueLine], order: str = "listed") -> None:
        self.lines, self._order = tuple(lines), order
        self.jobs: dict[int, Job] = {}
        first = lines[0].view
        self.joined, self.left, self._sent = first.joined, first.left, first.sent
        self._is_screened = any(line.view.is_screened for line in lines)
        self._line_of: dict[int, int] = {}
        self._serial, self._arrivals = count(), dict[int, int]()
        self._first = 0

    def begin(self, now: float) -> None:
        """Note that it is `now`, in seconds."""
        for line in self.lines:
            line.view.begin(now)

    def note_change(self) -> None:
        """Note that something has changed that rules may ask about."""
        for line in self.lines:
            line.view.version += 1

    def line_for(self, job: Job) -> QueueLine:
        """Return the queue that `job` waits in, or would join: the first that takes it.

        Jobs that none takes never get here; a broker above that asks about one learns of the last queue.
        """
        if job.position not in self._line_of:
            taking = (place for place, line in enumerate(self.lines) if line.takes(job))
            self._line_of[job.position] = next(taking, len(self.lines) - 1)
        return self.lines[self._line_of[job.position]]

    def add(self, job: Job) -> None:
        """Let `job` join its queue now."""
        self.line_for(job).view.jobs[job.position] = self.jobs[job.position] = job
        self._arrivals[job.position] = next(self._serial)
        self.note_change()

    def drop(self, position: int) -> None:
        """Remove the job at `position`, which waits here no more, if it does."""
        if position in self.jobs:
            line = self.line_for(self.jobs.pop(position))
            del line.view.jobs[position]

    def restore(self, job: Job) -> None:
        """Let `job`, which was dropped, wait again as if it had not been. Cost: O(jobs log jobs)."""
        for jobs in (self.line_for(job).view.jobs, self.jobs):
            jobs[job.position] = job
            in_order = sorted(jobs.items(), key=lambda one: self._arrivals[one[0]])
            jobs.clear()
            jobs.update(in_order)
        self.note_change()

    def forget(self, position: int) -> None:
        """Forget what rules have noted about the job at `position`."""
        if position not in self.jobs:
            self._line_of.pop(position, None)
        for line in self.lines:
            line.view.notes.pop(position, None)

    def note_sent(self, job: Job, site: int) -> None:
        """Note that `job` is sent to `site` now."""
        self.line_for(job).view.note_sent(site)
        if self._is_screened:
            self._sent.add(site)

    def asks_again(self) -> bool:
        """Return whether jobs wait for what sites have decided on those that were sent to them."""
        sent = bool(self._sent)
        self._sent.clear()
        return sent and bool(self.jobs)

    def note_dispatch(self, line: QueueLine) -> None:
        """Note that a job of `line` has been dispatched."""
        self._first = (self.lines.index(line) + 1) % len(self.lines)

    def order_lines(self) -> list[QueueLine]:
        """Return the queues with waiting jobs in the order in which they are served now."""
        lines = list(self.lines)
        if self._order == "rotating":
            lines = lines[self._first :] + lines[: self._first]
        lines = [line for line in lines if line.view.jobs]
        if self._order == "oldest":
            lines.sort(key=lambda line: self._arrivals[next(iter(line.view.jobs))])
        return lines
