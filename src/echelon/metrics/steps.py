"""Steps: queue length and busy processors over time, exact."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from echelon.model import Schedule
    from echelon.model.columns import FloatColumn, IntColumn


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


def queue_length(schedule: Schedule) -> Steps:
    """Return how many jobs wait at each time: those submitted but not started.

    Parameters
    ----------
    schedule : Schedule
        Any.

    Returns
    -------
    Steps
        One step at every distinct submit or start time; in jobs. The last value is 0.

    Notes
    -----
    Ties: a value holds after all submissions and starts of its instant, so a job that starts when it is
    submitted never counts.

    Cost: O(n log n).
    """
    ones = np.ones(len(schedule.instance), dtype=np.int64)
    return _difference((schedule.instance.submit_time, ones), (schedule.start_time, ones))


def busy_processors(schedule: Schedule) -> Steps:
    """Return how many processors are held at each time.

    Parameters
    ----------
    schedule : Schedule
        Any.

    Returns
    -------
    Steps
        One step at every distinct start or end time; in processors. The last value is 0.

    Notes
    -----
    Ties: at equal times ends come before starts, so a processor that passes from one job to the next
    counts once.

    Cost: O(n log n).
    """
    size = schedule.instance.size
    return _difference((schedule.start_time, size), (schedule.end_time, size))


def _difference(up: tuple[FloatColumn, IntColumn], down: tuple[FloatColumn, IntColumn]) -> Steps:
    """Return what has gone up less what has gone down by each distinct time, in whole numbers."""
    risen, fallen = _accumulated(*up), _accumulated(*down)
    time = np.unique(np.concatenate((risen.time, fallen.time)))
    return Steps(time, risen.at(time) - fallen.at(time))


def _accumulated(times: FloatColumn, amounts: IntColumn) -> Steps:
    order = np.argsort(times, kind="stable")
    ordered, sums = times[order], np.cumsum(amounts[order])
    last = np.append(ordered[1:] != ordered[:-1], True)
    return Steps(ordered[last], sums[last])
