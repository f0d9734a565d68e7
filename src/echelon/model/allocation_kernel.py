"""The compiled loop behind `echelon.model.allocation.assign_processors`.

Free processors are kept as intervals in descending order: the lowest are at the end, where a job that
starts takes whole intervals off, and only a job that ends has to look for its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.kernel import allocating_entry_kernel, kernel

if TYPE_CHECKING:
    from echelon.model.columns import FloatColumn, IntColumn


@kernel
def give_back(low: IntColumn, high: IntColumn, n_free: int, bounds: tuple[int, int]) -> int:
    """Add the interval `bounds` to the free ones, joined to its neighbors; return how many there are now."""
    left, right = 0, n_free
    while left < right:
        middle = (left + right) // 2
        if low[middle] > bounds[0]:
            left = middle + 1
        else:
            right = middle
    joins_above = left > 0 and low[left - 1] == bounds[1] + 1
    joins_below = left < n_free and high[left] == bounds[0] - 1
    if joins_above and joins_below:
        low[left - 1] = low[left]
        for place in range(left, n_free - 1):
            low[place], high[place] = low[place + 1], high[place + 1]
        return n_free - 1
    if joins_above:
        low[left - 1] = bounds[0]
        return n_free
    if joins_below:
        high[left] = bounds[1]
        return n_free
    for place in range(n_free, left, -1):
        low[place], high[place] = low[place - 1], high[place - 1]
    low[left], high[left] = bounds
    return n_free + 1


@allocating_entry_kernel
def allocate(  # noqa: PLR0917  (the arrays of one loop; numba takes no keywords cheaply)
    start: FloatColumn,
    end: FloatColumn,
    size: IntColumn,
    starting: IntColumn,
    ending: IntColumn,
    processors: int,
) -> tuple[IntColumn, IntColumn, IntColumn, IntColumn, int, int]:
    """Walk the starts in the order `starting`, the ends in the order `ending`, and log intervals.

    Returns
    -------
    begin, count : IntColumn, shape (n_jobs,)
        Where in the log each job's intervals begin and how many they are.
    first, last : IntColumn
        The log, in the order of starts.
    failed, free : int
        Position of a job that did not fit, or -1, and the processors that were free then.
    """
    n_jobs = len(start)
    begin, count = np.zeros(n_jobs, np.int64), np.zeros(n_jobs, np.int64)
    first, last = np.empty(2 * n_jobs + processors, np.int64), np.empty(2 * n_jobs + processors, np.int64)
    low, high = np.empty(processors + 1, np.int64), np.empty(processors + 1, np.int64)
    low[0], high[0] = 0, processors - 1
    n_free, free, logged, ended = 1, processors, 0, 0
    for job in starting:
        while ended < len(ending) and end[ending[ended]] <= start[job]:
            leaver = ending[ended]
            for k in range(begin[leaver], begin[leaver] + count[leaver]):
                n_free = give_back(low, high, n_free, (first[k], last[k]))
            free += size[leaver]
            ended += 1
        wanted = size[job]
        if wanted > free:
            return begin, count, first, last, job, free
        if logged + n_free > len(first):
            first = np.concatenate((first, np.empty(len(first), np.int64)))
            last = np.concatenate((last, np.empty(len(last), np.int64)))
        begin[job] = logged
        while wanted > 0:
            taken = min(wanted, high[n_free - 1] - low[n_free - 1] + 1)
            first[logged] = low[n_free - 1]
            last[logged] = low[n_free - 1] + taken - 1
            low[n_free - 1] += taken
            if low[n_free - 1] > high[n_free - 1]:
                n_free -= 1
            wanted -= taken
            logged += 1
        count[job] = logged - begin[job]
        free -= size[job]
        if end[job] <= start[job]:
            for k in range(begin[job], logged):
                n_free = give_back(low, high, n_free, (first[k], last[k]))
            free += size[job]
    return begin, count, first[:logged], last[:logged], -1, 0
