"""The planned schedule of one cluster under EASY, first-fit and no backfilling, in queue order.

Twin of `echelon.engine.queue.look_ahead` for clusters of counted processors without reservations: all jobs
run for their planned times, and no job is submitted.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from echelon.engine.compiled.kinds import KINDS
from echelon.engine.compiled.machine.state import EASY, FIRST_FIT, NONE
from echelon.engine.compiled.planned_line import GAPS, STARTED, any_may, close_up, insert, shadow_of
from echelon.libraries.kernel import entry_kernel

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
                if not any_may(sizes[i:far], planned[i:far], free, time, shadow, extra):
                    i = far
                    continue
            size = sizes[i]
            if size > free:
                if at_head and size != STARTED:
                    at_head, head = False, i
                    if kind == NONE or free == 0:
                        break
                    if kind == EASY and blocked != head:
                        # It stays the same until this head starts: no job ends early here.
                        blocked = head
                        shadow, extra = shadow_of(row, first, last, time, free, size)
                i += 1
                continue
            end = time + planned[i]
            if not at_head and end > shadow:
                if size > extra:
                    i += 1
                    continue
                extra -= size
            sizes[i] = STARTED
            free -= size
            insert(row, first, last, end, size)
            queue.order[started], queue.start[started] = line[i], time
            last, started, gaps = last + 1, started + 1, gaps + 1
            if line[i] == numbers.stop:
                return started
            if free == 0 and not at_head:
                break
            i += 1
        if started == numbers.waiting or first == last:
            return started
        if gaps > GAPS and 2 * gaps > n:
            n = close_up(line, sizes, planned, n)
            blocked = 0 if blocked == head else -1
            head = gaps = 0
        time = row[first].end
        while first < last and row[first].end <= time:
            free += row[first].size
            first += 1
