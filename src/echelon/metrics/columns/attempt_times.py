"""What attempts to run jobs left: work that lasts, what checkpoints and restarts took, and what was lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model import EndReason

if TYPE_CHECKING:
    from echelon.model import Attempts
    from echelon.model.jobs.columns import FloatColumn, IntColumn

LOSSES = (EndReason.REQUEUED, EndReason.FAILED, EndReason.EVICTED)
"""Why attempts end that the machine ended: nothing of them lasts but what was saved."""


class AttemptTimes(NamedTuple):
    """Columns of shape (n_attempts,); the last three add up to the length of each attempt, in seconds.

    Attributes
    ----------
    job : IntColumn
        The job of each.
    useful : FloatColumn
        Time that did work that lasts.
    overhead : FloatColumn
        Time that checkpoints that were kept and restarts took.
    lost : FloatColumn
        The rest. A job from which the machine took nothing loses nothing: the rest is then of its switches,
        or of its spare copies.
    """

    job: IntColumn
    useful: FloatColumn
    overhead: FloatColumn
    lost: FloatColumn

    def of_jobs(self, column: FloatColumn, jobs: int) -> FloatColumn:
        """Return the sum of a column of attempts over those of each job, shape (jobs,)."""
        return np.bincount(self.job, column, jobs).astype(np.float64, copy=False)

    def without_work(self, jobs: int) -> FloatColumn:
        """Return how long each job held processors for no lasting work, in seconds, shape (jobs,)."""
        return self.of_jobs(self.overhead + self.lost, jobs)


def attempt_times(attempts: Attempts) -> AttemptTimes:
    """Return what each attempt left.

    Notes
    -----
    Where it was not recorded, all of an attempt is useful but of one that the machine ended, which is lost.
    Time of an attempt that its user, its limit or its deadline ended is useful. A copy that was given up as
    another one had completed did nothing that lasts, but nothing of it was lost to the machine. Of a job that
    the machine ended for good nothing lasts, what checkpoints had saved of earlier attempts included.

    Cost: O(n).
    """
    length = attempts.end - attempts.start
    taken, spare = np.isin(attempts.reason, LOSSES), attempts.ended_by(EndReason.CANCELED)
    useful = np.where(taken | spare, 0.0, length) if attempts.work is None else attempts.work
    overhead = np.zeros(len(length)) if attempts.overhead is None else attempts.overhead
    for_good = np.isin(attempts.reason, (EndReason.FAILED, EndReason.EVICTED))
    # A job of which only a copy was lost for good has ended in another way, too.
    hit, done = (
        np.bincount(attempts.job, mask, attempts.n_jobs)[attempts.job] > 0
        for mask in (for_good, attempts.finished & ~for_good)
    )
    useful = np.where(hit & ~done, 0.0, useful)
    some = np.bincount(attempts.job, taken, attempts.n_jobs)[attempts.job] > 0
    lost = np.where(some & ~spare, np.maximum(0.0, length - useful - overhead), 0.0)
    return AttemptTimes(attempts.job, useful, overhead, lost)
