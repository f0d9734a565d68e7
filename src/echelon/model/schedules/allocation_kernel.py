"""The compiled loop behind `echelon.model.schedules.allocation.assign_processors`.

Free processors are kept as intervals in descending order: the lowest are at the end, where a job that
starts takes whole intervals off, and only a job that ends has to look for its place.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from echelon.libraries.kernel import entry_kernel, kernel

if TYPE_CHECKING:
    from echelon.model.jobs.columns import FloatColumn, IntColumn


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


WHO, ENDED, FREE_INTERVALS, FREE, LOGGED = range(5)
"""Places in the progress: jobs started and ended, free intervals, free processors, logged intervals."""

DONE, TOO_FEW, LOG_FULL = 0, 1, 2
"""Why the walk stops: at its end, at a job that does not fit, or where the log may have no room for a job."""


def _sample() -> tuple[Any, ...]:
    """Return arguments of the types that `allocate` takes."""
    time, whole = np.zeros(1), np.zeros(1, dtype=np.int64)
    return time, time, whole, whole, whole, whole, whole, whole, whole, whole, whole, whole


@entry_kernel("allocation", _sample, or_python=True)
def allocate(  # noqa: PLR0917  (the arrays of one loop; kernels take no keywords)
    start: FloatColumn,
    end: FloatColumn,
    size: IntColumn,
    starting: IntColumn,
    ending: IntColumn,
    begin: IntColumn,
    count: IntColumn,
    first: IntColumn,
    last: IntColumn,
    low: IntColumn,
    high: IntColumn,
    progress: IntColumn,
) -> int:
    """Walk the starts in the order `starting`, the ends in the order `ending`, and log intervals.

    Parameters
    ----------
    start, end, size, starting, ending : array
        The jobs, and their positions by start and by end.
    begin, count : IntColumn, shape (n_jobs,)
        Filled: where in the log each job's intervals begin and how many they are. `count` begins at 0.
    first, last : IntColumn
        Filled: the log, in the order of starts.
    low, high : IntColumn, shape (processors + 1,)
        The free intervals, in descending order.
    progress : IntColumn, shape (5,)
        Position of the walk, from which it resumes.

    Returns
    -------
    int
        Why it stopped: `DONE`, `TOO_FEW` or `LOG_FULL`.
    """
    n_free, free, logged, ended = progress[FREE_INTERVALS], progress[FREE], progress[LOGGED], progress[ENDED]
    why = DONE
    while progress[WHO] < len(starting):
        job = starting[progress[WHO]]
        while ended < len(ending) and end[ending[ended]] <= start[job]:
            leaver = ending[ended]
            for k in range(begin[leaver], begin[leaver] + count[leaver]):
                n_free = give_back(low, high, n_free, (first[k], last[k]))
            free += size[leaver]
            ended += 1
        wanted = size[job]
        if wanted > free:
            why = TOO_FEW
            break
        if logged + n_free > len(first):
            why = LOG_FULL
            break
        begin[job] = logged
        while wanted > 0:
            part = min(wanted, high[n_free - 1] - low[n_free - 1] + 1)
            first[logged] = low[n_free - 1]
            last[logged] = low[n_free - 1] + part - 1
            low[n_free - 1] += part
            if low[n_free - 1] > high[n_free - 1]:
                n_free -= 1
            wanted -= part
            logged += 1
        count[job] = logged - begin[job]
        free -= size[job]
        if end[job] <= start[job]:
            for k in range(begin[job], logged):
                n_free = give_back(low, high, n_free, (first[k], last[k]))
            free += size[job]
        progress[WHO] += 1
    progress[FREE_INTERVALS], progress[FREE], progress[LOGGED], progress[ENDED] = n_free, free, logged, ended
    return why
