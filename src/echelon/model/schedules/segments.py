"""Segments: the intervals in which each job of a preemptive schedule held its processors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


@dataclass(frozen=True, slots=True, eq=False)
class Segments:
    """When each job held its processors, for schedules in which a job may lose them and get them back.

    Rows are sorted by job, then by time; a job's segments do not overlap. Each may be on other processors.

    Parameters
    ----------
    job : IntColumn, shape (n_segments,)
        The job's 0-based position in the instance.
    start, end : FloatColumn, shape (n_segments,)
        In seconds; end >= start. A segment holds the switch charged at its start, then progress.

    Raises
    ------
    InputError
        If the columns differ in length, or rows are not sorted this way.
    """

    job: IntColumn
    start: FloatColumn
    end: FloatColumn

    def __post_init__(self) -> None:
        if not len(self.job) == len(self.start) == len(self.end):
            raise InputError(
                "the columns of segments must be equally long, got "
                f"{len(self.job)}, {len(self.start)}, {len(self.end)}"
            )
        wrong = self.end < self.start
        same = self.job[1:] == self.job[:-1]
        wrong[1:] |= (self.job[1:] < self.job[:-1]) | (same & (self.start[1:] < self.end[:-1]))
        if wrong.any():
            raise InputError(
                f"segments must be sorted by job and time and not overlap; row {int(wrong.argmax())} is not"
            )
        for column in (self.job, self.start, self.end):
            column.flags.writeable = False

    def __len__(self) -> int:
        """Return the number of segments."""
        return len(self.job)

    def counts(self, jobs: int) -> IntColumn:
        """Return the number of segments of each of `jobs` jobs, shape (jobs,)."""
        return np.bincount(self.job, minlength=jobs)

    def held_time(self, jobs: int) -> FloatColumn:
        """Return the total time for which each of `jobs` jobs held processors, in seconds, shape (jobs,)."""
        length = self.end - self.start
        return np.bincount(self.job, weights=length, minlength=jobs).astype(np.float64)

    def first_start(self) -> FloatColumn:
        """Return each job's first start, in seconds, in the order of the jobs."""
        return self.start[np.flatnonzero(np.diff(self.job, prepend=-1))]

    def last_end(self) -> FloatColumn:
        """Return each job's last end, in seconds, in the order of the jobs."""
        return self.end[np.flatnonzero(np.diff(self.job, append=-1))]
