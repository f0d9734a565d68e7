"""Desk: where the jobs of a multicluster wait for the broker's decision, which takes time for each."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from echelon.model import Job


class Desk:
    """Jobs that wait for a decision, first come, first served, one at a time.

    A job is in the upper queue from the moment on at which its decision is done; the cluster is chosen with
    what is known then.

    Parameters
    ----------
    time : float
        That each decision takes, in seconds, >= 0.

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
        """Return when the decision at work will be done, in seconds; infinity if there is none."""
        return self._done

    def submit(self, job: Job, now: float) -> None:
        """Let `job` wait for its decision from now on."""
        if not self.waiting:
            self._done = now + self._time
        self.waiting[job.position] = job

    def drop(self, position: int, now: float) -> None:
        """Forget a job if it waits here; the next decision begins if it was the one at work."""
        if position not in self.waiting:
            return
        at_work = next(iter(self.waiting)) == position
        del self.waiting[position]
        if at_work:
            self._done = now + self._time if self.waiting else math.inf

    def take(self, now: float) -> list[Job]:
        """Return the jobs whose decisions are done now, in order: they wait here no more."""
        decided = []
        while self._done <= now:
            job = next(iter(self.waiting.values()))
            del self.waiting[job.position]
            decided.append(job)
            self._done = now + self._time if self.waiting else math.inf
        return decided
