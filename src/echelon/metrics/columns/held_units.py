"""HeldUnits: which parts of nodes jobs held, and when; the nodes of each attempt."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from echelon.metrics.columns.attempt_times import LOSSES
from echelon.model import NodeUnits
from echelon.model.jobs.columns import ranges
from echelon.model.machines.node_units import unit_of_core
from echelon.model.schedules.features import Feature, features_of, there
from echelon.model.schedules.number_sets import number_sets

if TYPE_CHECKING:
    from echelon.model import Attempts, Schedule
    from echelon.model.jobs.columns import FloatColumn, IntColumn


class HeldUnits(NamedTuple):
    """Units that jobs held, one row for each time and place, in any order.

    Attributes
    ----------
    job : IntColumn, shape (n,)
        Position of the job.
    start, end : FloatColumn, shape (n,)
        From when to when, in seconds.
    first : IntColumn, shape (n + 1,)
        The units of row i are ``unit[first[i]:first[i + 1]]``.
    unit : IntColumn
        Numbers of units, in `NodeUnits`; each is one processor, and of a shared node one of its tasks.
    """

    job: IntColumn
    start: FloatColumn
    end: FloatColumn
    first: IntColumn
    unit: IntColumn

    def rows(self, rows: IntColumn) -> tuple[IntColumn, IntColumn]:
        """Return the units of some rows one behind the other, and the row of each."""
        counts = np.diff(self.first)[rows]
        return self.unit[ranges(self.first[rows], self.first[rows + 1])], np.repeat(rows, counts)


def held_units(schedule: Schedule, units: NodeUnits) -> HeldUnits | None:
    """Return which units jobs held, where that is known of some: by number, by core, or by shared node."""
    has = features_of(schedule)
    parts: list[HeldUnits] = []
    if schedule.numbered is not None:
        rows = schedule.numbered
        site = np.repeat(np.maximum(rows.site, 0), np.diff(rows.first))
        unit = units.first_unit[units.nodes(site, rows.node)]
        parts.append(HeldUnits(rows.job, rows.start, rows.end, rows.first, unit))
    if Feature.CORES in has:
        cores, shift = there(schedule.holdings), unit_of_core(units, schedule.instance.platform)
        parts.append(HeldUnits(cores.job, cores.start, cores.release, cores.first_core, shift[cores.cores]))
    if Feature.PLACES in has:
        tasks = there(schedule.places)
        start, end = tasks.times(schedule.start_time, schedule.end_time)
        unit = units.first_unit[units.nodes(tasks.site, tasks.node)]
        parts.append(HeldUnits(tasks.job, start, end, np.arange(len(unit) + 1), unit))
    return together(parts) if parts else None


def together(parts: list[HeldUnits]) -> HeldUnits:
    """Return the rows of at least one record behind each other."""
    if len(parts) == 1:
        return parts[0]
    job, start, end = (
        np.concatenate([getattr(part, name) for part in parts]) for name in HeldUnits._fields[:3]
    )
    counts = np.concatenate([np.diff(part.first) for part in parts])
    return HeldUnits(
        job,
        start,
        end,
        np.concatenate(([0], np.cumsum(counts))).astype(np.int64),
        np.concatenate([part.unit for part in parts]),
    )


FIRST_NUMBER = 1
"""The number of the first node of a site in tables of changes, as in the files that users write."""


def attempt_nodes(schedule: Schedule) -> list[str] | None:
    """Return the nodes of each attempt as text, ``"1-3 5"``, numbered from 1 in each site.

    Of an attempt with nodes in several sites it is ``"north: 1-3; south: 1"``. None where it is not known
    which nodes jobs held; empty of an attempt of which it is not. Cost: O(n log n) for n nodes held in all.
    """
    units = NodeUnits.of(schedule.instance)
    if (occupancy := held_units(schedule, units)) is None:
        return None
    attempts = schedule.attempts
    owner, node = _pairs(attempts, occupancy, units)
    site = np.searchsorted(units.first_node, node, side="right") - 1
    number = node - units.first_node[site] + FIRST_NUMBER
    several = np.zeros(len(attempts), dtype=np.bool_)
    if Feature.SITES not in features_of(schedule):
        return number_sets(owner, number, len(attempts)).texts()
    several[owner[site != attempts.site[owner]]] = True
    plain = ~several[owner]
    texts = number_sets(owner[plain], number[plain], len(attempts)).texts()
    names = schedule.instance.sites.names
    for row in np.flatnonzero(several).tolist():
        mine = owner == row
        sets = number_sets(site[mine], number[mine], len(names)).texts()
        texts[row] = "; ".join(f"{name}: {text}" for name, text in zip(names, sets, strict=True) if text)
    return texts


def list_kills(schedule: Schedule, units: NodeUnits, held: HeldUnits) -> list[tuple[int, float]]:
    """Return node, numbered through all sites, and end, in seconds, of what nodes took with them."""
    attempts = schedule.attempts
    owner, node = _pairs(attempts, held, units)
    lost = np.isin(attempts.reason[owner], LOSSES)
    pairs = np.unique(np.stack((owner[lost], node[lost])), axis=1)
    return list(zip(pairs[1].tolist(), attempts.end[pairs[0]].tolist(), strict=True))


def _pairs(attempts: Attempts, held: HeldUnits, units: NodeUnits) -> tuple[IntColumn, IntColumn]:
    """Return the attempt and the node of each unit that is held."""
    unit, row = held.rows(np.arange(len(held.job)))
    return _attempt_of(attempts, held)[row], units.node_of_units(unit)


def _attempt_of(attempts: Attempts, held: HeldUnits) -> IntColumn:
    """Return the attempt of each row: the last one of its job that had begun by then."""
    job, start = (np.concatenate(pair) for pair in ((attempts.job, held.job), (attempts.start, held.start)))
    kind = np.repeat((0, 1), (len(attempts), len(held.job)))
    order = np.lexsort((kind, start, job))
    latest = np.maximum.accumulate(np.where(kind[order] == 0, order, -1))
    attempt = np.empty(len(order), dtype=np.int64)
    attempt[order] = latest
    return attempt[len(attempts) :]
