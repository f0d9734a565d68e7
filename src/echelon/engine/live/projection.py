"""Projection: the planned schedule of a cluster that decides elsewhere, from its queue as columns."""

from __future__ import annotations

import math
from bisect import bisect_left
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.engine.compiled.planned_queue import kind_of, plan, planned_queue
from echelon.engine.queue.waiting_queue import WaitingQueue
from echelon.policies import Planned, Running

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.engine.queue.cluster import Cluster
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


class Starts(NamedTuple):
    """The waiting jobs that start as planned, by their places in the queue, in order, and when."""

    order: NDArray[np.int64]
    start: NDArray[np.float64]


class Projection:
    """Simulates a cluster ahead under no backfilling, first-fit or EASY; twin of `simulate_ahead`.

    Parameters
    ----------
    cluster : Cluster
        Of counted processors.
    queue : ObservedQueue
        Its queue.
    """

    def __init__(self, cluster: Cluster, queue: ObservedQueue) -> None:
        self._cluster, self._queue = cluster, queue
        self._kind = kind_of(cluster.policy.scheduler)

    @property
    def is_exact(self) -> bool:
        """Whether the kernel knows all that matters now: neither reservations nor jobs with time left."""
        cluster = self._cluster
        return self._kind is not None and not (cluster.reservations or cluster.left)

    def schedule(self, job: Job | None, running: Sequence[Running]) -> list[Planned] | None:
        """Return the planned schedule; None if the kernel does not know all that matters.

        Parameters
        ----------
        job : Job, optional
            Joins the queue now.
        running : sequence of Running
            By planned end, then position.
        """
        place = None if job is None else self._queue.place_of(job)
        if job is not None and place is None:
            return None
        first = self._cluster.dispatches.first_start
        plan = [Planned(one.job, first(one.job), one.planned_end) for one in running]
        jobs = self._queue.jobs
        if job is not None and place is not None:
            jobs = [*jobs[:place], job, *jobs[place:]]
        starts = self._starts(job, place, running, stop=-1)
        for k, start in zip(starts.order.tolist(), starts.start.tolist(), strict=True):
            one = jobs[k]
            plan.append(Planned(one, start, start + one.planned_time))
        if len(starts.order) < len(jobs):
            started = set(starts.order.tolist())
            plan += [Planned(one, math.inf, math.inf) for k, one in enumerate(jobs) if k not in started]
        return plan

    def start(self, job: Job, running: Sequence[Running]) -> float | None:
        """Return when `job` would start if it joined now; see `schedule`."""
        if (place := self._queue.place_of(job)) is None:
            return None
        starts = self._starts(job, place, running, stop=place)
        if not len(starts.order) or starts.order[-1] != place:
            return math.inf
        return float(starts.start[-1])

    def _starts(self, job: Job | None, place: int | None, running: Sequence[Running], *, stop: int) -> Starts:
        sizes, planned = self._queue.columns
        if job is not None and place is not None:
            sizes = np.insert(sizes, place, job.processors)
            planned = np.insert(planned, place, job.planned_time)
        room = planned_queue(len(sizes), len(running))
        room.sizes[:], room.planned[:] = sizes, planned
        # What is larger than the cluster at present never starts, and delays no other job.
        may = sizes <= self._cluster.processors
        count = int(may.sum())
        if count < len(sizes):
            for column in (room.line, room.sizes, room.planned):
                column[:count] = column[may]
        room.row["end"][: len(running)] = [one.planned_end for one in running]
        room.row["size"][: len(running)] = [one.job.processors for one in running]
        room.numbers[0] = (
            self._cluster.now, self._cluster.free, self._kind, count, len(running), stop,
        )  # fmt: skip
        started = plan(room)
        return Starts(room.order[:started], room.start[:started])
