"""The planned schedule of one cluster under EASY, first-fit and no backfilling, in queue order.

Twin of `echelon.engine.queue.look_ahead` for clusters of counted processors without reservations: all jobs
run for their planned times, and no job is submitted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.kinds import KINDS
from echelon.engine.compiled.state import EASY, FIRST_FIT, NONE
from echelon.libraries.kernel import entry_kernel, kernel

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.policies import Scheduler

NUMBERS_TYPE = np.dtype(
    [
        ("now", np.float64),
        ("free", np.int64),  # processors
        ("kind", np.int64),  # NONE, FIRST_FIT or EASY
        ("waiting", np.int64),
        ("running", np.int64),
        ("stop", np.int64),  # the place of the job that alone is asked about, -1 without
    ]
)
ROW_TYPE = np.dtype([("end", np.float64), ("size", np.int64)], align=True)
"""A running job."""


class PlannedQueue(NamedTuple):
    """A cluster, and when its waiting jobs start.

    Attributes
    ----------
    numbers : NUMBERS_TYPE[1]
        The cluster.
    line : int64[waiting]
        The places of the waiting jobs in the queue; overwritten.
    sizes, planned : int64[waiting], float64[waiting]
        Their processors and planned times; overwritten.
    row : ROW_TYPE[running + waiting]
        The running jobs by planned end.
    order, start : int64[waiting], float64[waiting]
        The places of the waiting jobs as they start, and when they do: these are the results.
    """

    numbers: NDArray[Any]
    line: NDArray[np.int64]
    sizes: NDArray[np.int64]
    planned: NDArray[np.float64]
    row: NDArray[Any]
    order: NDArray[np.int64]
    start: NDArray[np.float64]


_KINDS = {"none": NONE, "first-fit": FIRST_FIT, "easy": EASY}


def kind_of(scheduler: Scheduler) -> int | None:
    """Return the kind of a scheduler whose planned schedule is in a kernel; None of any other."""
    if type(scheduler) not in KINDS or scheduler.name not in _KINDS:
        return None
    # EASY with all its defaults.
    if scheduler.name == "easy" and scheduler != type(scheduler)():
        return None
    return _KINDS[scheduler.name]


def planned_queue(waiting: int, running: int) -> PlannedQueue:
    """Return room for a cluster of so many jobs."""
    return PlannedQueue(
        np.zeros(1, dtype=NUMBERS_TYPE),
        np.arange(waiting),
        np.empty(waiting, dtype=np.int64),
        np.empty(waiting),
        np.empty(running + waiting, dtype=ROW_TYPE),
        np.empty(waiting, dtype=np.int64),
        np.empty(waiting),
    )


def _sample() -> tuple[PlannedQueue]:
    return (planned_queue(1, 1),)


@entry_kernel("planned_queue", _sample, or_python=True)
def plan(queue):
    """Fill in when jobs start; return how many have, up to the one that is asked about.

    Cost: O(events x (waiting + running)).
    """
    numbers, row = queue.numbers[0], queue.row
    line, sizes, planned = queue.line, queue.sizes, queue.planned
    kind, time, free, stop = numbers.kind, numbers.now, numbers.free, numbers.stop
    n, first, last, started = numbers.waiting, 0, numbers.running, 0
    while True:
        # One cycle: from the head while jobs fit, then the jobs behind it that may overtake.
        shadow, extra, head, kept = np.inf, 0, -1, 0
        closed = False
        for i in range(n):
            size = sizes[i]
            starts = not closed and size <= free
            if starts and head >= 0 and time + planned[i] > shadow:
                starts = size <= extra
                if starts:
                    extra -= size
            if starts:
                end = time + planned[i]
                free -= size
                _insert(row, first, last, end, size)
                last += 1
                queue.order[started], queue.start[started] = line[i], time
                started += 1
                if line[i] == stop:
                    return started
            else:
                if head < 0:
                    head = i
                    if kind == NONE:
                        closed = True
                    elif kind == EASY and free != 0:
                        shadow, extra = _shadow(row, first, last, time, free, size)
                line[kept], sizes[kept], planned[kept] = line[i], size, planned[i]
                kept += 1
            closed = closed or (head >= 0 and free == 0)
            if closed and kept == i + 1:
                # Nothing has started: all stay where they are.
                kept = n
                break
        n = kept
        if n == 0 or first == last:
            return started
        time = row[first].end
        while first < last and row[first].end <= time:
            free += row[first].size
            first += 1


@kernel
def _insert(row, first, last, end, size):
    """Insert a job that has started into row[first:last]."""
    k = last
    while k > first and row[k - 1].end > end:
        row[k].end, row[k].size = row[k - 1].end, row[k - 1].size
        k -= 1
    row[k].end, row[k].size = end, size


@kernel
def _shadow(row, first, last, now, free, need):
    """Return when `need` processors will be free, and how many more then."""
    shadow = now
    for k in range(first, last):
        # Every job whose planned end is not later than the shadow time counts, ties included.
        if free >= need and row[k].end > shadow:
            break
        free += row[k].size
        shadow = row[k].end
    return shadow, free - need
