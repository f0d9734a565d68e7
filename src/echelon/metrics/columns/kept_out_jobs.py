"""Kept-out jobs: when jobs waited that maintenance or a reservation may have kept from its nodes."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from echelon.metrics.columns.steps import step_function, waiting_intervals

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from echelon.model import Instance, Reservation, Schedule
    from echelon.model.jobs.columns import FloatColumn


class KeptOut:
    """For how long jobs waited that were kept from the nodes of each closure.

    A job that names a reservation waits for that one to begin, whatever stands idle before, unless it is
    flexible. A job with access to a reservation is not bound by it.

    Parameters
    ----------
    schedule : Schedule
        Of the run.
    """

    def __init__(self, schedule: Schedule) -> None:
        self._instance = schedule.instance
        self._join, self._leave = waiting_intervals(schedule)
        segments = schedule.segments
        jobs = np.arange(len(schedule.instance))
        self._job = jobs if segments is None else np.concatenate((jobs, segments.job[segments.resumptions()]))
        self._tied = np.zeros(len(jobs), dtype=np.bool_)
        for one in schedule.reservations:
            if not one.flex:
                self._tied |= _naming(schedule.instance, one)
        self._known: dict[tuple[object, ...], tuple[FloatColumn, FloatColumn]] = {}

    def waited(self, by: Reservation | None, times: FloatColumn) -> FloatColumn:
        """Return for how long until each of some times a job waited that was kept out, in seconds.

        Parameters
        ----------
        by : Reservation or None
            What keeps jobs out; None: maintenance.
        times : FloatColumn
            In seconds.

        Notes
        -----
        Cost: O(n log n) for each group of jobs with access.
        """
        key = () if by is None else (by.name, by.users, by.accounts)
        if key not in self._known:
            out = ~self._tied if by is None else ~(self._tied | with_access(self._instance, by))
            self._known[key] = _some_wait(self._join, self._leave, out[self._job])
        return np.interp(times, *self._known[key])


def _some_wait(
    join: FloatColumn, leave: FloatColumn, out: NDArray[np.bool_]
) -> tuple[FloatColumn, FloatColumn]:
    """Return times, and for how long until then some of these waited, which changes evenly in between."""
    if not out.any():
        return np.zeros(1), np.zeros(1)
    steps = step_function(join[out], leave[out], np.ones(int(out.sum()), dtype=np.int64))
    some = (steps.value[:-1] > 0) * np.diff(steps.time)
    return steps.time, np.concatenate(([0.0], np.cumsum(some)))


def with_access(instance: Instance, reservation: Reservation) -> NDArray[np.bool_]:
    """Return which jobs may use a reservation: they name it, or it lists their user or account."""
    found = _naming(instance, reservation)
    for column, wanted in (("user", reservation.users), ("account", reservation.accounts)):
        if wanted:
            codes = instance.workload.int_column(column)[instance.kept]
            found = found | np.isin(codes, codes_of(instance, column, wanted))
    return found


def codes_of(instance: Instance, column: str, wanted: tuple[str, ...]) -> list[int]:
    """Return the codes of users or accounts by their names, or by codes where no name is that number."""
    names = instance.workload.names.get(column, ())
    codes = [code for code, name in enumerate(names, start=1) if name in wanted]
    return codes + [int(word) for word in wanted if word.isdecimal() and word not in names]


def _naming(instance: Instance, reservation: Reservation) -> NDArray[np.bool_]:
    limits = instance.limits
    if limits is None or reservation.name not in limits.names:
        return np.zeros(len(instance), dtype=np.bool_)
    found: NDArray[np.bool_] = limits.reservation == limits.names.index(reservation.name) + 1
    return found
