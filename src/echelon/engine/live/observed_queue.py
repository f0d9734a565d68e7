"""ObservedQueue: the queue of a cluster that decides elsewhere, as columns, too."""

from __future__ import annotations

from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.queue.waiting_queue import WaitingQueue

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Job


class QueueColumns(NamedTuple):
    """Processors and planned times of waiting jobs, in queue order, shape (n_jobs,)."""

    sizes: NDArray[np.int64]
    planned: NDArray[np.float64]


class ObservedQueue(WaitingQueue):
    """`WaitingQueue` whose columns are kept until it changes.

    Attributes
    ----------
    version : int
        One more at each change.
    """

    version = 0
    _columns: QueueColumns | None = None
    # The columns, with room for more jobs.
    _room: QueueColumns

    def add(self, job: Job) -> None:
        """See `WaitingQueue.add`."""
        super().add(job)
        self.version += 1
        if self.jobs[-1] is job and self._columns is not None:
            self._columns = self._with_last(self._columns, job)
        else:
            self._columns = None

    def remove(self, job: Job) -> None:
        """See `WaitingQueue.remove`."""
        super().remove(job)
        self.version += 1
        self._columns = None

    def _with_last(self, columns: QueueColumns, job: Job) -> QueueColumns:
        """Return the columns with a job behind all others. Cost: O(1), amortized."""
        count = len(columns.sizes)
        if count == len(self._room.sizes):
            longer = max(2 * count, 64)
            self._room = QueueColumns(np.resize(columns.sizes, longer), np.resize(columns.planned, longer))
        sizes, planned = self._room
        sizes[count], planned[count] = job.processors, job.planned_time
        return QueueColumns(sizes[: count + 1], planned[: count + 1])

    @property
    def columns(self) -> QueueColumns:
        """The waiting jobs; read-only."""
        if self._columns is None:
            self._columns = self._room = QueueColumns(
                np.array([job.processors for job in self.jobs], dtype=np.int64),
                np.array([job.planned_time for job in self.jobs], dtype=np.float64),
            )
        return self._columns

    def place_of(self, job: Job) -> int | None:
        """Return the place that `job` would join at; None if the order changes with time."""
        if self._ranks is None:
            return None
        key = self._at_submission.key(job)
        return None if key is None else bisect_left(self._keys, key)
