"""Closures: how the nodes of maintenance and reservations were used, and how long they were kept empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.down_time import Spans
from echelon.metrics.columns.held_units import held_units
from echelon.metrics.columns.steps import step_function, waiting_intervals
from echelon.model import NodeUnits, OutageKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from echelon.metrics.columns.held_units import HeldUnits
    from echelon.model import Instance, Reservation, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


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
                self._tied |= _find_named_jobs(schedule.instance, one)
        self._waits: dict[tuple[object, ...], tuple[FloatColumn, FloatColumn]] = {}

    def waiting_time(self, by: Reservation | None, times: FloatColumn) -> FloatColumn:
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
        if key not in self._waits:
            out = ~self._tied if by is None else ~(self._tied | with_access(self._instance, by))
            self._waits[key] = _some_wait(self._join, self._leave, out[self._job])
        return np.interp(times, *self._waits[key])


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
    has_access = _find_named_jobs(instance, reservation)
    for column, wanted in (("user", reservation.users), ("account", reservation.accounts)):
        if wanted:
            codes = instance.workload.int_column(column)[instance.kept]
            has_access = has_access | np.isin(codes, codes_of(instance, column, wanted))
    return has_access


def codes_of(instance: Instance, column: str, wanted: tuple[str, ...]) -> list[int]:
    """Return the codes of users or accounts by their names, or by codes where no name is that number."""
    names = instance.workload.names.get(column, ())
    codes = [code for code, name in enumerate(names, start=1) if name in wanted]
    return codes + [int(word) for word in wanted if word.isdecimal() and word not in names]


def _find_named_jobs(instance: Instance, reservation: Reservation) -> NDArray[np.bool_]:
    limits = instance.limits
    if limits is None or reservation.name not in limits.names:
        return np.zeros(len(instance), dtype=np.bool_)
    names_reservation: NDArray[np.bool_] = limits.reservation == limits.names.index(reservation.name) + 1
    return names_reservation


class Closure(NamedTuple):
    """Nodes, numbered through all sites, that are kept from jobs from one time to another, in seconds.

    `by` is the reservation that keeps them; None for maintenance.
    """

    start: float
    end: float
    nodes: IntColumn
    by: Reservation | None = None


class Closures(NamedTuple):
    """What became of closed nodes, in processor-seconds; one entry each, reservations before maintenance.

    Attributes
    ----------
    reservations : int
        How many are reservations.
    total : FloatColumn
        Processors times the time from start to end.
    used : FloatColumn
        What jobs held of it; nan where that is not known.
    idle_before : FloatColumn
        Time for which processors stood idle just before the start while jobs waited that were kept out: what
        emptying them cost; nan where it is not known which jobs held them. See `KeptOut`.
    """

    reservations: int
    total: FloatColumn
    used: FloatColumn
    idle_before: FloatColumn


def closures(schedule: Schedule) -> Closures:
    """Return how the nodes of reservations and maintenance were used.

    Notes
    -----
    Nodes are idle just before a start from the last time at which a job held them, or at which they came
    back from an outage or another closure, and not before the first submission. A node whose job continues
    was never idle.

    Cost: O(n log n + c (u + m)) for n processors held by all jobs, c closures of at most u units, and m jobs
    that hold some during one.
    """
    units = NodeUnits.of(schedule.instance)
    closed = [*_reservations(schedule, units), *_maintenance(schedule, units)]
    weights = [units.weights(one.nodes).sum() for one in closed]
    total = np.array([weight * (one.end - one.start) for weight, one in zip(weights, closed, strict=True)])
    if not closed or (occupancy := held_units(schedule, units)) is None:
        unknown = np.full(len(closed), np.nan)
        return Closures(len(schedule.reservations), total, unknown, unknown)
    order = np.argsort(occupancy.start, kind="stable")
    used = np.array([_use_of(one, occupancy, units, order) for one in closed])
    idle = _idle_before(schedule, closed, occupancy, units, order)
    return Closures(len(schedule.reservations), total, used, idle)


def _reservations(schedule: Schedule, units: NodeUnits) -> list[Closure]:
    return [
        Closure(one.start, one.end, units.first_node[one.site] + np.array(one.nodes, dtype=np.int64), one)
        for one in schedule.reservations
    ]


def _maintenance(schedule: Schedule, units: NodeUnits) -> list[Closure]:
    rows = schedule.outages.of_kind(OutageKind.MAINTENANCE)
    return [
        Closure(
            float(rows.start[row]),
            float(rows.end[row]),
            units.first_node[rows.site[row]] + rows.nodes_of(row),
        )
        for row in range(len(rows))
    ]


def _use_of(one: Closure, held: HeldUnits, units: NodeUnits, order: IntColumn) -> float:
    """Return the processor-seconds that jobs held of closed nodes."""
    start, longest = held.start[order], float((held.end - held.start).max(initial=0.0))
    near = order[np.searchsorted(start, one.start - longest) : np.searchsorted(start, one.end)]
    unit, row = held.rows(near[held.end[near] > one.start])
    inside = np.isin(unit, units.of_nodes(one.nodes)[0])
    time = np.minimum(held.end[row], one.end) - np.maximum(held.start[row], one.start)
    return float(time[inside].sum())


def _idle_before(
    schedule: Schedule, closed: Sequence[Closure], held: HeldUnits, units: NodeUnits, order: IntColumn
) -> FloatColumn:
    """Return how long processors stood idle just before each start while jobs waited that were kept out."""
    waiting = KeptOut(schedule)
    last = np.full(len(units.weight), float(schedule.instance.submit_time.min()))
    gone = _closed_spans(schedule, closed, units)
    idle_areas, begun, seen, starts = np.zeros(len(closed)), 0, 0, held.start[order]
    for place in sorted(range(len(closed)), key=lambda each: closed[each].start):
        one = closed[place]
        until, before = (int(np.searchsorted(column, one.start)) for column in (starts, gone.start))
        unit, row = held.rows(order[begun:until])
        np.maximum.at(last, unit, held.end[row])
        rows, which = units.of_nodes(gone.node[seen:before])
        np.maximum.at(last, rows, gone.end[seen:before][which])
        begun, seen = until, before
        mine = units.of_nodes(one.nodes)[0]
        since = np.minimum(last[mine], one.start)
        idle = waiting.waiting_time(one.by, np.full(len(mine), one.start)) - waiting.waiting_time(
            one.by, since
        )
        idle_areas[place] = float((idle * units.weight[mine]).sum())
    return idle_areas


def _closed_spans(schedule: Schedule, closed: Sequence[Closure], units: NodeUnits) -> Spans:
    """Return when single nodes were closed or down, by start."""
    outages = schedule.outages
    counts = np.diff(outages.first)
    sizes = [len(one.nodes) for one in closed]
    spans = Spans(
        np.concatenate(
            [units.nodes(np.repeat(outages.site, counts), outages.node), *(one.nodes for one in closed)]
        ),
        np.append(np.repeat(outages.start, counts), np.repeat([one.start for one in closed], sizes)),
        np.append(np.repeat(outages.end, counts), np.repeat([one.end for one in closed], sizes)),
    )
    order = np.argsort(spans.start, kind="stable")
    return Spans(spans.node[order], spans.start[order], spans.end[order])
