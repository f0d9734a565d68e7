"""Closures: how the nodes of maintenance and reservations were used, and how long they were kept empty."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.down_time import Spans
from echelon.metrics.columns.held_units import held_units
from echelon.metrics.columns.kept_out_jobs import KeptOut
from echelon.model import NodeUnits, OutageKind

if TYPE_CHECKING:
    from collections.abc import Sequence

    from echelon.metrics.columns.held_units import HeldUnits
    from echelon.model import Reservation, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


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
        emptying them cost; nan where it is not known who held them. See `KeptOut`.
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
    if not closed or (taken := held_units(schedule, units)) is None:
        unknown = np.full(len(closed), np.nan)
        return Closures(len(schedule.reservations), total, unknown, unknown)
    order = np.argsort(taken.start, kind="stable")
    used = np.array([_used(one, taken, units, order) for one in closed])
    idle = _idle_before(schedule, closed, taken, units, order)
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


def _used(one: Closure, held: HeldUnits, units: NodeUnits, order: IntColumn) -> float:
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
    gone = _gone(schedule, closed, units)
    found, begun, seen, starts = np.zeros(len(closed)), 0, 0, held.start[order]
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
        idle = waiting.waited(one.by, np.full(len(mine), one.start)) - waiting.waited(one.by, since)
        found[place] = float((idle * units.weight[mine]).sum())
    return found


def _gone(schedule: Schedule, closed: Sequence[Closure], units: NodeUnits) -> Spans:
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
