"""DecisionQueue: jobs that wait for the decision of a broker that takes time."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Job


class DecisionQueue:
    """Jobs that wait for a decision, first come, first served, one at a time.

    What a decision is made with is the information available when it is complete.

    Parameters
    ----------
    time : float
        Duration of each decision, in seconds, >= 0.

    Attributes
    ----------
    waiting : dict of int to Job
        Jobs without a decision, by position, in the order of submission.
    """

    def __init__(self, time: float) -> None:
        self._time = time
        self._done = math.inf
        self.waiting: dict[int, Job] = {}

    def next_time(self) -> float:
        """Return when the current decision will be complete, in seconds; infinity if there is none."""
        return self._done

    def submit(self, job: Job, now: float) -> None:
        """Queue `job` for its decision."""
        if not self.waiting:
            self._done = now + self._time
        self.waiting[job.position] = job

    def drop(self, position: int, now: float) -> None:
        """Remove a job if it waits here; the next decision begins if the current one was for it."""
        if position not in self.waiting:
            return
        at_work = next(iter(self.waiting)) == position
        del self.waiting[position]
        if at_work:
            self._done = now + self._time if self.waiting else math.inf

    def take(self, now: float) -> list[Job]:
        """Remove and return the jobs whose decisions are complete now, in order."""
        decided = []
        while self._done <= now:
            job = next(iter(self.waiting.values()))
            del self.waiting[job.position]
            decided.append(job)
            self._done = now + self._time if self.waiting else math.inf
        return decided
