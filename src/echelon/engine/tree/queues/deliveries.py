"""Deliveries: what follows from a job's way through a global queue, where sites have queues of their own."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.model.jobs.columns import read_only

if TYPE_CHECKING:
    from echelon.model import Job, Schedule


class Deliveries:
    """When each job left the global queue for a site.

    Parameters
    ----------
    jobs : int
        The jobs of the run.
    """

    def __init__(self, jobs: int) -> None:
        self.delivered = np.full(jobs, np.nan)

    def grow(self, jobs: int) -> None:
        """Take in jobs that were not known before: there are so many now."""
        self.delivered = np.append(self.delivered, np.full(jobs - len(self.delivered), np.nan))

    def deliver(self, job: Job, sites: tuple[int, ...], now: float, *, again: bool = False) -> Job:
        """Note that `job` goes to the queues of these sites; return it as they know it.

        What is recorded is its first way: it has started before if it goes `again`.
        """
        if not again:
            self.delivered[job.position] = now
        return job

    def note_joining(self, job: Job, site: int) -> None:
        """Note that `job` joins the queue of `site` next."""

    def note_change(self, site: int) -> None:
        """Note that the state of `site` changes now."""

    def note_withdrawal(self, job: Job, site: int) -> None:
        """Note that the copy of `job` at `site` is withdrawn, since another has started."""

    def note_start(self, job: Job, site: int) -> None:
        """Note that `job` has started at `site`."""

    def forget(self, job: Job) -> None:
        """Note that `job` waits no more."""

    def find(self, job: Job, now: float) -> tuple[int, ...] | None:
        """Return parts of several sites on which `job` could start together now, or None."""
        return None

    def spread(self, job: Job, where: tuple[int, ...], now: float) -> tuple[int, ...]:
        """Start `job` on these parts of several sites now; return the sites."""
        raise NotImplementedError

    def schedule(self, plain: Schedule) -> Schedule:
        """Return the schedule with the deliveries."""
        return replace(plain, delivered=read_only(self.delivered))
