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


_STARTED = 2**62
"""The size of a job in the line that has started: it fits nowhere."""
_GAPS = 32
"""With so many of them, and more than jobs, the line is closed up."""
_TOGETHER = 64
"""Jobs of the line that are looked at together."""

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

    Cost: O(events x (waiting + running)), of which most is a scan of the line, 64 jobs at once.
    """
    numbers, row, line, sizes, planned = queue.numbers[0], queue.row, queue.line, queue.sizes, queue.planned
    kind, time, free, n = numbers.kind, numbers.now, numbers.free, numbers.waiting
    first, last, started, head, gaps = 0, numbers.running, 0, 0, 0
    shadow, extra, blocked = np.inf, 0, -1
    while True:
        # One cycle: from the head while jobs fit, then the jobs behind it that may overtake.
        i, far, at_head = head, 0, True
        while i < n:
            if not at_head and i >= far:
                far = min(i + _TOGETHER, n)
                if not _any_may(sizes[i:far], planned[i:far], free, time, shadow, extra):
                    i = far
                    continue
            size = sizes[i]
            if size > free:
                if at_head and size != _STARTED:
                    at_head, head = False, i
                    if kind == NONE or free == 0:
                        break
                    if kind == EASY and blocked != head:
                        # It stays the same until this head starts: no job ends early here.
                        blocked = head
                        shadow, extra = _shadow(row, first, last, time, free, size)
                i += 1
                continue
            end = time + planned[i]
            if not at_head and end > shadow:
                if size > extra:
                    i += 1
                    continue
                extra -= size
            sizes[i] = _STARTED
            free -= size
            _insert(row, first, last, end, size)
            queue.order[started], queue.start[started] = line[i], time
            last, started, gaps = last + 1, started + 1, gaps + 1
            if line[i] == numbers.stop:
                return started
            if free == 0 and not at_head:
                break
            i += 1
        if started == numbers.waiting or first == last:
            return started
        if gaps > _GAPS and 2 * gaps > n:
            n = _close_up(line, sizes, planned, n)
            blocked = 0 if blocked == head else -1
            head = gaps = 0
        time = row[first].end
        while first < last and row[first].end <= time:
            free += row[first].size
            first += 1


@kernel
def _any_may(sizes, planned, free, now, shadow, extra):
    """Return whether any of some jobs may start beside the head; without a branch, several at once."""
    found = 0
    for i in range(len(sizes)):
        found += (sizes[i] <= free) & ((now + planned[i] <= shadow) | (sizes[i] <= extra))
    return found > 0


@kernel
def _close_up(line, sizes, planned, n):
    """Close the gaps that started jobs left in the line; return how many wait."""
    kept = 0
    for i in range(n):
        if sizes[i] != _STARTED:
            line[kept], sizes[kept], planned[kept] = line[i], sizes[i], planned[i]
            kept += 1
    return kept


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
