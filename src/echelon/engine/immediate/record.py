"""Record: every copy of every job that ran, and the resulting schedule."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from echelon.model import Attempts, EndReason, Schedule
from echelon.model.jobs.columns import read_only

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.engine.immediate.site import Copy
    from echelon.model import Instance
    from echelon.model.jobs.columns import FloatColumn


class Record:
    """The history of each job of a run.

    Parameters
    ----------
    instance : Instance
        The jobs.

    Attributes
    ----------
    end : FloatColumn
        When each job ended here, in seconds; nan for the others.
    """

    def __init__(self, instance: Instance) -> None:
        self.end = np.full(len(instance), np.nan)
        self._start = np.full(len(instance), np.nan)
        self.cpu_time = np.full(len(instance), np.nan)
        self._cut = np.zeros(len(instance), dtype=np.bool_)
        self._copies: list[tuple[int, int, float, float, EndReason, float]] = []

    def note_end(self, copy: Copy, now: float, *, cut: bool) -> None:
        """Note that `copy` has completed, or was cut as the last of its job, and the job with it."""
        position = copy.job.position
        self._start[position], self.end[position] = copy.start, now
        self._cut[position] = cut
        self.cpu_time[position] = copy.computed
        self._copies.append((position, copy.site, copy.start, now, EndReason.COMPLETED, copy.computed))

    def note_cancellation(self, copy: Copy, now: float) -> None:
        """Note that `copy` was canceled."""
        self._copies.append(
            (copy.job.position, copy.site, copy.start, now, EndReason.CANCELED, copy.computed)
        )

    def note_loss(self, copy: Copy, now: float) -> None:
        """Note that `copy` was lost with its machine; nothing if it has only just started."""
        if copy.start < now:
            row = (copy.job.position, copy.site, copy.start, now, EndReason.REQUEUED, copy.computed)
            self._copies.append(row)

    def schedule(self, plain: Schedule, *, replicated: bool, interrupted: bool) -> Schedule:
        """Return the schedule with what happened here.

        Jobs may have had copies here if `replicated`; elsewhere some were preempted or paid a switch if
        `interrupted`.
        """
        here = np.isfinite(self.end)
        end = np.where(here, self.end, plain.end_time)
        # Copies run beside each other, attempts one after another: the last one counts.
        since = _last_starts(plain.attempts) if replicated else self._start
        run_time = np.where(here, self.end - since, plain.instance.run_time)
        killed = np.where(here, self._cut, plain.instance.killed)
        return replace(
            plain,
            instance=replace(plain.instance, run_time=read_only(run_time), killed=read_only(killed)),
            end=read_only(end),
            recorded=self._attempts(plain, killed, suspends=interrupted)
            if replicated
            else self._merge_attempts(plain.recorded, killed),
            cpu_time=read_only(self.cpu_time),
        )

    def _merge_attempts(self, attempts: Attempts | None, killed: NDArray[np.bool_]) -> Attempts | None:
        """Return the attempts of a run in which jobs of other sites were preempted, with the ends here."""
        if attempts is None:
            return None
        last = np.diff(attempts.job, append=-1) != 0
        here = self.end[attempts.job]
        ended = replace(attempts, end=read_only(np.where(last & np.isfinite(here), here, attempts.end)))
        return ended.with_killed(killed)

    def _attempts(self, plain: Schedule, killed: NDArray[np.bool_], *, suspends: bool) -> Attempts:
        """Return all copies by job, then by dispatch, with the attempts of the jobs that ran elsewhere."""
        rows = [*self._copies]
        once = plain.attempts
        lost = {row[0]: at for at, row in enumerate(rows)}
        for row in np.flatnonzero(~np.isfinite(self.end)[once.job]):
            if (at := lost.get(int(once.job[row]))) is not None:
                # It ran here, and lost its last copy for good.
                rows[at] = (*rows[at][:4], EndReason(once.reason[row]), rows[at][5])
                continue
            start, end = float(once.start[row]), float(once.end[row])
            place = int(once.job[row]), int(once.site[row])
            rows.append((*place, start, end, EndReason(once.reason[row]), end - start))
        rows.sort(key=lambda row: (row[0], row[2], row[3], row[1]))
        job, site, start_time, end_time, reason, computed = map(np.array, zip(*rows, strict=True))
        attempts = Attempts(
            len(self.end), job, site, start_time, end_time, reason.astype(np.int8),
            copies=True, suspends=suspends, cpu_time=computed,
        )  # fmt: skip
        return _account_work(attempts.with_killed(killed), once)


def _last_starts(attempts: Attempts) -> FloatColumn:
    """Return the start of the last attempt of each job, in seconds, nan of one without, shape (n_jobs,)."""
    starts = np.full(attempts.n_jobs, np.nan)
    starts[attempts.job] = attempts.start
    return starts


def _account_work(copies: Attempts, once: Attempts) -> Attempts:
    """Return copies with the work and overhead of the attempts that they make up; others did none that lasts.

    What an attempt saved is that of its last copy: in seconds of the copy.
    """
    deciding = copies.find_deciding()
    if once.work is None or once.overhead is None or not np.array_equal(copies.job[deciding], once.job):
        return copies
    length = once.end - once.start
    share = np.divide(
        (copies.end - copies.start)[deciding], length, where=length > 0, out=np.ones(len(length))
    )
    work, overhead = np.zeros(len(copies)), np.zeros(len(copies))
    work[deciding], overhead[deciding] = once.work * share, once.overhead * share
    return replace(copies, work=work, overhead=overhead)
