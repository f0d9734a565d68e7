"""Steps: queue length and busy processors over time, exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.model.schedules.features import Feature, recorded_features, there

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class Steps(NamedTuple):
    """A step function of time: 0 before the first time, then ``value[k]`` from ``time[k]`` on.

    Attributes
    ----------
    time : FloatColumn, shape (n_steps,)
        In seconds, strictly ascending.
    value : IntColumn, shape (n_steps,)
        After everything that happens at that time.
    """

    time: FloatColumn
    value: IntColumn

    def at(self, times: FloatColumn) -> IntColumn:
        """Return the value at each of `times`, in seconds, in any order.

        Cost: O(m log n) for m times and n steps.
        """
        before = np.concatenate((np.zeros(1, dtype=np.int64), self.value))
        return before[np.searchsorted(self.time, times, side="right")]

    def changes(self) -> Steps:
        """Return the same function without the steps at which its value stays as it was."""
        changed = np.flatnonzero(np.diff(self.value, prepend=0))
        return Steps(self.time[changed], self.value[changed])


def queue_length(schedule: Schedule) -> Steps:
    """Return how many jobs wait at each time: those submitted but not started, and those suspended.

    Parameters
    ----------
    schedule : Schedule
        Any.

    Returns
    -------
    Steps
        One step at every time at which a job joins or leaves the queue; in jobs. The last value is 0.

    Notes
    -----
    Ties: a value holds after all submissions and starts of its instant, so a job that starts when it is
    submitted never counts.

    Cost: O(n log n).
    """
    join, leave = waiting_intervals(schedule)
    return step_function(join, leave, np.ones(len(join), dtype=np.int64))


def waiting_intervals(schedule: Schedule) -> tuple[FloatColumn, FloatColumn]:
    """Return when jobs joined the queue and when they left it: at submission, and at each preemption.

    Returns
    -------
    tuple of FloatColumn, shape (n_intervals,)
        In seconds. Cost: O(n).
    """
    if (attempts := schedule.segments) is None:
        return schedule.instance.submit_time, schedule.start_time
    again = attempts.resumptions()
    join = np.concatenate((schedule.instance.submit_time, attempts.end[again - 1]))
    return join, np.concatenate((schedule.start_time, attempts.start[again]))


def busy_processors(schedule: Schedule) -> Steps:
    """Return how many processors are held at each time.

    Parameters
    ----------
    schedule : Schedule
        Any.

    Returns
    -------
    Steps
        One step at every distinct time at which a job gets or gives back processors; in processors. The
        last value is 0.

    Notes
    -----
    Ties: at equal times ends come before starts, so a processor that passes from one job to the next
    counts once.

    Cost: O(n log n).
    """
    job, start, end = schedule.holding
    size = schedule.instance.size[job]
    if Feature.CORES in recorded_features(schedule):
        held = there(schedule.holdings)
        # Of jobs elsewhere it is not known which cores they held.
        other = ~np.isin(job, held.job)
        start, end = np.append(held.start, start[other]), np.append(held.release, end[other])
        size = np.append(held.held, size[other])
    return step_function(start, end, size)


def step_function(
    enter: FloatColumn,
    leave: FloatColumn,
    weight: IntColumn,
    *,
    orders: tuple[IntColumn, IntColumn] | None = None,
) -> Steps:
    """Return the sum of the weights that have entered and not left, over time.

    Parameters
    ----------
    enter, leave : FloatColumn, shape (n,)
        In seconds.
    weight : IntColumn, shape (n,)
        What each counts for.
    orders : tuple of IntColumn, each of shape (n,), optional
        Positions by time of entering and by time of leaving, where these are known.

    Returns
    -------
    Steps
        One step at every distinct time.

    Notes
    -----
    Ties: a value holds after all that enters and leaves at its instant. Cost: O(n log n); half of it with
    `orders`.
    """
    change = -weight
    if orders is not None:
        # Two ascending runs, which a stable sort merges.
        by_enter, by_leave = orders
        enter, weight, leave, change = enter[by_enter], weight[by_enter], leave[by_leave], change[by_leave]
    times = np.concatenate((enter, leave))
    order = np.argsort(times, kind="stable")
    times = times[order]
    last = np.flatnonzero(times[1:] != times[:-1])
    last = np.append(last, len(times) - 1) if len(times) else last
    sums = np.concatenate((weight, change))[order]
    return Steps(times[last], np.cumsum(sums, out=sums)[last])


def held_shares(
    owner: IntColumn, start: FloatColumn, end: FloatColumn, size: IntColumn, *, capacity: IntColumn,
    edges: FloatColumn,
) -> NDArray[np.float64]:  # fmt: skip
    """Return the share of what each owner has that was held, on average between each two moments.

    Parameters
    ----------
    owner : IntColumn, shape (n,)
        Whose processors or cores, 0 to the number of owners - 1.
    start, end, size : arrays, shape (n,)
        From when to when, in seconds, and how many.
    capacity : IntColumn, shape (n_owners,)
        What each has, >= 1.
    edges : FloatColumn, shape (k + 1,)
        Moments, in seconds, ascending.

    Returns
    -------
    ndarray of float, shape (n_owners, k)
        Exact; 0 to 1 if no more is held than there is.

    Notes
    -----
    Cost: O(n log n + m k) for m owners.
    """
    ordered = np.argsort(owner, kind="stable")
    bounds = np.searchsorted(owner[ordered], np.arange(len(capacity) + 1))
    load = np.zeros((len(capacity), len(edges) - 1))
    for place in range(len(capacity)):
        held = ordered[bounds[place] : bounds[place + 1]]
        if len(held):
            load[place] = np.diff(_integral(start[held], end[held], size[held], edges))
    return load / (np.diff(edges) * capacity[:, None])


def _integral(start: FloatColumn, end: FloatColumn, size: IntColumn, edges: FloatColumn) -> FloatColumn:
    """Return what was held before each of `edges`, times how long."""
    steps = step_function(start, end, size)
    sums = np.concatenate(([0.0], np.cumsum(steps.value[:-1] * np.diff(steps.time))))
    # Between two steps the integral is a straight line, and before the first and after the last it is flat.
    return np.interp(edges, steps.time, sums)
