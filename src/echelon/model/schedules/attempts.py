"""Attempts: each time a job held processors, with where, when and why it ended."""

from __future__ import annotations

from dataclasses import dataclass, replace
from enum import IntEnum
from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.errors import InputError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model.jobs.columns import FloatColumn, IntColumn


class EndReason(IntEnum):
    """Why an attempt ended.

    A reason that is added gets the next number and says in `FINISHING` whether the job is done then.
    """

    COMPLETED = 0
    """The job had all its run time."""
    KILLED = 1
    """The job was cut at its requested time, and is not run again."""
    PREEMPTED = 2
    """The job was suspended; its next attempt continues from there."""
    CANCELED = 3
    """The attempt was given up because another copy of the job had completed."""
    REQUEUED = 4
    """What the job ran on went down; its next attempt begins again, or where it was saved."""
    FAILED = 5
    """What the job ran on went down, and it is not run again."""
    STOPPED = 6
    """The job was canceled while it ran."""
    EVICTED = 7
    """Maintenance or a reservation began there, or its reservation ended, and it is not run again."""
    DEADLINE = 8
    """The job was cut at its deadline."""


FINISHING = (
    EndReason.COMPLETED,
    EndReason.KILLED,
    EndReason.FAILED,
    EndReason.STOPPED,
    EndReason.EVICTED,
    EndReason.DEADLINE,
)
"""Reasons after which a job is done. At most one attempt of a job ends for one of them."""


_FURTHER = ("cpu_time", "work", "overhead")
"""Columns that not all attempts have."""


@dataclass(frozen=True, slots=True, eq=False)
class Attempts:
    """Every attempt to run a job: when it held processors, where, and why that ended.

    A job has no attempt if it never started, one if it ran from its start to its end, and several if it was
    preempted or ran as several copies. Rows are in order of job, then start.

    Parameters
    ----------
    n_jobs : int
        Jobs of the instance, those without an attempt included.
    job : IntColumn, shape (n_attempts,)
        The job's 0-based position in the instance.
    site : IntColumn, shape (n_attempts,)
        Place of the site in the instance's platform, -1 where there are no sites. Attempts of one job at one
        site may each be on other processors.
    start, end : FloatColumn, shape (n_attempts,)
        In seconds; end >= start. An attempt holds the switch charged at its start, then progress.
    reason : ndarray of int8, shape (n_attempts,)
        Why it ended: 0 completed, 1 killed (cut at its requested time), 2 preempted, 3 canceled (another copy
        of the job had completed), 4 requeued, 5 failed, 6 stopped, 7 evicted, 8 deadline; see `reason_names`.
    copies : bool, default False
        Whether jobs may run as several copies. Then attempts of a job may overlap, and else they may not.
    suspends : bool, default False
        Whether beside copies of some jobs others were preempted or paid a switch.
    cpu_time : FloatColumn, shape (n_attempts,), optional
        How long each process of the job had computed in this attempt, in seconds; where jobs may run as
        several copies on time-shared machines.
    work, overhead : FloatColumn, shape (n_attempts,), optional
        Of the seconds of each attempt those that did work that was not lost, and those that checkpoints that
        were kept and restarts took; the rest was lost. Default: nothing was lost or saved.

    Raises
    ------
    InputError
        If the columns differ in length, rows are not sorted this way, attempts overlap that may not, a
        position or a reason is unknown, a start is not finite, or a job is done twice.
    """

    n_jobs: int
    job: IntColumn
    site: IntColumn
    start: FloatColumn
    end: FloatColumn
    reason: NDArray[np.int8]
    copies: bool = False
    suspends: bool = False
    cpu_time: FloatColumn | None = None
    work: FloatColumn | None = None
    overhead: FloatColumn | None = None

    @classmethod
    def one_each(
        cls, start: FloatColumn, end: FloatColumn, *, site: IntColumn | None, killed: NDArray[np.bool_]
    ) -> Attempts:
        """Return the attempts of jobs that each ran once, from start to end.

        Parameters
        ----------
        start, end : FloatColumn, shape (n_jobs,)
            In seconds.
        site : IntColumn, shape (n_jobs,), optional
            Place of each job's site; None where there are no sites.
        killed : ndarray of bool, shape (n_jobs,)
            Whether each job was cut at its requested time.

        Notes
        -----
        Cost: O(n_jobs); columns that are given are not copied.
        """
        n_jobs = len(start)
        # A column of one value takes no memory.
        nowhere = np.broadcast_to(np.int64(-1), n_jobs)
        completed = np.broadcast_to(np.int8(EndReason.COMPLETED), n_jobs)
        reason = end_reasons(killed) if killed.any() else completed
        return cls(n_jobs, np.arange(n_jobs), nowhere if site is None else site, start, end, reason)

    def __post_init__(self) -> None:
        columns: list[NDArray[Any]] = [self.job, self.site, self.start, self.end, self.reason]
        columns += [column for name in _FURTHER if (column := getattr(self, name)) is not None]
        if len({len(column) for column in columns}) > 1:
            lengths = ", ".join(str(len(column)) for column in columns)
            raise InputError(f"the columns of attempts must be equally long, got {lengths}")
        self._check_values()
        self._check_order()
        for column in columns:
            column.flags.writeable = False

    def _check_values(self) -> None:
        rules = (
            ((self.job < 0) | (self.job >= self.n_jobs), f"a job from 0 to {self.n_jobs - 1}", self.job),
            (~np.isfinite(self.start), "a finite start", self.start),
            (~(self.end >= self.start), "an end not before the start", self.end),
            ((self.reason < 0) | (self.reason >= len(EndReason)), "a known reason", self.reason),
        )
        for wrong, expected, column in rules:
            if wrong.any():
                row = int(wrong.argmax())
                raise InputError(f"an attempt has {expected}, got {column[row]} in row {row}")

    def _check_order(self) -> None:
        same = self.job[1:] == self.job[:-1]
        earliest = self.start[:-1] if self.copies else self.end[:-1]
        wrong = (self.job[1:] < self.job[:-1]) | (same & (self.start[1:] < earliest))
        if wrong.any():
            rule = "by job and start" if self.copies else "by job and time and not overlap"
            raise InputError(f"attempts must be sorted {rule}; row {int(wrong.argmax()) + 1} is not")
        times = np.bincount(self.job[self.finished], minlength=1)
        if times.max() > 1:
            raise InputError(f"a job is done once; the one at position {int(times.argmax())} is done again")

    def __len__(self) -> int:
        """Return the number of attempts."""
        return len(self.job)

    @property
    def _further(self) -> tuple[str, ...]:
        """The names of the optional columns that these attempts have."""
        return tuple(name for name in _FURTHER if getattr(self, name) is not None)

    @property
    def finished(self) -> NDArray[np.bool_]:
        """Whether the job was done at the end of each attempt, shape (n_attempts,)."""
        return np.isin(self.reason, FINISHING)

    @property
    def reason_names(self) -> NDArray[np.str_]:
        """Why each attempt ended, in words such as ``"preempted"``, shape (n_attempts,)."""
        return np.array([reason.name.lower() for reason in EndReason])[self.reason]

    def ended_by(self, reason: EndReason) -> NDArray[np.bool_]:
        """Return whether each attempt ended for this reason, shape (n_attempts,)."""
        matches: NDArray[np.bool_] = self.reason == reason
        return matches

    def with_killed(self, killed: NDArray[np.bool_]) -> Attempts:
        """Return the attempts with the last of each of these jobs cut, shape of `killed` (n_jobs,)."""
        ended = self.ended_by(EndReason.COMPLETED) | self.ended_by(EndReason.KILLED)
        reason = np.where(ended, end_reasons(killed[self.job]), self.reason).astype(np.int8)
        return replace(self, reason=reason)

    def take(self, positions: IntColumn) -> Attempts:
        """Return the attempts of the jobs at `positions`, ascending, which are numbered from 0 again."""
        rows = np.isin(self.job, positions)
        names = ("site", "start", "end", "reason", *self._further)
        columns = {name: getattr(self, name)[rows] for name in names}
        job = np.searchsorted(positions, self.job[rows])
        return replace(self, n_jobs=len(positions), job=job, **columns)

    def counts(self, *, reason: EndReason | None = None) -> IntColumn:
        """Return how many attempts each job had, or how many that ended for `reason`, shape (n_jobs,)."""
        job = self.job if reason is None else self.job[self.ended_by(reason)]
        return np.bincount(job, minlength=self.n_jobs)

    def held_time(self) -> FloatColumn:
        """Return the total time of each job's attempts, in seconds, 0 of one without, shape (n_jobs,)."""
        length = self.end - self.start
        return np.bincount(self.job, weights=length, minlength=self.n_jobs).astype(np.float64)

    def first_start(self) -> FloatColumn:
        """Return each job's first start, in seconds, nan of one that never started, shape (n_jobs,)."""
        starts, first = np.full(self.n_jobs, np.nan), self._firsts()
        starts[self.job[first]] = self.start[first]
        return starts

    def held_sizes(self, size: IntColumn, otherwise: FloatColumn) -> FloatColumn:
        """Return how many processors each attempt had, shape (n_attempts,), of those that it shared its part.

        Parameters
        ----------
        size : IntColumn, shape (n_attempts,)
            Processes of each.
        otherwise : FloatColumn, shape (n_attempts,)
            What is returned where it was not recorded how long processes computed.
        """
        if self.cpu_time is None:
            return otherwise
        length = self.end - self.start
        return np.divide(self.cpu_time * size, length, out=otherwise.copy(), where=length > 0)

    def last_end(self) -> FloatColumn:
        """Return the end of each job's last attempt, in seconds, nan of one without, shape (n_jobs,)."""
        ends, first = np.full(self.n_jobs, np.nan), self._firsts()
        if len(first):
            ends[self.job[first]] = np.maximum.reduceat(self.end, first)
        return ends

    def one_after_another(self) -> Attempts:
        """Return attempts that do not overlap: copies that ran side by side are one, from first to last.

        It ends as the copy that completed did, or else the one that ended last. Cost: O(n log n).
        """
        if not self.copies:
            return self
        apart, kept = self._apart(), self.find_deciding()
        return Attempts(
            self.n_jobs,
            self.job[kept],
            self.site[kept],
            self.start[apart],
            self.end[kept],
            self.reason[kept],
        )

    def find_deciding(self) -> IntColumn:
        """Return of attempts that ran side by side the row that completed, else that which ended last."""
        if not self.copies:
            return np.arange(len(self.job))
        group = np.cumsum(self._apart()) - 1
        last = np.lexsort((self.finished, self.end, group))
        return last[np.flatnonzero(np.diff(group[last], append=len(self.job)))]

    def side_by_side(self) -> Attempts:
        """Return the attempts of jobs that may have several copies: those that never waited again."""
        if not self.suspends:
            return self
        again = self.ended_by(EndReason.PREEMPTED) | self.ended_by(EndReason.REQUEUED)
        kept = np.bincount(self.job[again], minlength=self.n_jobs)[self.job] == 0
        names = ("job", "site", "start", "end", "reason", *self._further)
        return replace(self, **{name: getattr(self, name)[kept] for name in names})

    def resumptions(self) -> IntColumn:
        """Return the rows whose job was preempted or requeued in the row before: it waited in between."""
        waits = self.ended_by(EndReason.PREEMPTED) | self.ended_by(EndReason.REQUEUED)
        return np.flatnonzero((self.job[1:] == self.job[:-1]) & waits[:-1]) + 1

    def restarts(self) -> IntColumn:
        """Return the rows whose job was requeued in the row before: it began again, or where it was saved.

        A copy that was sent while others ran is no restart.
        """
        again = (self.job[1:] == self.job[:-1]) & self.ended_by(EndReason.REQUEUED)[:-1]
        return np.flatnonzero(again & self._apart()[1:] if self.copies else again) + 1

    def _apart(self) -> NDArray[np.bool_]:
        """Return whether each row begins while no other attempt of its job runs. Cost: O(n log n)."""
        rows = len(self.job)
        order = np.argsort(self.end, kind="stable")
        rank = np.empty(rows, dtype=np.int64)
        rank[order] = np.arange(rows)
        # By rank, so that the job can be counted in without rounding.
        reach = np.maximum.accumulate(self.job * rows + rank) - self.job * rows
        apart = np.ones(rows, dtype=np.bool_)
        apart[1:] = (np.diff(self.job) > 0) | (self.start[1:] >= self.end[order[reach[:-1]]])
        return apart

    def _firsts(self) -> IntColumn:
        """Return the row of the first attempt of each job that has one."""
        begins = np.ones(len(self.job), dtype=np.bool_)
        np.not_equal(self.job[1:], self.job[:-1], out=begins[1:])
        return np.flatnonzero(begins)


def end_reasons(killed: NDArray[np.bool_]) -> NDArray[np.int8]:
    """Return why the last attempt of each of some jobs ended: it completed, or was cut, shape as `killed`."""
    return np.where(killed, EndReason.KILLED, EndReason.COMPLETED).astype(np.int8)
