"""Record: every copy of every job that ran, and the resulting schedule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.model import Attempts, EndReason, Schedule

if TYPE_CHECKING:
    from echelon.engine.immediate.sites import Copy
    from echelon.model import Instance, Job
    from echelon.model.jobs.columns import FloatColumn


class Record:
    """The history of each job of a run.

    Parameters
    ----------
    instance : Instance
        The jobs.

    Attributes
    ----------
    jobs : list of Job
        The jobs by position; after its submission, a job has its submit time of the run.
    ended : int
        Number of jobs that have ended.
    passes, decisions : int
        Numbers of scheduling cycles and decisions of the metascheduler.
    """

    def __init__(self, instance: Instance) -> None:
        self._instance = instance
        self.jobs = instance.jobs()
        self.ended = self.passes = self.decisions = 0
        self.start = np.full(len(instance), np.nan)
        self.end = np.full(len(instance), np.nan)
        self.site = np.full(len(instance), -1, dtype=np.int64)
        self.cpu_time = np.full(len(instance), np.nan)
        self._copies: list[tuple[int, int, float, float, bool, float]] = []

    def submitted(self, position: int, now: float) -> Job:
        """Note that the job at `position` is submitted now; return it with this submit time."""
        job = self.jobs[position]
        if job.submit_time != now:
            job = self.jobs[position] = job._replace(submit_time=now)
        return job

    def finished(self, copy: Copy, now: float) -> None:
        """Note that `copy` has completed, and so has its job."""
        position = copy.job.position
        self.ended += 1
        self.end[position], self.site[position] = now, copy.site
        self.cpu_time[position] = copy.computed
        self._copies.append((position, copy.site, copy.start, now, True, copy.computed))

    def canceled(self, copy: Copy, now: float) -> None:
        """Note that `copy` was canceled."""
        self._copies.append((copy.job.position, copy.site, copy.start, now, False, copy.computed))

    def schedule(self, *, replicated: bool) -> Schedule:
        """Return the schedule, all jobs having ended; `replicated` says that jobs may have had copies."""
        run_time = _frozen(self.end - self.start)
        instance = self._instance
        if instance.dependencies is not None:
            instance = instance.released(np.array([job.submit_time for job in self.jobs]))
        return Schedule(
            replace(instance, run_time=run_time),
            self.start,
            {"events": 2 * len(self.jobs), "passes": self.passes, "decisions": self.decisions},
            site=self.site,
            end=_frozen(self.end),
            recorded=self._attempts() if replicated else None,
            cpu_time=_frozen(self.cpu_time),
        )

    def _attempts(self) -> Attempts:
        """Return all copies by job, then by dispatch."""
        rows = sorted(self._copies, key=lambda copy: (copy[0], copy[2], copy[3], copy[1]))
        job, site, start, end, finished, computed = zip(*rows, strict=True)
        return Attempts(
            len(self.jobs),
            np.array(job),
            np.array(site),
            np.array(start),
            np.array(end),
            np.where(finished, EndReason.COMPLETED, EndReason.CANCELED).astype(np.int8),
            copies=True,
            cpu_time=np.array(computed),
        )


def _frozen(column: FloatColumn) -> FloatColumn:
    column.flags.writeable = False
    return column
